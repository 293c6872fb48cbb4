import { sql } from 'kysely';
import { Decimal, round } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { knownRate } from '#modules/finance/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { FreightMatchRow } from '../../contract/freight/bill.ts';
import { matched } from './rules/match.ts';
import { freightSettingOf } from './setting.ts';

/** A bill that is looked at: until it is confirmed its lines count at the rate of its day. */
interface Looked {
  id: string;
  state: string;
  currency: string;
  day: string;
}

interface Found {
  orderId: string;
  order: string;
  account: string;
  marketplaceId: string;
  channel: string;
  /** CNY; null where a part of it has no rate. */
  estimated: string | null;
  hasEstimate: boolean;
  weight: string | null;
  /** CNY of confirmed bills. */
  billed: string;
  /** In the currency of the bill that is looked at, unless it is confirmed. */
  open: string;
  surcharge: boolean;
  billedWeight: string | null;
  bills: number;
}

async function found(ctx: Ctx, orders: readonly string[], bill: Looked | undefined): Promise<Found[]> {
  const open = bill && bill.state !== 'confirmed' ? bill.id : null;
  const { rows } = await sql<Found>`
    SELECT o.id AS "orderId", o.number AS "order", o.account_id AS account, o.marketplace_id AS "marketplaceId",
           coalesce(h.name, '') AS channel, e.*, b.*
      FROM shipping.ship_order AS o
      LEFT JOIN shipping.channel AS h ON h.company_id = o.company_id AND h.id = o.channel_id
      CROSS JOIN LATERAL (
        SELECT CASE WHEN bool_and(c.amount_cny IS NOT NULL) THEN sum(c.amount_cny)::text END AS estimated,
               count(*) > 0 AS "hasEstimate", trim_scale(sum(c.billed_weight))::text AS weight
          FROM shipping.freight_charge AS c
         WHERE c.company_id = o.company_id AND c.order_id = o.id AND c.bill_id IS NULL AND c.kind <> 'DUTY') AS e
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(c.amount_cny) FILTER (WHERE f.state = 'confirmed' AND c.kind <> 'DUTY'), 0)::text AS billed,
               coalesce(sum(c.amount) FILTER (WHERE f.id = ${open}::uuid AND c.kind <> 'DUTY'), 0)::text AS open,
               coalesce(bool_or(c.kind = 'SURCHARGE'), false) AS surcharge, count(*)::int AS bills,
               trim_scale(sum(c.billed_weight) FILTER (WHERE c.kind = 'FREIGHT'))::text AS "billedWeight"
          FROM shipping.freight_charge AS c
          JOIN shipping.freight_bill AS f ON f.company_id = c.company_id AND f.id = c.bill_id
         WHERE c.company_id = o.company_id AND c.order_id = o.id
           AND (f.state = 'confirmed' OR f.id = ${open}::uuid)) AS b
     WHERE o.company_id = ${ctx.companyId} AND o.id = ANY (${[...orders]}::uuid[]) ORDER BY o.number`.execute(ctx.db);
  return rows;
}

/** What may explain a difference, for whoever has to ask the carrier. */
function whyOf(row: Found, state: FreightMatchRow['state']): string {
  if (state === 'unrated') return '缺少汇率，无法比较';
  if (!row.hasEstimate) return row.channel === '' ? '发货单未选择渠道，没有预估' : '出库时没有预估';
  const heavier = row.weight !== null && row.billedWeight !== null && !new Decimal(row.billedWeight).eq(row.weight);
  return [
    ...(heavier ? [`计费重 ${row.billedWeight}，预估 ${row.weight}`] : []),
    ...(row.surcharge ? ['含附加费'] : []),
  ].join('；');
}

/**
 * 对账: what was expected of orders against all that is billed of them, with the bill that is looked at; without duties, which
 * no price card tells. CNY. Orders that nothing was billed of have no billed amount.
 */
export async function matchesOf(ctx: Ctx, orders: readonly string[], bill?: Looked): Promise<FreightMatchRow[]> {
  const { threshold } = await freightSettingOf(ctx);
  const stores = await storeNames(ctx);
  const rate = bill ? ((await knownRate(ctx, bill.currency, bill.day))?.rate ?? null) : '1';
  return (await found(ctx, orders, bill)).map((row) => {
    const isOpen = !new Decimal(row.open).isZero();
    const open = isOpen && rate !== null ? round(new Decimal(row.open).times(rate), 2) : '0';
    const lacksRate = (isOpen && rate === null) || (row.hasEstimate && row.estimated === null);
    const billed = row.bills === 0 || (isOpen && rate === null) ? null : new Decimal(row.billed).plus(open).toFixed(2);
    const compared = matched({ estimated: row.estimated, billed, unrated: lacksRate }, threshold);
    return {
      orderId: row.orderId,
      order: row.order,
      store: { name: stores.get(row.account) ?? '—', country: countryOf(row.marketplaceId) },
      channel: row.channel,
      ...compared,
      estimated: row.estimated,
      billed,
      weight: row.weight,
      billedWeight: row.billedWeight,
      why: whyOf(row, compared.state),
    };
  });
}
