import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { AppError, forbidden, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { PLACE } from '#modules/purchase/contract/fields.ts';
import { actOnOrder, lockOrder } from '#modules/purchase/server/index.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import type { Asked, Preview } from '../contract/index.ts';
import { type CargoLine, cargoOf } from './cargo.ts';
import { createPlatform } from './client.ts';
import { ConsentLost, PlatformRefused, type RemotePreview, Unanswered } from './port.ts';

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
  const { order, lines } = await inTenant(open.runtime, open.principal, (ctx) => cargoOf(ctx, input.orderId));
  const cargo = lines.map((line) => line.cargo);
  const offered = await spoken(platformOf(open, input.buyerId).preview(input.addressId, cargo));
  return { order, lines, cargo, offered };
}

const offeredFor = ({ cargo }: CargoLine, offered: RemotePreview) =>
  offered.amounts.get(`${cargo.offerId}/${cargo.specId}`) ?? null;

/** What the platform would take for a purchase order, beside what the order says. CNY. */
export async function previewTrade(open: OpenCtx, input: Asked): Promise<Preview> {
  const { order, lines, offered } = await asked(open, input);
  return {
    lines: lines.map((line) => ({
      product: line.product,
      qty: line.qty,
      units: line.cargo.quantity,
      ordered: line.ordered,
      offered: offeredFor(line, offered),
    })),
    goods: offered.goods,
    freight: offered.freight,
    total: offered.total,
    orderAmount: new Decimal(order.amount).toFixed(),
    difference: new Decimal(offered.total).minus(order.amount).toFixed(),
  };
}

/** Seconds after which the platform is asked whether an order that it did not answer is there. */
const LOOK_AFTER = [15, 60, 300] as const;

export function lookLater(ctx: Pick<Ctx, 'db' | 'companyId'>, tradeId: string, tries: number): Promise<void> {
  const seconds = LOOK_AFTER[tries] ?? 0;
  const payload = { companyId: ctx.companyId, tradeId, tries };
  const runAt = new Date(Date.now() + seconds * 1000);
  return enqueue(ctx, 'alibaba.resolve', payload, { key: `alibaba.resolve:${tradeId}`, runAt });
}

export const lastLook = (tries: number) => tries >= LOOK_AFTER.length - 1;

interface Intent {
  id: string;
  outOrderId: string;
}

/** Writes down that an order is about to be sent: from here on it is asked for before it is sent again. */
async function intend(ctx: Ctx, input: Asked, cargo: unknown, total: string): Promise<Intent> {
  if (!can(ctx, PLACE)) throw forbidden(PLACE);
  const order = await lockOrder(ctx, input.orderId);
  requireMove(ctx, order.warehouse);
  if (order.state !== 'approved') throw refused('只有待下单的采购单可以在1688下单', 'B1105');
  const { rows } = await sql<{ n: number; live: number }>`
    SELECT count(*)::int AS n, count(*) FILTER (WHERE status NOT IN ('failed', 'cancel'))::int AS live
      FROM alibaba.trade WHERE company_id = ${ctx.companyId} AND order_id = ${order.id}`.execute(ctx.db);
  if ((rows[0]?.live ?? 0) > 0) throw refused('该采购单已在1688下单或正在确认，不能重复下单', 'B1110');
  const outOrderId = `${order.number}-${(rows[0]?.n ?? 0) + 1}`;
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
      address_id: input.addressId,
      cargo: JSON.stringify(cargo),
      order_amount: order.amount,
      expected: total,
      placed_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(ctx, {
    action: '1688下单',
    resource: 'alibaba.trade',
    resourceId: id,
    after: { order: order.number, outOrderId, total },
  });
  await lookLater(ctx, id, 0);
  return { id, outOrderId };
}

/** Notes the platform's number of an order that was in doubt; answers the purchase order, nothing where it was known. */
async function noted(ctx: Ctx, tradeId: string, platformId: string, problem: string) {
  ctx.audited = true;
  return ctx.db
    .updateTable('alibaba.trade')
    .set({ status: 'waitbuyerpay', platform_id: platformId, problem, total: sql<string>`expected` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', tradeId)
    .where('status', '=', 'sending')
    .returning('order_id')
    .executeTakeFirst();
}

/**
 * The platform has the order: it is noted, and the purchase order is placed with it, both or none. Where the latter is
 * refused the order at the platform is noted all the same, with what hindered it.
 */
export async function arrived(runtime: Runtime, companyId: string, tradeId: string, platformId: string): Promise<void> {
  const system = systemPrincipal(companyId, '1688下单');
  try {
    await inTenant(runtime, system, async (ctx) => {
      const trade = await noted(ctx, tradeId, platformId, '');
      if (trade) await actOnOrder(ctx, 'place', { id: trade.order_id });
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problem = `采购单未自动下单：${error.message}`.slice(0, 300);
    await inTenant(runtime, system, (ctx) => noted(ctx, tradeId, platformId, problem));
  }
}

/** Nothing was ordered, and why. */
export async function gaveUp(runtime: Runtime, companyId: string, tradeId: string, problem: string): Promise<void> {
  await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    ctx.audited = true;
    await ctx.db
      .updateTable('alibaba.trade')
      .set({ status: 'failed', problem: problem.slice(0, 300) })
      .where('company_id', '=', companyId)
      .where('id', '=', tradeId)
      .where('status', '=', 'sending')
      .execute();
  });
}

/**
 * Orders a purchase order on the platform. The intent is written first, under a number of our own; an answer that does
 * not come is looked for by that number later and nothing is ever sent twice. @param input.total the preview's, CNY
 * @throws refused B1105/B1106 the order, B1110 ordered before, B1111 another amount than was agreed to, B1107 to B1109
 */
export async function placeTrade(open: OpenCtx, input: Asked & { total: string }) {
  const { runtime, principal } = open;
  const { cargo, offered } = await asked(open, input);
  if (!new Decimal(offered.total).eq(input.total)) {
    throw refused(`平台金额${offered.total}与确认的${input.total}不一致，请重新预览`, 'B1111');
  }
  const { id, outOrderId } = await inTenant(runtime, principal, (ctx) => intend(ctx, input, cargo, offered.total));
  try {
    const platformId = await platformOf(open, input.buyerId).create(input.addressId, cargo, offered.flow, outOrderId);
    await arrived(runtime, principal.companyId, id, platformId);
    return { id, status: 'waitbuyerpay' as const, message: `已在1688下单，订单号${platformId}，请付款` };
  } catch (error) {
    if (error instanceof Unanswered) {
      return { id, status: 'sending' as const, message: '1688没有答复，正在确认是否已下单，请勿重复下单' };
    }
    if (error instanceof PlatformRefused || error instanceof ConsentLost) {
      await gaveUp(runtime, principal.companyId, id, error.message);
    }
    return spoken(Promise.reject(error));
  }
}
