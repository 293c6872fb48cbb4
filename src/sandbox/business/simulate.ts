/**
 * The walk of one shop through its business days. A day is always walked whole and in the same order, whoever asked
 * for it and however far the clock jumped, so thirty days at once and day by day give the same books.
 */
import { advertise } from './ads-walk.ts';
import { chargeDaily, chargeLost } from './charges.ts';
import { demandOf, momentOf, seasonOf } from './demand.ts';
import { Dice } from './draws.ts';
import { DAY, dayNumber, dayOfNumber, HOUR, localMidnight, nextDay } from './marketplaces.ts';
import type { Happening, Lane, Order, Shop } from './model.ts';
import { makeOrder, makeReplacement, type Wish, wishes } from './orders.ts';
import { bookIn, payMissing, receive, takeFee } from './receiving.ts';
import { record } from './stock.ts';

const MEAN_PIECES_PER_ORDER = 1.3;
const PLANNING_DAYS = 10;

/** Walks the shop until the business day of `now` is complete. */
export function advance(shop: Shop, now: number): void {
  while (shop.simulatedUntil <= now) walkDay(shop);
}

function walkDay(shop: Shop): void {
  const day = shop.nextDay;
  const start = shop.simulatedUntil;
  const end = localMidnight(shop.market.timeZone, nextDay(day));
  chargeDaily(shop, day, start);
  for (const lane of shop.lanes) openLane(shop, lane, day, start, end);
  advertise(shop, day, start);
  for (let next = shop.heap.popBefore(end); next; next = shop.heap.popBefore(end)) happen(shop, next.at, next.value);
  shop.simulatedUntil = end;
  shop.nextDay = nextDay(day);
  shop.dayCount += 1;
}

function openLane(shop: Shop, lane: Lane, day: string, start: number, end: number): void {
  const { seed, account } = shop;
  lane.unitDays += lane.fulfillable + lane.moving + lane.unsellable;
  planDelivery(shop, lane, day, start);
  if (lane.product.fulfilment === 'AFN') mishaps(shop, lane, day, start);
  const orders = demandOf(shop, lane, day, shop.dayCount);
  for (let index = 0; index < orders; index += 1) {
    const u = new Dice(seed, account.sellingPartnerId, `moment:${lane.key}`, day, index).next();
    shop.heap.push(momentOf(start, end, u), { kind: 'demand', lane, day, index });
  }
}

/** Ten days before a delivery its size is fixed from demand and what is on hand; one in eight is far too small. */
function planDelivery(shop: Shop, lane: Lane, day: string, start: number): void {
  if (shop.dayCount !== lane.nextArrivalDay - PLANNING_DAYS) return;
  const dice = new Dice(shop.seed, shop.account.sellingPartnerId, `inbound:${lane.key}`, lane.deliveries, 0);
  const interval = dice.int(20, 35);
  const factor = dice.chance(0.125) ? 0.35 : dice.between(1, 1.35);
  const daily = lane.base * MEAN_PIECES_PER_ORDER * seasonOf(lane, day);
  const wanted = daily * (interval + PLANNING_DAYS + 4) * factor - lane.fulfillable - lane.moving;
  const quantity = Math.max(0, Math.ceil(wanted / 4) * 4);
  const short = dice.chance(0.06) ? dice.int(1, 3) : 0;
  const arrivalDay = dayOfNumber(dayNumber(day) + PLANNING_DAYS);
  const arriveAt = localMidnight(shop.market.timeZone, arrivalDay) + dice.int(6 * 60, 20 * 60) * 60_000;
  if (quantity > 0) {
    const plan = { plannedAt: start, arriveAt, quantity, received: Math.max(1, quantity - short) };
    lane.plans.push(plan);
    shop.heap.push(arriveAt, { kind: 'receipt', lane, plan });
  }
  lane.deliveries += 1;
  lane.nextArrivalDay += interval;
}

/** Now and then a piece goes missing in the warehouse or is damaged there. */
function mishaps(shop: Shop, lane: Lane, day: string, start: number): void {
  const dice = new Dice(shop.seed, shop.account.sellingPartnerId, `mishap:${lane.key}`, day, 0);
  if (dice.chance(0.004)) shop.heap.push(start + dice.int(1, 22) * HOUR, { kind: 'lost', lane });
  if (dice.chance(0.003)) shop.heap.push(start + dice.int(1, 22) * HOUR, { kind: 'damaged', lane });
}

/** What was put into the calendar for a day that is already walked happens now. */
export function catchUp(shop: Shop): void {
  const { heap, simulatedUntil } = shop;
  for (let next = heap.popBefore(simulatedUntil); next; next = heap.popBefore(simulatedUntil)) {
    happen(shop, next.at, next.value);
  }
}

