import { sql } from 'kysely';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import type { LedgerFact, LedgerPart, LedgerSource } from '#kit/server/ledger-source.ts';
import { OUTSIDE, WarehouseKind } from '../../contract/stock.ts';
import { stockSources } from '../stock/sources.ts';

/** Subjects of our own stock by the kind of its warehouse, and of what is on its way. */
const OWN: Readonly<Record<string, string>> = {
  LOCAL: '140501',
  OVERSEAS: '140501',
  THIRD_PARTY: '140501',
  FBA: '140502',
  AWD: '140502',
  TRANSIT: '140503',
  MOVING: '140503',
};

/** Subjects of the world outside: where value comes from and goes to. */
const BEYOND: Readonly<Record<string, string>> = {
  SUPPLIER: '1401',
  CUSTOMER: '5401',
  ADJUSTMENT: '5711',
  SCRAP: '5711',
  LOST: '5711',
  CONVERSION: '4001',
  ASSEMBLY: '4001',
};

interface Flow {
  type: string;
  event: string;
  day: string;
  own: boolean;
  place: string;
  amount: string;
}

const kindOf = ({ type, event }: Flow): string => `${type} ${event}`;

/**
 * What postings of a month moved in value by kind of document, event and place, CNY. What comes from an order's expected pieces, and
 * freight that comes to pieces, has no side outside: the supplier's is what is left over. Openings are left out.
 */
async function flowsOf(ctx: Ctx, month: string): Promise<Flow[]> {
  const { rows } = await sql<Flow>`
    SELECT p.source_type AS type, p.source_event AS event, max(p.business_date)::text AS day, w.kind <> 'VIRTUAL' AS own,
           CASE WHEN w.kind = 'VIRTUAL' THEN w.code WHEN e.status = 'IN_TRANSIT' THEN 'MOVING' ELSE w.kind END AS place,
           sum(e.amount)::text AS amount
      FROM warehouse.stock_posting AS p
      JOIN warehouse.stock_entry AS e ON e.company_id = p.company_id AND e.posting_id = p.id AND e.amount IS NOT NULL
      JOIN warehouse.warehouse AS w ON w.company_id = e.company_id AND w.id = e.warehouse_id
     WHERE p.company_id = ${ctx.companyId} AND p.business_date >= ${month}::date
       AND p.business_date < (${month}::date + interval '1 month')::date
     GROUP BY 1, 2, 4, 5 HAVING sum(e.amount) <> 0 ORDER BY 1, 2, 4 DESC, 5`.execute(ctx.db);
  // An event that brings opening stock does nothing else.
  const opened = new Set(rows.filter(({ place }) => place === 'OPENING').map(kindOf));
  return rows.filter((row) => !opened.has(kindOf(row)));
}

/** What came late and found its pieces gone, by kind of document: cost of what was sold. */
async function lateOf(ctx: Ctx, month: string): Promise<ReadonlyMap<string, { day: string; amount: string }>> {
  const { rows } = await sql<{ type: string; day: string; amount: string }>`
    SELECT p.source_type AS type, max(r.business_date)::text AS day, sum(r.variance)::text AS amount
      FROM warehouse.revaluation AS r
      JOIN warehouse.stock_posting AS p ON p.company_id = r.company_id AND p.id = r.posting_id
     WHERE r.company_id = ${ctx.companyId} AND r.business_date >= ${month}::date
       AND r.business_date < (${month}::date + interval '1 month')::date
     GROUP BY 1 HAVING sum(r.variance) <> 0`.execute(ctx.db);
  return new Map(rows.map(({ type, ...row }) => [type, row]));
}

/** Parts of a kind of document's month: our own stock, the world outside, what suppliers are behind, what came too late. */
function partsOf(flows: readonly Flow[], late: string): LedgerPart[] {
  const said = flows.map(
    ({ own, place, amount }): LedgerPart => ({
      part: own ? 'STOCK' : place,
      ...(own ? { variant: place } : {}),
      currency: 'CNY',
      amount,
    }),
  );
  const variance: LedgerPart[] = new Decimal(late).isZero() ? [] : [{ part: 'LATE', currency: 'CNY', amount: late }];
  const left = new Decimal(sum([...said, ...variance].map(({ amount }) => amount))).negated();
  if (left.isZero()) return [...said, ...variance];
  return [...said, ...variance, { part: 'SUPPLIER', currency: 'CNY', amount: left.toFixed() }];
}

async function facts(ctx: Ctx, month: string): Promise<LedgerFact[]> {
  const flows = Map.groupBy(await flowsOf(ctx, month), ({ type }) => type);
  const late = await lateOf(ctx, month);
  const titles = new Map(extensionsOf(ctx.runtime.modules, stockSources).map(({ type, title }) => [type, title]));
  return [...new Set([...flows.keys(), ...late.keys()])].toSorted().map((type) => {
    const of = flows.get(type) ?? [];
    const behind = late.get(type);
    return {
      ref: `${month.slice(0, 7)} ${type}`,
      day: [...of.map(({ day }) => day), behind?.day ?? ''].toSorted().at(-1) ?? month,
      number: titles.get(type) ?? type,
      path: `/erp/inventory/record?f.period=${month}~${[...of.map(({ day }) => day), month].toSorted().at(-1)}`,
      parts: partsOf(of, behind?.amount ?? '0'),
    };
  });
}

/** What moved stock in value as the general ledger books it, by month and kind of document. */
export const stockSource: LedgerSource = {
  name: 'warehouse.stock',
  title: '出入库',
  about: '采购入库、调拨与发FBA、自发货成本、盘点、报废、组装、补录成本；期初库存在总账期初凭证里录入',
  sort: 30,
  by: 'MONTH',
  parts: {
    STOCK: { title: '库存商品', subject: '140501', exact: true },
    SUPPLIER: { title: '采购与运费（材料采购）', subject: BEYOND.SUPPLIER ?? '' },
    ...Object.fromEntries(
      Object.entries(OUTSIDE)
        .filter(([code]) => code !== 'SUPPLIER' && code !== 'OPENING')
        .map(([code, title]) => [code, { title, subject: BEYOND[code] ?? '' }]),
    ),
    LATE: { title: '迟到成本（货已售出）', subject: '5401' },
  },
  variants: async () => ({
    STOCK: Object.entries(OWN).map(([key, subject]) => ({
      key,
      title: key === 'MOVING' ? '在途' : (WarehouseKind.meta()?.states?.[key]?.title ?? key),
      subject,
    })),
  }),
  facts,
};
