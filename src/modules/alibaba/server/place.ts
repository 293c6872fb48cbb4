import { sql } from 'kysely';
import { allocate, Decimal, sum } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { forbidden, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { PLACE } from '#modules/purchase/contract/fields.ts';
import { lockOrder } from '#modules/purchase/server/index.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import type { Asked, Placed, Preview } from '../contract/index.ts';
import { arrived, gaveUp } from './arrive.ts';
import { callsFor, offeredFor, type SellerCall } from './calls.ts';
import { cargoOf, type Wanted } from './cargo.ts';
import { createPlatform } from './client.ts';
import { putLines, type TradeLine } from './lines.ts';
import { lookLater } from './look.ts';
import { ConsentLost, type Platform, PlatformRefused, type RemoteOrder, Unanswered } from './port.ts';
import { held, obstacleOf, requireAllowed, requireFree } from './price.ts';

/** Says refusals of the platform in the words of the product. @throws refused B1107 to B1109 */
export async function spoken<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof ConsentLost) throw refused('1688授权已失效，请重新授权', 'B1107');
    if (error instanceof Unanswered) throw refused('1688暂时没有答复，请稍后再试', 'B1108');
    if (error instanceof PlatformRefused) throw refused(`1688：${error.message}`, 'B1109');
    throw error;
  });
}

const platformOf = (open: OpenCtx, buyerId: string) =>
  createPlatform(open.runtime, { companyId: open.principal.companyId, id: buyerId });

async function asked(open: OpenCtx, input: Asked) {
  const wanted = await inTenant(open.runtime, open.principal, (ctx) => cargoOf(ctx, input.orderId, input.lines));
  const calls = await spoken(callsFor(platformOf(open, input.buyerId), input.addressId, wanted.lines));
  return { wanted, calls };
}

/** What the platform would take for a purchase order, beside what the order says. CNY. */
export async function previewTrade(open: OpenCtx, input: Asked): Promise<Preview> {
  const { wanted, calls } = await asked(open, input);
  const parts = calls.flatMap(({ seller, parts: some }) => some.map((part) => ({ ...part, seller })));
  const total = sum(parts.map((part) => part.total));
  const obstacle = await inTenant(open.runtime, open.principal, (ctx) =>
    obstacleOf(ctx, wanted.order, { lines: wanted.lines, total }),
  );
  return {
    obstacle: obstacle ?? null,
    lines: calls.flatMap(({ seller, lines }) =>
      lines.map((line) => ({
        lineId: line.lineId,
        product: line.product,
        seller,
        left: line.left,
        qty: line.qty,
        units: line.cargo.quantity,
        ordered: line.ordered,
        offered: offeredFor(line, calls),
      })),
    ),
    parts: parts.map(({ seller, amounts, goods, freight, total: due }) => ({
      seller,
      skus: amounts.size,
      goods,
      freight,
      total: due,
    })),
    goods: sum(parts.map((part) => part.goods)),
    freight: sum(parts.map((part) => part.freight)),
    total,
    orderAmount: new Decimal(wanted.amount).toFixed(),
    difference: new Decimal(total).minus(wanted.amount).toFixed(),
  };
}

interface Intent {
  id: string;
  outOrderId: string;
  call: SellerCall;
}

const planOf = (wanted: Wanted, call: SellerCall): TradeLine[] =>
  wanted.lines
    .filter((line) => call.lines.some((one) => one.lineId === line.lineId))
    .map((line) => ({
      lineId: line.lineId,
      productId: line.productId,
      offerId: line.cargo.offerId,
      specId: line.cargo.specId,
      piecesPerUnit: line.piecesPerUnit,
      units: line.cargo.quantity,
      ordered: line.ordered,
      amount: null,
    }));

/**
 * Writes down the calls that are about to be sent, the purchase order's row locked: from here on they are asked for before
 * they are sent again, and their pieces cannot be ordered by anybody else.
 */
