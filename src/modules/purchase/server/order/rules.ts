import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { TransitionRules } from '#kit/server/document.ts';
import { refused } from '#kit/server/errors.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { requireOrderable } from '#modules/supplier/server/index.ts';
import { APPROVE } from '../../contract/fields.ts';
import type { OrderStep } from '../../contract/order-calls.ts';
import { waitingChange } from '../amend/waiting.ts';
import { moneyOfOrder } from '../payable.ts';
import { reopenPlan } from '../plan/reopen.ts';
import { rateOn } from '../rates.ts';
import { requireOtherApprover } from '../setting.ts';
import { heldPieces } from '../surplus/keep.ts';
import { happen, waitFor } from './events.ts';
import type { Order } from './load.ts';
import { orderTies } from './ties.ts';
import { limitsFor } from './tolerance.ts';

type Rules = TransitionRules<Order>;

const submit: Rules = {
  guard: async (ctx, order) => {
    await requireOrderable(ctx, [order.supplier]);
    const free = order.lines.find((line) => !line.gift && new Decimal(line.unitPrice).isZero());
    return free ? `第${free.lineNo}行的单价须大于0` : undefined;
  },
};

const approve: Rules = {
  guard: async (ctx, order) => {
    await requireOtherApprover(ctx, order.createdBy, APPROVE);
    return undefined;
  },
};

/** The order goes out: first promise and limits are written down, and the pieces are waited for. */
async function goOut(ctx: Ctx, order: Order): Promise<void> {
  const limitFor = await limitsFor(ctx, order.supplier);
  const limits = order.lines.map((line) => ({ id: line.id, limit: limitFor(line) }));
  await sql`
    UPDATE purchase.order_line AS l
       SET limit_qty = v."limit", promised_on = coalesce(l.promised_on, l.expected_on, ${order.expectedOn}::date)
      FROM jsonb_to_recordset(${JSON.stringify(limits)}::jsonb) AS v(id uuid, "limit" int)
     WHERE l.company_id = ${ctx.companyId} AND l.id = v.id`.execute(ctx.db);
  const pieces = order.lines.map((line) => ({ product: line.product, by: line.open }));
  await waitFor(ctx, order, 'place', pieces);
}

const place: Rules = {
  guard: async (ctx, order) => {
    await requireOrderable(ctx, [order.supplier]);
    return undefined;
  },
  stamp: async (ctx, order) => {
    const rate = await rateOn(ctx, order.currency, ctx.clock.today());
    return { rate: sql`${rate}::numeric`, placed_by_name: sql`${ctx.userName}`, placed_at: sql`kit.now()` };
  },
  run: goOut,
};

/** Why an order is not over yet, or nothing. */
function unfinished(order: Order): string | undefined {
  const open = order.lines.reduce((total, line) => total + line.open, 0);
  if (open > 0) return `还有${open}件未到货，请先收货或结束收货`;
  const waiting = order.lines.reduce((total, line) => total + line.inspecting, 0);
  if (waiting > 0) return `还有${waiting}件待质检`;
  const out = order.lines.reduce((total, line) => total + line.exchanging, 0);
  return out > 0 ? `还有${out}件换货未到` : undefined;
}

/** Pieces that came on top wait for a decision, which may bring stock and debt; or nothing. */
async function undecided(ctx: Ctx, order: Order): Promise<string | undefined> {
  const held = await heldPieces(ctx, order.id);
  return held > 0 ? `还有${held}件超收待处理` : undefined;
}

const finish: Rules = {
  guard: async (ctx, order) => unfinished(order) ?? (await undecided(ctx, order)),
  run: async (ctx, order) => {
    await sql`
      UPDATE purchase.purchase_order SET closed_at = kit.now()
       WHERE company_id = ${ctx.companyId} AND id = ${order.id}`.execute(ctx.db);
  },
};

/** Why an order cannot be given up whose change waits, or nothing. */
async function changing(ctx: Ctx, order: Order): Promise<string | undefined> {
  const change = await waitingChange(ctx, order.id);
  return change === undefined ? undefined : `变更单${change}还在审核，请先处理`;
}

/** Why an order cannot be given up that waits for a change, or that somebody else still works on; or nothing. */
export async function standingElsewhere(ctx: Ctx, order: Order): Promise<string | undefined> {
  const change = await changing(ctx, order);
  if (change !== undefined) return change;
  for (const { why } of extensionsOf(ctx.runtime.modules, orderTies)) {
    const reason = await why(ctx, order.id);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Why an order cannot be given up while money is asked for it, by its own requests or others; or nothing. */
export async function askedFor(ctx: Ctx, order: Order): Promise<string | undefined> {
  const money = await moneyOfOrder(ctx, order);
  return new Decimal(money?.requested ?? 0).isZero() ? undefined : '存在未完成的请款，请先撤回';
}

/** Gives up what has not come. @throws refused B1010 once something has */
async function giveUp(ctx: Ctx, order: Order, reason: string | undefined): Promise<void> {
  if (order.lines.some((line) => line.received > 0)) throw refused('订单已收货，不能取消，请结束收货', 'B1010');
  const changes = new Map(
    order.lines.map((line) => [line.id, { cancelled: line.open, limit: line.qty - line.limit }] as const),
  );
  await happen(ctx, order, { event: 'cancel', changes, note: reason });
  await reopenPlan(ctx, 'order_id', order.id);
}

/** What each step asks for and brings about. */
export const orderRules: Partial<Record<OrderStep, Rules>> = {
  submit,
  approve,
  place,
  complete: finish,
  discard: {
    guard: async (ctx, order) => (await changing(ctx, order)) ?? askedFor(ctx, order),
    run: (ctx, order) => reopenPlan(ctx, 'order_id', order.id),
  },
  cancel: {
    guard: async (ctx, order) =>
      new Decimal(order.paid).isZero()
        ? ((await undecided(ctx, order)) ?? (await standingElsewhere(ctx, order)) ?? askedFor(ctx, order))
        : '订单已付款，请先退款',
    run: (ctx, order, input) => giveUp(ctx, order, input.reason),
  },
};
