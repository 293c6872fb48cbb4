import { sql } from 'kysely';
import { actionsOf } from '#kit/contract/document.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { moneyOf } from '#modules/finance/server/index.ts';
import {
  type FreightBillInput,
  type FreightBillRow,
  type FreightChargeRow,
  type FreightShareRow,
  freightBill,
} from '../../../contract/freight/bill.ts';
import type { freightBillDetail } from '../../../contract/freight/calls.ts';
import { matchesOf } from '../matches.ts';
import { billRow } from './list.ts';
import { type FreightBill, loadedBill } from './load.ts';

/** The bill as its list shows it. @throws notFound */
export async function billRowOf(ctx: Ctx, id: string): Promise<FreightBillRow> {
  const row = await billRow(ctx, id);
  if (!row) throw notFound('物流账单不存在');
  return row;
}

async function chargeRows(ctx: Ctx, id: string): Promise<FreightChargeRow[]> {
  const { rows } = await sql<FreightChargeRow>`
    SELECT c.id, c.order_id AS "orderId", o.number AS "order", c.shipment_no AS "shipmentNo", c.reference, c.kind,
           trim_scale(c.billed_weight)::text AS "billedWeight", c.amount::text AS amount, c.currency,
           c.amount_cny::text AS "amountCny", c.remark
      FROM shipping.freight_charge AS c
      JOIN shipping.ship_order AS o ON o.company_id = c.company_id AND o.id = c.order_id
     WHERE c.company_id = ${ctx.companyId} AND c.bill_id = ${id} ORDER BY c.line_no`.execute(ctx.db);
  return rows;
}

type Shared = Omit<FreightShareRow, 'product'> & { title: string; msku: string; image: string | null };

/** What the bill brought to each line when it was confirmed, with what all bills come to of it. */
async function shareRows(ctx: Ctx, id: string): Promise<FreightShareRow[]> {
  const { rows } = await sql<Shared>`
    SELECT l.id AS "lineId", o.number AS "order", l.title, l.msku, l.image, l.shipped_qty AS qty,
           sum(s.amount)::numeric(18, 2)::text AS amount, sum(s.to_layers)::text AS "toLayers",
           sum(s.variance)::text AS variance, coalesce(f.billed, 0)::text AS total
      FROM shipping.freight_share AS s
      JOIN shipping.ship_order_line AS l ON l.company_id = s.company_id AND l.id = s.line_id
      JOIN shipping.ship_order AS o ON o.company_id = l.company_id AND o.id = l.order_id
      LEFT JOIN shipping.freight_line AS f ON f.company_id = l.company_id AND f.line_id = l.id
     WHERE s.company_id = ${ctx.companyId} AND s.bill_id = ${id} AND s.event = 'confirm'
     GROUP BY l.company_id, l.id, o.number, f.billed ORDER BY o.number, l.line_no`.execute(ctx.db);
  return rows.map(({ title, msku, image, ...row }) => ({
    ...row,
    product: { name: title || msku, code: msku, image },
  }));
}

const inputOf = (bill: FreightBill): FreightBillInput => ({
  id: bill.id,
  version: bill.version,
  carrierId: bill.carrier,
  billNo: bill.billNo,
  day: bill.day,
  dueOn: bill.dueOn,
  currency: bill.currency,
  base: bill.base,
  remark: bill.remark,
  lines: bill.charges.map(({ reference, kind, amount, billedWeight, remark }) => ({
    reference,
    kind,
    amount,
    billedWeight,
    remark,
  })),
});

/** Everything that the page of a bill shows. @throws notFound */
export async function billDetail(ctx: Ctx, id: string): Promise<Reply<typeof freightBillDetail>> {
  const row = await billRowOf(ctx, id);
  const bill = await loadedBill(ctx, id);
  const orders = [...new Set(bill.charges.map((charge) => charge.order))];
  const [money] = await moneyOf(ctx, freightBill.name, [id]);
  const codes = Object.values(freightBill.transitions).map((rule) => rule.permission);
  return {
    bill: row,
    input: inputOf(bill),
    lines: await chargeRows(ctx, id),
    matches: await matchesOf(ctx, orders, bill),
    shares: await shareRows(ctx, id),
    money: money ? { owed: money.raised, paid: money.paid, requested: money.requested } : null,
    actions: actionsOf(freightBill, bill.state, new Set(codes.filter((code) => can(ctx, code)))),
    timeline: await timelineOf(ctx, freightBill.name, id),
  };
}
