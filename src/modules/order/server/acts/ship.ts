import type { FieldError } from '#kit/contract/envelope.ts';
import type { Ctx } from '#kit/server/context.ts';
import { invalid } from '#kit/server/errors.ts';
import { planWrite } from '#modules/marketplace/server/index.ts';
import type { PackageWish } from '../../contract/acts.ts';
import { nowThere } from '../freshness.ts';
import { type Left, leftToShip } from './left.ts';
import { type ActOrder, lockOrders, orderKey } from './orders.ts';

/** Name of these writes. */
export const SHIPMENT = 'order.shipment';
/** The clocks of people and of the marketplace need not agree to the second. */
const SLACK_MS = 5 * 60_000;

const WHY_NOT: Readonly<Record<string, string>> = {
  PENDING_AVAILABILITY: '预售订单还不能发货',
  PENDING: '买家还没有付款，不能发货',
  SHIPPED: '订单已发货',
  CANCELLED: '订单已取消',
  UNFULFILLABLE: '订单无法配送',
};

/** Why an order cannot be reported as sent, in Chinese; undefined where it can. */
export function whyNotShip(order: Pick<ActOrder, 'fulfilled_by' | 'channel' | 'status'>): string | undefined {
  if (order.fulfilled_by === 'AMAZON') return 'FBA 订单由亚马逊发货，不能确认发货';
  if (order.channel !== 'AMAZON') return '多渠道订单不能在这里确认发货';
  return WHY_NOT[order.status];
}

interface Problem {
  field: 'id' | 'shippedAt' | 'items';
  title: string;
  msg: string;
}

function timeProblem(order: ActOrder, shippedAt: string, now: Date): Problem | undefined {
  const at = Date.parse(shippedAt);
  const say = (msg: string): Problem => ({ field: 'shippedAt', title: '发货时间', msg });
  if (at > now.getTime() + SLACK_MS) return say('发货时间不能晚于现在');
  return at < Date.parse(order.purchased_at) ? say('发货时间不能早于下单时间') : undefined;
}

function itemsProblem(wish: PackageWish, left: Left): Problem | undefined {
  const say = (msg: string): Problem => ({ field: 'items', title: '发货数量', msg });
  if (left.lines.size === 0) return say('订单还没有从接口同步，缺少商品行编号，请稍后再试');
  const wanted = wish.items ?? [];
  if (new Set(wanted.map(({ orderItemId }) => orderItemId)).size < wanted.length) return say('同一商品行只能填写一次');
  for (const { orderItemId, quantity } of wanted) {
    const line = left.lines.get(orderItemId);
    if (!line) return say('商品行不属于该订单');
    if (quantity > line.left) return say(`${line.sku} 还可发货 ${line.left} 件，不能发 ${quantity} 件`);
  }
  const anything = [...left.lines.values()].some((line) => line.left > 0);
  return anything ? undefined : say('没有可发货的数量，其余已在提交中');
}

/** What a package holds, taken out of what is left. */
function takeItems(wish: PackageWish, left: Left): { orderItemId: string; quantity: number }[] {
  const rest = [...left.lines].map(([orderItemId, { left: quantity }]) => ({ orderItemId, quantity }));
  const items = (wish.items ?? rest).filter(({ quantity }) => quantity > 0);
  for (const { orderItemId, quantity } of items) {
    const line = left.lines.get(orderItemId);
    if (line) line.left -= quantity;
  }
  return items;
}

async function plan(ctx: Ctx, order: ActOrder, wish: PackageWish, left: Left): Promise<string> {
  const reference = left.nextReference;
  left.nextReference += 1;
  const items = takeItems(wish, left);
  const { carrierCode, carrierName, shippingMethod, trackingNumber, shippedAt, codCollectionMethod } = wish;
  const body = {
    marketplaceId: order.marketplace_id,
    ...(codCollectionMethod ? { codCollectionMethod } : {}),
    packageDetail: {
      // Amazon refuses a number that is no text.
      packageReferenceId: String(reference),
      carrierCode,
      ...(carrierName ? { carrierName } : {}),
      ...(shippingMethod ? { shippingMethod } : {}),
      trackingNumber,
      shipDate: new Date(shippedAt).toISOString(),
      orderItems: items,
    },
  };
  const writeId = await planWrite(ctx, {
    kind: SHIPMENT,
    accountId: order.account_id,
    marketplaceId: order.marketplace_id,
    subject: order.amazon_order_id,
    key: String(reference),
    summary: `${carrierName || carrierCode} ${trackingNumber}，${items.reduce((sum, { quantity }) => sum + quantity, 0)} 件`,
    request: body,
  });
  await ctx.db
    .insertInto('order.shipment')
    .values({
      company_id: ctx.companyId,
      selling_partner_id: order.selling_partner_id,
      amazon_order_id: order.amazon_order_id,
      account_id: order.account_id,
      marketplace_id: order.marketplace_id,
      reference,
      carrier_code: carrierCode,
      carrier_name: carrierName || null,
      shipping_method: shippingMethod || null,
      tracking_number: trackingNumber,
      shipped_at: shippedAt,
      items: JSON.stringify(items),
      write_id: writeId,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .execute();
  return writeId;
}

/** How an entry of a request is named in a refusal, e.g. "packages.2". */
type NameOf = (index: number, order: ActOrder) => { path: string; words: string };

const BY_PLACE: NameOf = (index, order) => ({ path: `packages.${index}`, words: order.amazon_order_id });

/**
 * Plans the confirmations of packages: all of them, or none where one is wrong. Several of one order share what is left of it
 * in their order. Returns the write of each package, in the order of the wishes. @throws 404; 400 with an entry for each package that is wrong
 */
export async function planPackages(ctx: Ctx, wishes: readonly PackageWish[], nameOf = BY_PLACE): Promise<string[]> {
  const orders = await lockOrders(
    ctx,
    wishes.map(({ id }) => id),
  );
  const left = await leftToShip(ctx, [...orders.values()]);
  const now = await nowThere(ctx.runtime);
  const problems: FieldError[] = [];
  const writes: string[] = [];
  for (const [index, wish] of wishes.entries()) {
    const order = orders.get(wish.id);
    const rest = order && left.get(orderKey(order));
    if (!order || !rest) continue;
    const why = whyNotShip(order);
    const problem: Problem | undefined = why
      ? { field: 'id', title: '订单', msg: why }
      : (timeProblem(order, wish.shippedAt, now) ?? itemsProblem(wish, rest));
    if (!problem) {
      writes.push(await plan(ctx, order, wish, rest));
      continue;
    }
    const { path, words } = nameOf(index, order);
    problems.push({ field: `${path}.${problem.field}`, title: problem.title, msg: `${words}：${problem.msg}` });
  }
  // What was planned before a wrong one goes with the transaction.
  if (problems.length > 0) throw invalid(problems);
  return writes;
}

/** As planPackages; returns how many were planned. */
export async function shipOrders(ctx: Ctx, wishes: readonly PackageWish[], nameOf = BY_PLACE): Promise<number> {
  return (await planPackages(ctx, wishes, nameOf)).length;
}
