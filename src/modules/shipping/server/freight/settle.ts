import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { addCost, type CostPlaced } from '#modules/warehouse/server/index.ts';
import { freightBill } from '../../contract/freight/bill.ts';
import type { FreightKind } from '../../contract/freight/fields.ts';
import { locked, type ShipOrder } from '../order/load.ts';
import { type Basis, basisOf } from './basis.ts';
import type { FreightBill } from './bill/load.ts';
import { countBilled } from './lines.ts';
import { type Dispatch, dispatchOf } from './moves.ts';
import { changes, type Share, shareOver, spread } from './rules/share.ts';

type Component = 'firstLeg' | 'duty';
type Event = 'confirm' | 'reverse';

/** Charges of an order that are one part of its cost and shared by one measure: they are shared together. */
interface Pool {
  order: string;
  component: Component;
  base: FreightBill['base'];
}

const componentOf = (kind: FreightKind): Component => (kind === 'DUTY' ? 'duty' : 'firstLeg');

/** What bills that stand come to in a pool, CNY. */
async function billedOf(ctx: Ctx, { order, component, base }: Pool): Promise<string> {
  const { rows } = await sql<{ total: string }>`
    SELECT coalesce(sum(c.amount_cny), 0)::text AS total FROM shipping.freight_charge AS c
      JOIN shipping.freight_bill AS b ON b.company_id = c.company_id AND b.id = c.bill_id
     WHERE c.company_id = ${ctx.companyId} AND c.order_id = ${order} AND b.state = 'confirmed' AND b.base = ${base}
       AND (c.kind = 'DUTY') = ${component === 'duty'}`.execute(ctx.db);
  return rows[0]?.total ?? '0';
}

async function sharesOf(ctx: Ctx, { order, component, base }: Pool): Promise<Share[]> {
  const { rows } = await sql<Share>`
    SELECT line_id AS line, move, sum(amount)::text AS amount FROM shipping.freight_share
     WHERE company_id = ${ctx.companyId} AND order_id = ${order} AND component = ${component} AND base = ${base}
     GROUP BY 1, 2 HAVING sum(amount) <> 0 ORDER BY 1, 2`.execute(ctx.db);
  return rows;
}

/** Puts changes into layers and variances, move by move. */
async function place(
  ctx: Ctx,
  bill: FreightBill,
  dispatch: Dispatch,
  added: readonly Share[],
  step: { event: Event; seq: number; component: Component; why: string },
): Promise<Map<number, CostPlaced>> {
  const { moves } = await addCost(ctx, {
    source: { type: freightBill.name, id: bill.id, event: step.event, seq: step.seq, number: bill.number },
    posting: dispatch.posting,
    component: step.component,
    values: added.flatMap(({ move, amount }) => (move === null ? [] : [{ move, amount }])),
    note: step.why,
  });
  return new Map(moves.map((one) => [one.move, one]));
}

async function write(
  ctx: Ctx,
  bill: FreightBill,
  event: Event,
  pool: Pool,
  added: readonly Share[],
  placed: ReadonlyMap<number, CostPlaced>,
): Promise<void> {
  const rows = added.map((share) => {
    const { toLayers = '0', variance = '0' } = (share.move === null ? undefined : placed.get(share.move)) ?? {};
    return { ...share, toLayers, variance };
  });
  await sql`
    INSERT INTO shipping.freight_share (company_id, bill_id, event, order_id, line_id, move, component, base, amount,
      to_layers, variance)
    SELECT ${ctx.companyId}, ${bill.id}, ${event}, ${pool.order}, r.line, r.move, ${pool.component}, ${pool.base}, r.amount,
           r."toLayers", r.variance
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r(line uuid, move int, amount numeric, "toLayers" numeric, variance numeric)`.execute(ctx.db);
}

/** The shares that a pool should have now. */
function wantedOf(total: string, basis: Basis): Share[] {
  const amounts = shareOver(
    total,
    basis.lines.map(({ weight }) => weight),
    2,
  );
  const shares = basis.lines.map(({ line }, index) => ({ line: line.id, amount: amounts[index] ?? '0' }));
  return spread(shares, basis.moves).filter(({ amount }) => !new Decimal(amount).isZero());
}

const LEFT: readonly string[] = ['shipped', 'receiving', 'done'];

/** @throws refused B1356 an order that has not left, B1357 what cannot be shared, by its number */
async function basisFor(ctx: Ctx, order: ShipOrder, bill: FreightBill, dispatch: Dispatch | undefined): Promise<Basis> {
  if (!LEFT.includes(order.state)) throw refused(`发货单 ${order.number} 还没有出库，不能分摊费用`, 'B1356');
  const basis = await basisOf(ctx, order, bill.base, dispatch);
  if ('why' in basis) throw refused(`发货单 ${order.number}：${basis.why}`, 'B1357');
  return basis;
}

/**
 * Brings the shares of a bill's orders to those of all bills that stand: of each order the whole of what is billed is shared
 * once more, and what that differs by from the shares before goes into the layers of its pieces, for those that have left
 * into the variance of the period (handbook of shipping 5.6, 5.7, E5). A bill that is taken back is gone from the whole. Each
 * amount is told once: it is shared together with those of the same part of cost and the same measure. Orders are locked in
 * the order of their ids. @throws as {@link basisFor}, B1355; B0805 in a closed month
 */
export async function settleAll(ctx: Ctx, bill: FreightBill, event: Event, why = ''): Promise<void> {
  const byOrder = Map.groupBy(bill.charges, (charge) => charge.order);
  const all = [];
  for (const id of [...byOrder.keys()].sort()) all.push(await locked(ctx, id));
  let seq = 0;
  for (const order of all) {
    const dispatch = await dispatchOf(ctx, order);
    let basis: Basis | undefined;
    for (const component of new Set((byOrder.get(order.id) ?? []).map(({ kind }) => componentOf(kind)))) {
      const pool: Pool = { order: order.id, component, base: bill.base };
      const total = await billedOf(ctx, pool);
      // With nothing left there is nothing to share, so that it can be taken back whatever became of the measures.
      if (!new Decimal(total).isZero()) basis ??= await basisFor(ctx, order, bill, dispatch);
      const wanted = basis && !new Decimal(total).isZero() ? wantedOf(total, basis) : [];
      const added = changes(wanted, await sharesOf(ctx, pool));
      const moved = added.filter(({ move }) => move !== null);
      const step = { event, seq, component, why };
      const placed = dispatch && moved.length > 0 ? await place(ctx, bill, dispatch, moved, step) : new Map();
      await write(ctx, bill, event, pool, added, placed);
      seq += 1;
    }
    const weights =
      bill.base === 'BILLABLE' ? basis?.lines.map(({ line, weight }) => ({ line: line.id, weight })) : undefined;
    await countBilled(ctx, order.id, weights);
  }
}
