import { type RawBuilder, sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note, type TransitionRules, transition } from '#kit/server/document.ts';
import { DONE_BEFORE, outcome } from '#kit/server/document-outcome.ts';
import { conflict } from '#kit/server/errors.ts';
import { type Move, requireMove, warehouseOf } from '#modules/warehouse/server/index.ts';
import { type ExchangeStep, purchaseExchange } from '../../contract/exchange.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { type CommandInput, step as orderStep, touch } from '../order/act.ts';
import { happen } from '../order/events.ts';
import { loaded, type Order } from '../order/load.ts';
import { AT_REST } from '../places.ts';
import { requireExchangeable } from './create.ts';
import { type Exchange, expected, lockedExchange } from './load.ts';
import { tellDecided } from './tell.ts';

interface Taken extends Omit<TransitionRules<Exchange>, 'stamp'> {
  reason?: string | undefined;
  /** Columns that say of the step who took it, and when. */
  stamp?: Readonly<Record<string, RawBuilder<unknown>>>;
}

/** Takes a step of an exchange that is locked with its order; its state afterwards. */
export async function move(
  ctx: Ctx,
  doc: Exchange,
  name: keyof typeof purchaseExchange.transitions,
  { reason, stamp = {}, ...rules }: Taken,
): Promise<string> {
  const kind = {
    def: purchaseExchange,
    table: 'purchase.exchange_order',
    load: async () => doc,
    rules: { [name]: rules },
    stamp,
  };
  return transition(ctx, kind, doc.id, name, { reason });
}

/** @throws conflict where somebody changed the exchange since the caller saw it */
export function requireFresh(doc: Exchange, version: number | undefined): void {
  if (version !== undefined && version !== doc.version) throw conflict('单据已被他人修改，请刷新后重试');
}

/** The order runs again while pieces of it are exchanged: it ends by itself with the last of them. */
async function running(ctx: Ctx, doc: Exchange): Promise<Order> {
  if (doc.order.state !== 'closed') return doc.order;
  await orderStep({ ...ctx, permissions: undefined }, doc.order, 'reopen', { reason: `换货 ${doc.number}` });
  return loaded(ctx, doc.order.id);
}

/** What the pieces of each line cost when they came, CNY, four decimals: the mean of all receipts of the line, free ones left out. */
async function costWhenReceived(ctx: Ctx, doc: Exchange): Promise<string[]> {
  const { rows } = await sql<{ line: string; qty: number; cost: string }>`
    SELECT l.order_line_id AS line, sum(l.qty)::int AS qty, sum(l.cost)::text AS cost
      FROM purchase.receipt_line AS l
      JOIN purchase.receipt AS r ON r.company_id = l.company_id AND r.id = l.receipt_id
     WHERE l.company_id = ${ctx.companyId} AND r.state <> 'reversed' AND NOT l.free
       AND l.order_line_id = ANY (${doc.lines.map((line) => line.orderLine)}::uuid[])
     GROUP BY 1`.execute(ctx.db);
  return doc.lines.map((line) => {
    const came = rows.find((row) => row.line === line.orderLine);
    return came ? new Decimal(came.cost).times(line.qty).div(came.qty).toFixed(4) : '0';
  });
}

/**
 * The supplier exchanges: bad pieces leave the stock, and good ones are waited for. What they cost goes with them and comes
 * back with the good ones; nobody owes more or less.
 */
async function confirm(ctx: Ctx, doc: Exchange): Promise<void> {
  requireExchangeable(
    doc.order,
    doc.lines.map((line) => ({ lineId: line.orderLine, qty: line.qty })),
  );
  const order = await running(ctx, doc);
  const place = await warehouseOf(ctx, doc.warehouse);
  const from = { warehouse: doc.warehouse, status: AT_REST[place.quality] ?? 'AVAILABLE' };
  const out = doc.takesStock
    ? doc.lines.map((line): Move => ({ product: line.product, qty: line.qty, from, to: 'SUPPLIER' }))
    : [];
  const effect = await happen(ctx, order, {
    event: 'exchange',
    changes: new Map(doc.lines.map((line) => [line.orderLine, { exchanging: line.qty }] as const)),
    moves: [...out, ...doc.lines.map((line) => expected(doc, line.product, line.qty))],
    note: doc.number,
  });
  const costs = doc.takesStock
    ? doc.lines.map((_, index) => effect.values.find((value) => value.move === index)?.out ?? '0')
    : await costWhenReceived(ctx, doc);
  const rows = doc.lines.map((line, index) => ({ id: line.id, cost: costs[index] }));
  await sql`
    UPDATE purchase.exchange_line AS l SET cost = v.cost
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS v(id uuid, cost numeric)
     WHERE l.company_id = ${ctx.companyId} AND l.id = v.id`.execute(ctx.db);
  const pieces = doc.lines.reduce((total, line) => total + line.qty, 0);
  await note(ctx, purchaseOrder.name, order.id, { kind: 'note', title: '换货', body: `${doc.number}，${pieces} 件` });
  await touch(ctx, effect.order);
}

/**
 * Confirms an exchange or takes it back; answers 「该操作已完成」 where that was done before.
 * @throws conflict for a stale version, refused B1042 where the pieces went otherwise, B0801 where they are gone
 */
export async function actExchange(ctx: Ctx, name: ExchangeStep, input: CommandInput): Promise<Outcome> {
  const doc = await lockedExchange(ctx, input.id);
  const rule = purchaseExchange.transitions[name];
  if (rule.to === doc.state) {
    ctx.audited = true;
    return outcome(doc, DONE_BEFORE, true);
  }
  requireFresh(doc, input.version);
  requireMove(ctx, doc.warehouse);
  const stamp = { confirmed_by_name: sql`${ctx.userName}`, confirmed_at: sql`kit.now()` };
  const rules = name === 'confirm' ? { run: confirm, stamp } : {};
  const state = await move(ctx, doc, name, { ...rules, reason: input.reason });
  await tellDecided(ctx, doc, name === 'confirm' ? '已确认' : '已撤销');
  return outcome({ ...doc, state, version: doc.version + 1 }, `采购换货单${doc.number}${rule.title}成功`);
}
