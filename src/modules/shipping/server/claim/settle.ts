import { sql } from 'kysely';
import { allocate, Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { remind } from '#modules/message/server/index.ts';
import { type ClaimKind, claimCase, OPEN_STATES } from '../../contract/claim/claim.ts';
import { ADD } from '../../contract/fields.ts';
import { loaded, type ShipOrder } from '../order/load.ts';
import { movesStock } from '../order/mode.ts';
import { allClosed, type ShipmentOfOrder, shipmentsOf } from '../shipment/of-order.ts';
import { type Claim, claimsOf } from './load.ts';
import { payClaims, reckon } from './payments.ts';
import { overOf, type Share, shortsOf } from './share.ts';
import { follow } from './step.ts';

/** Reminders of discrepancies that were found. */
export const CLAIM_EVENT = 'shipping.discrepancy';

interface Wanted extends Share {
  kind: ClaimKind;
  msku: string;
  value: string | null;
  closedOn: string | null;
}

const keyOf = (one: Pick<Wanted, 'kind' | 'shipmentNo' | 'msku'>) => `${one.kind} ${one.shipmentNo} ${one.msku}`;

/** What the lost pieces of each line are worth, CNY: the layers that they were taken from. */
async function lostValues(ctx: Ctx, order: ShipOrder): Promise<Map<string, string>> {
  const { rows } = await sql<{ line: string; value: string }>`
    SELECT t.line_id AS line, sum(p.lost_value)::text AS value
      FROM shipping.ship_order_piece AS p
      JOIN shipping.ship_order_part AS t ON t.company_id = p.company_id AND t.id = p.part_id
     WHERE p.company_id = ${ctx.companyId} AND p.order_id = ${order.id} GROUP BY 1`.execute(ctx.db);
  return new Map(rows.map(({ line, value }) => [line, value]));
}

/** What of an order is missing or too many, by shipment. Too many is only reckoned once nothing more is awaited. */
async function wantedOf(ctx: Ctx, order: ShipOrder, shipments: readonly ShipmentOfOrder[]): Promise<Wanted[]> {
  const values = await lostValues(ctx, order);
  const closedOn = new Map(shipments.map((shipment) => [shipment.shipmentNo, shipment.closedOn]));
  const dated = (share: Share) => ({ ...share, closedOn: closedOn.get(share.shipmentNo) ?? null });
  const shorts = order.lines.flatMap((line) => {
    const shares = shortsOf(line, shipments, order.shipmentNo);
    const value = movesStock(order) ? values.get(line.id) : undefined;
    const weights = new Map(shares.map((share) => [share.shipmentNo, String(share.qty)]));
    const split = value === undefined ? undefined : allocate(value, weights, 4);
    return shares.map((share) => ({
      ...dated(share),
      kind: 'SHORT' as const,
      msku: line.msku,
      value: split?.get(share.shipmentNo) ?? null,
    }));
  });
  if (!(await allClosed(ctx, order, shipments))) return shorts;
  const left = new Map(order.lines.map((line) => [line.msku, line.shipped]));
  const mskus = new Set([...left.keys(), ...shipments.flatMap(({ items }) => items.map((item) => item.msku))]);
  const overs = [...mskus].flatMap((msku) => {
    const over = overOf(msku, left.get(msku) ?? 0, shipments);
    return over ? [{ ...dated(over), kind: 'OVER' as const, msku, value: null }] : [];
  });
  return [...shorts, ...overs];
}

async function open(ctx: Ctx, order: ShipOrder, one: Wanted): Promise<void> {
  const number = await nextNumber(ctx, claimCase.number, ctx.clock.today());
  const { rows } = await sql<{ id: string }>`
    INSERT INTO shipping.discrepancy (company_id, number, state, kind, account_id, marketplace_id, order_id, shipment_no, msku,
                                      shipped, received, qty, value, closed_on, updated_by_name)
    VALUES (${ctx.companyId}, ${number}, 'found', ${one.kind}, ${order.account}, ${order.marketplaceId}, ${order.id},
            ${one.shipmentNo}, ${one.msku}, ${one.shipped}, ${one.received}, ${one.qty}, ${one.value}, ${one.closedOn},
            ${ctx.userName}) RETURNING id`.execute(ctx.db);
  const body = `${one.kind === 'SHORT' ? '少收' : '多收'} ${one.qty} 件，已发 ${one.shipped}，已接收 ${one.received}`;
  await note(ctx, claimCase.name, rows[0]?.id ?? '', { kind: 'note', title: '发现差异', body });
}

/** Whether two amounts are the same however they are written; one that is unknown is like nothing but another unknown one. */
const isSameMoney = (one: string | null, other: string | null): boolean =>
  one === null || other === null ? one === other : new Decimal(one).eq(other);

/** Writes how much differs now; what turned up ends a case, what is missing anew opens it again. */
async function amend(ctx: Ctx, claim: Claim, one: Wanted | undefined): Promise<void> {
  const now = one ?? { ...claim, qty: 0, received: claim.shipped, value: claim.value === null ? null : '0' };
  if (
    now.qty === claim.qty &&
    now.shipped === claim.shipped &&
    now.received === claim.received &&
    (one === undefined || now.closedOn === claim.closedOn) &&
    isSameMoney(now.value, claim.value)
  ) {
    return;
  }
  await sql`
    UPDATE shipping.discrepancy
       SET found_qty = found_qty + greatest(0, qty - ${now.qty}::int), qty = ${now.qty}, shipped = ${now.shipped},
           received = ${now.received}, value = ${now.value}, closed_on = ${now.closedOn}, version = version + 1,
           updated_at = kit.now(), updated_by_name = ${ctx.userName}
     WHERE company_id = ${ctx.companyId} AND id = ${claim.id}`.execute(ctx.db);
  if (now.qty === claim.qty) return;
  const body = `${claim.qty} → ${now.qty} 件`;
  await note(ctx, claimCase.name, claim.id, { kind: 'note', title: '差异数量变化', body });
  let fresh: Claim = { ...claim, ...now, version: claim.version + 1 };
  if (now.qty > claim.qty && claim.state === 'closed') fresh = await follow(ctx, fresh, 'reopen', '又少收');
  if (now.qty === 0 && OPEN_STATES.includes(fresh.state)) await follow(ctx, fresh, 'turnUp');
  else await reckon(ctx, fresh);
}

async function tell(ctx: Ctx, order: ShipOrder, found: readonly Wanted[]): Promise<void> {
  const short = found.filter(({ kind }) => kind === 'SHORT').reduce((total, one) => total + one.qty, 0);
  const over = found.filter(({ kind }) => kind === 'OVER').reduce((total, one) => total + one.qty, 0);
  const words = [short > 0 ? `少收 ${short} 件` : '', over > 0 ? `多收 ${over} 件` : ''].filter(Boolean).join('，');
  await remind(ctx, {
    event: CLAIM_EVENT,
    to: { permission: ADD },
    title: `发货单 ${order.number} 有货件差异：${words}`,
    content: `请在「差异与索赔」核查原因，在截止日前提交索赔。`,
    documentType: 'shipping.order',
    documentId: order.id,
    dedupeKey: `${CLAIM_EVENT}:${order.id}:${found.map(keyOf).sort().join(',')}`,
  });
}

/**
 * Brings the discrepancies of an order in line with what of it is lost and what came too many; repeating it changes nothing.
 * Payments that were made for a SKU before are matched with what is new.
 */
export async function settleCases(ctx: Ctx, orderId: string): Promise<void> {
  const order = await loaded(ctx, orderId);
  const known = new Map((await claimsOf(ctx, { order: orderId })).map((claim) => [keyOf(claim), claim]));
  const wanted = await wantedOf(ctx, order, await shipmentsOf(ctx, order));
  const found = wanted.filter((one) => !known.has(keyOf(one)));
  for (const one of found) await open(ctx, order, one);
  const now = new Map(wanted.map((one) => [keyOf(one), one]));
  for (const [key, claim] of known) await amend(ctx, claim, now.get(key));
  if (found.length === 0) return;
  await tell(ctx, order, found);
  const short = found.filter(({ kind }) => kind === 'SHORT').map(({ msku }) => msku);
  if (short.length > 0) await payClaims(ctx, order.account, short);
}