function happen(shop: Shop, at: number, what: Happening): void {
  switch (what.kind) {
    case 'demand':
      sell(shop, what.lane, at, what.day, what.index);
      break;
    case 'replace':
      replace(shop, what.order, at);
      break;
    case 'cancel':
      release(what.order, at);
      break;
    case 'return':
      takeBack(what.lane, at, what.quantity, what.sellable, what.orderId);
      break;
    case 'receipt':
      receive(shop, what.lane, at, what.plan.received);
      break;
    case 'bookIn':
      bookIn(shop, at, what);
      break;
    case 'payMissing':
      payMissing(shop, at, what);
      break;
    case 'takeFee':
      takeFee(shop, at, what);
      break;
    case 'move':
      what.lane.moving -= what.quantity;
      what.lane.fulfillable += what.quantity;
      record(what.lane, at, what.entry, what.quantity);
      break;
    case 'search':
      if (what.found) putBack(what.lane, at);
      else chargeLost(shop, what.lane, at);
      break;
    case 'lost':
    case 'damaged':
      mishap(shop, what.lane, at, what.kind);
      break;
  }
}

function release(order: Order, at: number): void {
  // Sent before the buyer came to cancel it.
  if (order.cancelledAt !== at) return;
  for (const line of order.lines) {
    line.lane.fulfillable += line.quantity;
    record(line.lane, at, 'unreserve', line.quantity);
  }
}

function takeBack(lane: Lane, at: number, quantity: number, sellable: boolean, orderId: string): void {
  if (sellable) lane.fulfillable += quantity;
  else lane.unsellable += quantity;
  record(lane, at, sellable ? 'returnSellable' : 'returnUnsellable', quantity, orderId);
}

function putBack(lane: Lane, at: number): void {
  lane.fulfillable += 1;
  record(lane, at, 'found', 1);
}

/** Takes what stock there is for the buyer's wishes; what is missing is demand lost, without any there is no order. */
function sell(shop: Shop, lane: Lane, at: number, day: string, index: number): void {
  const dice = new Dice(shop.seed, shop.account.sellingPartnerId, `order:${lane.key}`, day, index);
  const isBusiness = dice.chance(0.08);
  const taken: Wish[] = [];
  for (const wish of wishes(shop, lane, dice, isBusiness)) {
    const quantity = Math.min(wish.quantity, wish.lane.fulfillable);
    if (quantity === 0) continue;
    wish.lane.fulfillable -= quantity;
    taken.push({ lane: wish.lane, quantity });
  }
  if (taken.length === 0) return;
  const order = makeOrder(shop, taken, at, day, isBusiness, dice);
  accept(shop, order);
  if (order.cancelledAt !== undefined) {
    shop.heap.push(order.cancelledAt, { kind: 'cancel', order });
    return;
  }
  for (const line of order.lines) {
    if (line.coupon) shop.week.coupons += line.quantity;
  }
  const { refund } = order;
  if (refund && refund.fate !== 'KEPT' && order.fulfilment === 'AFN') {
    const sellable = refund.fate === 'SELLABLE';
    const { line, quantity } = refund;
    shop.heap.push(refund.at, { kind: 'return', lane: line.lane, quantity, sellable, orderId: order.id });
  }
  if (dice.chance(0.004)) {
    shop.heap.push(order.deliveredAt + dice.int(1, 5) * DAY, { kind: 'replace', order });
  }
}

function replace(shop: Shop, original: Order, at: number): void {
  const lane = original.lines[0]?.lane;
  if (!lane || lane.fulfillable < 1) return;
  const dice = new Dice(shop.seed, shop.account.sellingPartnerId, `replace:${original.id}`);
  const order = makeReplacement(shop, original, at, dice);
  if (!order) return;
  lane.fulfillable -= 1;
  accept(shop, order);
}

/** Enters an order and its stock movements; those after a cancellation never happen. */
function accept(shop: Shop, order: Order): void {
  shop.orders.push(order);
  shop.orderById.set(order.id, order);
  for (const line of order.lines) {
    record(line.lane, order.purchasedAt, 'reserve', line.quantity);
    if (order.cancelledAt === undefined) record(line.lane, order.shippedAt, 'ship', line.quantity, line.itemId);
  }
}

function mishap(shop: Shop, lane: Lane, at: number, kind: 'lost' | 'damaged'): void {
  if (lane.fulfillable < 1) return;
  lane.fulfillable -= 1;
  record(lane, at, kind, 1);
  if (kind === 'damaged') {
    lane.unsellable += 1;
    return;
  }
  const found = new Dice(shop.seed, shop.account.sellingPartnerId, `search:${lane.key}`, at).chance(0.4);
  shop.heap.push(at + 10 * DAY, { kind: 'search', lane, found });
}
