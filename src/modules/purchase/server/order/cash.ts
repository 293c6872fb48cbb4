import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { CashExpectation, CashHorizon, CashSource } from '#kit/server/cash.ts';
import type { Ctx } from '#kit/server/context.ts';
import { billedOn, type DuePart, freeOfDocuments, leftOf } from '#modules/finance/server/index.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { dueParts } from '../due-dates.ts';
import type { TermStage } from './suppliers.ts';

interface Waiting {
  id: string;
  supplier: string;
  terms: TermStage[];
  placed: string | null;
  expectedOn: string | null;
}

/** Orders of which goods are to come. */
async function waitingOrders(ctx: Ctx): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    SELECT o.id, s.short_name AS supplier, o.terms, kit.day(o.placed_at)::text AS placed,
           (SELECT max(coalesce(l.expected_on, o.expected_on)) FROM purchase.order_line AS l
             WHERE l.company_id = o.company_id AND l.order_id = o.id AND l.open_qty > 0)::text AS "expectedOn"
      FROM purchase.purchase_order AS o
      JOIN supplier.supplier AS s ON s.company_id = o.company_id AND s.id = o.supplier_id
     WHERE o.company_id = ${ctx.companyId} AND o.state = 'ordered' AND o.open_qty > 0`.execute(ctx.db);
  return rows;
}

/**
 * What is left of the parts of an amount once `covered` of it is paid, asked for or owed: those take what is due first, as
 * paying does.
 */
export function uncovered(parts: readonly DuePart[], covered: Decimal.Value): DuePart[] {
  let taken = new Decimal(covered);
  return parts
    .toSorted((one, other) => one.dueOn.localeCompare(other.dueOn))
    .flatMap(({ amount, dueOn }) => {
      const part = Decimal.min(taken, amount);
      taken = taken.minus(part);
      const rest = new Decimal(amount).minus(part);
      return rest.lte(0) ? [] : [{ amount: rest.toFixed(), dueOn }];
    });
}

/**
 * What waiting orders will come to beyond what is paid, asked for and owed already, which finance tells. The days follow the
 * terms of payment as if the goods came when they are expected; what is late might come any day.
 */
async function ordersExpected(ctx: Ctx, { today }: CashHorizon): Promise<CashExpectation[]> {
  const orders = await waitingOrders(ctx);
  if (orders.length === 0) return [];
  const type = purchaseOrder.name;
  const left = await leftOf(
    ctx,
    orders.map(({ id }) => ({ type, id })),
  );
  const owed = await freeOfDocuments(ctx, type);
  const bills = await billedOn(ctx);
  return orders.flatMap(({ id, supplier, terms, placed, expectedOn }): CashExpectation[] => {
    const known = left.get(id);
    if (!known) return [];
    const { number, currency, amount } = known;
    const rest = new Decimal(known.left).minus(owed.get(`${id} ${currency}`) ?? 0);
    if (rest.lte(0)) return [];
    const came = expectedOn !== null && expectedOn > today ? expectedOn : today;
    const bill = bills.get(`${type} ${id}`);
    const parts = bill
      ? [{ amount: rest.toFixed(), dueOn: bill.dueOn }]
      : uncovered(dueParts(terms, { placed, came }, amount, currency), new Decimal(amount).minus(rest));
    const basis = bill
      ? `平台账单 ${bill.number} 的还款日`
      : `付款条件，按${came === expectedOn ? `预计到货 ${came}` : '今天到货'}推算`;
    return parts.map((part) => ({
      key: `${id}:${part.dueOn}`,
      direction: 'OUT',
      day: part.dueOn,
      amount: part.amount,
      currency,
      certainty: 'estimated',
      title: '采购单未到货部分',
      number,
      party: supplier,
      basis,
      to: { path: purchaseOrder.detail, title: number, query: { id } },
    }));
  });
}

/** What is ordered and neither owed nor asked for yet. */
export const orderCash: CashSource = {
  kind: 'purchase',
  title: '采购待付',
  sort: 40,
  permission: 'erp:purchase:field:price',
  expect: ordersExpected,
};
