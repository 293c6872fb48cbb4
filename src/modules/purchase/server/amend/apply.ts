import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { amountOf, amountOfPieces } from '../../contract/money.ts';
import { rematch } from '../invoice/match.ts';
import { touch } from '../order/act.ts';
import { project, waitedMore, waitFor } from '../order/events.ts';
import { linesOf, type Order } from '../order/load.ts';
import { settle } from '../order/settle.ts';
import { limitsFor } from '../order/tolerance.ts';
import { requireRequestsFit } from '../payable.ts';

interface Terms {
  qty: number;
  unitPrice: string;
  expectedOn: string | null;
}

/** What a line was, and what it becomes. */
export interface LineChange {
  lineId: string;
  lineNo: number;
  productId: string;
  before: Terms;
  after: Terms;
}

/** Duty and import VAT that were given as amounts for all pieces go with the pieces; what is a share of the value is one still. */
function taxesOf(order: Order, { lineId, after }: LineChange) {
  const line = order.lines.find((one) => one.id === lineId);
  const scaled = (amount: string | null | undefined) =>
    line && amount ? amountOfPieces(amount, after.qty, line.qty, order.currency) : null;
  return { duty: scaled(line?.dutyAmount), importVat: scaled(line?.importVatAmount) };
}

/**
 * A change counts: lines, their taxes of imports, limits, sums and 待入库 become those of the changed order. Its first promise
 * stays.
 * @throws refused B1063 while more is asked for than it comes to then
 */
export async function applyChanges(ctx: Ctx, order: Order, changes: readonly LineChange[]): Promise<void> {
  const limitFor = await limitsFor(ctx, order.supplier);
  const own = new Map(order.lines.map((line) => [line.id, line.receiveTolerance]));
  const rows = changes.map((change) => {
    const { lineId, after } = change;
    return {
      id: lineId,
      ...after,
      ...taxesOf(order, change),
      amount: amountOf(after.qty, after.unitPrice, order.currency),
      limit: limitFor({ qty: after.qty, receiveTolerance: own.get(lineId) ?? null }),
    };
  });
  await sql`
    UPDATE purchase.order_line AS l
       SET qty = v.qty, unit_price = v."unitPrice", expected_on = v."expectedOn", amount = CASE WHEN l.gift THEN 0 ELSE v.amount END,
           duty_amount = v.duty, import_vat_amount = v."importVat",
           limit_qty = greatest(v."limit", l.received - l.replaced + l.cancelled - l.over_qty),
           over_qty = least(l.over_qty, greatest(0, l.received - l.replaced + l.cancelled - v."limit"))
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS v(id uuid, qty int, "unitPrice" numeric, "expectedOn" date,
        amount numeric, duty numeric, "importVat" numeric, "limit" int)
     WHERE l.company_id = ${ctx.companyId} AND l.id = v.id`.execute(ctx.db);
  await project(ctx, order.id);
  await requireRequestsFit(ctx, order);
  await rematch(ctx, order.id);
  const lines = await linesOf(ctx, order.id);
  const pieces = lines.map((line) => ({ product: line.product, by: waitedMore(order, line) }));
  await waitFor(ctx, order, 'amend', pieces);
  await sql`
    UPDATE purchase.purchase_order SET revision = revision + 1
     WHERE company_id = ${ctx.companyId} AND id = ${order.id}`.execute(ctx.db);
  await settle(ctx, await touch(ctx, { ...order, lines }));
}
