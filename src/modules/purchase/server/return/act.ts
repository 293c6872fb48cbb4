import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note, type TransitionRules, transition } from '#kit/server/document.ts';
import { DONE_BEFORE, outcome } from '#kit/server/document-outcome.ts';
import { conflict } from '#kit/server/errors.ts';
import { type Move, requireMove, warehouseOf } from '#modules/warehouse/server/index.ts';
import { APPROVE } from '../../contract/fields.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { purchaseReturn, type ReturnStep } from '../../contract/return.ts';
import { type CommandInput, touch } from '../order/act.ts';
import { type Effect, happen } from '../order/events.ts';
import { settle } from '../order/settle.ts';
import { creditGoods } from '../payable.ts';
import { AT_REST } from '../places.ts';
import { requireOtherApprover } from '../setting.ts';
import { lockedReturn, type Return } from './load.ts';
import { requireReturnable, requireReturning } from './save.ts';

async function write(ctx: Ctx, doc: Return, effect: Effect): Promise<void> {
  const rows = doc.lines.map((line, index) => ({
    id: line.id,
    credit: new Decimal(effect.owed.get(line.orderLine) ?? 0).negated().toFixed(4),
    cost: effect.values.find((value) => value.move === index)?.out ?? '0',
  }));
  await sql`
    UPDATE purchase.return_line AS l SET credit = v.credit, cost = v.cost
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS v(id uuid, credit numeric, cost numeric)
     WHERE l.company_id = ${ctx.companyId} AND l.id = v.id`.execute(ctx.db);
  await sql`
    UPDATE purchase.return_order SET shipped_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
}

/** The goods leave: less is owed; what the supplier replaces is waited for again. */
async function ship(ctx: Ctx, doc: Return): Promise<void> {
  const { order } = doc;
  requireReturning(order, doc.way);
  requireReturnable(
    order,
    doc.lines.map((line) => ({ lineId: line.orderLine, qty: line.qty })),
  );
  const place = await warehouseOf(ctx, doc.warehouse);
  const from = { warehouse: doc.warehouse, status: AT_REST[place.quality] ?? 'AVAILABLE' };
  const moves = doc.lines.map((line): Move => ({ product: line.product, qty: line.qty, from, to: 'SUPPLIER' }));
  const replaced = (qty: number) => (doc.way === 'REPLACE' ? { replaced: qty } : {});
  const changes = new Map(
    doc.lines.map((line) => [line.orderLine, { returned: line.qty, ...replaced(line.qty) }] as const),
  );
  const effect = await happen(ctx, order, { event: 'return', changes, moves, note: doc.number });
  await write(ctx, doc, effect);
  const credits = [...effect.owed.values()].map((owed) => new Decimal(owed).negated().toFixed());
  await creditGoods(ctx, order, doc, credits);
  const pieces = doc.lines.reduce((total, line) => total + line.qty, 0);
  await note(ctx, purchaseOrder.name, order.id, { kind: 'note', title: '退货', body: `${doc.number}，${pieces} 件` });
  await settle(ctx, await touch(ctx, effect.order));
}

const rules: Partial<Record<ReturnStep, TransitionRules<Return>>> = {
  approve: {
    guard: async (ctx, doc) => {
      await requireOtherApprover(ctx, doc.createdBy, APPROVE);
      return undefined;
    },
  },
  ship: { run: ship },
};

/**
 * Takes a step of a return; answers 「该操作已完成」 where it was taken before.
 * @throws conflict for a stale version, refused B1040 where the goods went back otherwise, B0801 where they are gone
 */
export async function actReturn(ctx: Ctx, name: ReturnStep, input: CommandInput): Promise<Outcome> {
  const doc = await lockedReturn(ctx, input.id);
  const rule = purchaseReturn.transitions[name];
  if (rule.to === doc.state) {
    ctx.audited = true;
    return outcome(doc, DONE_BEFORE, true);
  }
  if (input.version !== undefined && input.version !== doc.version) throw conflict('单据已被他人修改，请刷新后重试');
  requireMove(ctx, doc.warehouse);
  const kind = {
    def: purchaseReturn,
    table: 'purchase.return_order',
    load: async () => doc,
    rules: { [name]: rules[name] ?? {} },
  };
  const state = await transition(ctx, kind, doc.id, name, { reason: input.reason });
  return outcome({ ...doc, state, version: doc.version + 1 }, `采购退货单${doc.number}${rule.title}成功`);
}