async function intend(ctx: Ctx, input: Asked, calls: readonly SellerCall[]): Promise<Intent[]> {
  if (!can(ctx, PLACE)) throw forbidden(PLACE);
  const order = await lockOrder(ctx, input.orderId);
  requireMove(ctx, order.warehouse);
  const pieces = calls.flatMap((call) => call.lines.map(({ lineId, qty }) => ({ lineId, qty })));
  const wanted = await cargoOf(ctx, order.id, pieces);
  const coming = { lines: pieces, total: sum(calls.map((call) => call.total)) };
  await requireAllowed(ctx, order, coming);
  const plans = calls.map((call) => planOf(wanted, call));
  const weights = new Map(plans.map((plan, n) => [String(n), sum(plan.map((line) => line.ordered))]));
  const amounts = allocate(wanted.amount, weights, 2);
  const { rows } = await sql<{ n: number }>`
    SELECT count(DISTINCT out_order_id)::int AS n FROM alibaba.trade
     WHERE company_id = ${ctx.companyId} AND order_id = ${order.id}`.execute(ctx.db);
  const intents: Intent[] = [];
  for (const [n, call] of calls.entries()) {
    const outOrderId = `${order.number}-${(rows[0]?.n ?? 0) + n + 1}`;
    const amount = amounts?.get(String(n)) ?? '0';
    const { id } = await ctx.db
      .insertInto('alibaba.trade')
      .values({
        company_id: ctx.companyId,
        buyer_id: input.buyerId,
        order_id: order.id,
        order_number: order.number,
        supplier_id: order.supplier,
        warehouse_id: order.warehouse,
        out_order_id: outOrderId,
        status: 'sending',
        seller: call.seller,
        address_id: input.addressId,
        order_amount: amount,
        plan: JSON.stringify(plans[n]),
        plan_amount: amount,
        expected: call.total,
        placed_by_name: ctx.userName,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await putLines(ctx, id, plans[n] ?? []);
    await audit(ctx, {
      action: '1688下单',
      resource: 'alibaba.trade',
      resourceId: id,
      after: { order: order.number, outOrderId, seller: call.seller, total: call.total },
    });
    await lookLater(ctx, id, 0);
    intents.push({ id, outOrderId, call });
  }
  return intents;
}

/** An order of which nothing but its number is known yet, for it has just been made. */
const bare = (id: string, { call }: Intent): RemoteOrder => ({
  id,
  outOrderId: '',
  status: 'waitbuyerpay',
  total: call.total,
  freight: sum(call.parts.map((part) => part.freight)),
  refund: '0',
  modifiedAt: '',
  paidAt: null,
  seller: call.seller,
  items: [],
});

/**
 * The orders that a call became, as the platform has them. Where it does not say so yet a single one is the call itself.
 * @throws Unanswered for several of which nobody knows what is in them: they are looked for later
 */
async function madeOf(platform: Platform, intent: Intent, ids: readonly string[]): Promise<RemoteOrder[]> {
  const found = await platform.findByOwnNumber(intent.outOrderId).catch(() => []);
  if (ids.every((id) => found.some((order) => order.id === id))) return found;
  const [only, second] = ids;
  if (only !== undefined && second === undefined) return [bare(only, intent)];
  throw new Unanswered('1688还没有列出拆分后的订单');
}

type Sent = { orders: string[] } | { doubt: true } | { refusal: Error };

/** Sends one call; what became of it, whatever that is, is noted. */
async function send(open: OpenCtx, input: Asked, intent: Intent): Promise<Sent> {
  const { runtime, principal } = open;
  const platform = platformOf(open, input.buyerId);
  const { cargo, parts } = intent.call;
  try {
    const ids = await platform.create(input.addressId, cargo, parts[0]?.flow ?? 'general', intent.outOrderId);
    const orders = await madeOf(platform, intent, ids);
    await arrived(runtime, principal.companyId, intent.outOrderId, orders);
    return { orders: orders.map((order) => order.id) };
  } catch (error) {
    if (error instanceof Unanswered) return { doubt: true };
    if (!(error instanceof PlatformRefused || error instanceof ConsentLost)) throw error;
    await gaveUp(runtime, principal.companyId, intent.id, error.message);
    return { refusal: error };
  }
}

function messageOf(sent: readonly Sent[]): string {
  const orders = sent.flatMap((one) => ('orders' in one ? one.orders : []));
  const doubts = sent.filter((one) => 'doubt' in one).length;
  const refusals = sent.flatMap((one) => ('refusal' in one ? [one.refusal.message] : []));
  const parts = [
    orders.length === 1 ? `已在1688下单，订单号${orders[0]}，请付款` : '',
    orders.length > 1 ? `已在1688下单${orders.length}笔，订单号${orders.join('、')}，请付款` : '',
    doubts > 0 ? '1688没有答复，正在确认是否已下单，请勿重复下单' : '',
    refusals.length > 0 ? `${refusals.length}个卖家未下单：${[...new Set(refusals)].join('；')}` : '',
  ];
  return parts.filter(Boolean).join('；');
}

/**
 * Orders a purchase order on the platform, a call for each seller. The intent is written first, under a number of our own
 * for each; an answer that does not come is looked for by that number later and nothing is ever sent twice. A seller that
 * refuses leaves the others be. @param input.total the preview's, CNY
 * @throws refused B1105/B1106 the order, B1110 ordered before, B1111 another amount than was agreed to, B1115 one that is too
 * dear for what was approved, B1107 to B1109
 */
export async function placeTrade(open: OpenCtx, input: Asked & { total: string }): Promise<Placed> {
  const { wanted, calls } = await asked(open, input);
  const total = sum(calls.map((call) => call.total));
  if (!new Decimal(total).eq(input.total)) {
    throw refused(`平台金额${total}与确认的${input.total}不一致，请重新预览`, 'B1111');
  }
  const hold = await inTenant(open.runtime, open.principal, async (ctx) => {
    ctx.audited = true;
    if (!can(ctx, PLACE)) throw forbidden(PLACE);
    return held(ctx, input.orderId, '1688下单金额', { lines: wanted.lines, total });
  });
  requireFree(hold);
  const intents = await inTenant(open.runtime, open.principal, (ctx) => intend(ctx, input, calls));
  const sent: Sent[] = [];
  for (const intent of intents) sent.push(await send(open, input, intent));
  const [refusal] = sent.flatMap((one) => ('refusal' in one ? [one.refusal] : []));
  if (refusal && sent.every((one) => 'refusal' in one)) return spoken(Promise.reject(refusal));
  const trades = await inTenant(open.runtime, open.principal, (ctx) => tradesOfCalls(ctx, intents));
  const shown = trades.filter((trade) => trade.status !== 'failed');
  const first = shown.find((trade) => trade.status === 'sending') ?? shown[0] ?? trades[0];
  return {
    id: first?.id ?? '',
    status: first?.status ?? 'sending',
    message: messageOf(sent),
    trades,
    failed: sent.filter((one) => 'refusal' in one).length,
  };
}

async function tradesOfCalls(ctx: Ctx, intents: readonly Intent[]): Promise<Placed['trades']> {
  const rows = await ctx.db
    .selectFrom('alibaba.trade')
    .select(['id', 'status', 'platform_id as platformId'])
    .where('company_id', '=', ctx.companyId)
    .where(
      'out_order_id',
      'in',
      intents.map((intent) => intent.outOrderId),
    )
    .orderBy('out_order_id')
    .orderBy('platform_id')
    .execute();
  return rows as Placed['trades'];
}
