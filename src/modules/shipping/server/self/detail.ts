import { Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import { actionsOf } from '#kit/contract/document.ts';
import type { OfferedAction } from '#kit/contract/document-calls.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { valuesOf } from '#modules/warehouse/server/index.ts';
import { COST } from '../../contract/freight/fields.ts';
import { selfDoc } from '../../contract/self/doc.ts';
import type { Recipient, SelfInput, SelfWay } from '../../contract/self/input.ts';
import type { SelfLineRow, SelfRow } from '../../contract/self/rows.ts';
import { localWords, sets, stockIn } from '../order/listings.ts';
import { carriedBy, holdings } from './events.ts';
import { docRow } from './list.ts';
import { loaded, orderRef, type SelfDoc } from './load.ts';

/** The document as its list shows it. @throws notFound for one out of reach */
export async function rowOf(ctx: Ctx, id: string): Promise<SelfRow> {
  const row = await docRow(ctx, id);
  if (!row) throw notFound('自发货单不存在或已删除');
  return row;
}

/** What the pieces of each line cost when they left, CNY; empty before, and for whoever may not see costs. */
async function costsOf(ctx: Ctx, doc: SelfDoc): Promise<Map<string, string>> {
  const { posting } = doc;
  if (posting === null || !can(ctx, COST)) return new Map();
  const values = await unscoped(ctx, () => valuesOf(ctx, posting));
  const carried = await carriedBy(ctx, doc);
  const line = new Map(doc.parts.map((part) => [part.id, part.line]));
  const costs = new Map<string, string>();
  for (const { move, out } of values) {
    const id = line.get(carried[move]?.part ?? '');
    if (id !== undefined && out !== null) costs.set(id, new Decimal(costs.get(id) ?? 0).plus(out).toFixed(4));
  }
  return costs;
}

async function linesOf(ctx: Ctx, doc: SelfDoc): Promise<SelfLineRow[]> {
  const products = [...new Set(doc.parts.map((part) => part.product))];
  const [known, stock, held, costs] = [
    await localProducts(ctx, products),
    await stockIn(ctx, doc.warehouse, products),
    await holdings(ctx, doc),
    await costsOf(ctx, doc),
  ];
  const picked = new Map<string, number>();
  for (const one of held) picked.set(one.line, (picked.get(one.line) ?? 0) + one.picked);
  return doc.lines.map((line) => {
    const mine = doc.parts.filter((part) => part.line === line.id);
    const parts = mine.map(({ product, qtyPer }) => ({ productId: product, qty: qtyPer }));
    const whole = mine.map((part) => Math.floor((picked.get(part.id) ?? 0) / part.qtyPer));
    return {
      id: line.id,
      product: { name: line.title || line.msku, code: line.asin ?? line.msku, image: line.image },
      order: line.orderId ?? '',
      msku: line.msku,
      local: localWords(parts, known),
      qty: line.qty,
      available: sets(parts, stock),
      picked: doc.posting === null ? Math.min(line.qty, ...whole) : line.qty,
      ...(can(ctx, COST) ? { cost: costs.get(line.id) ?? null } : {}),
    } as SelfLineRow;
  });
}

/** As people write it: the database keeps more places. */
const plain = (value: string | null): string | null => (value === null ? null : plainDecimal(value));

const wayOf = (doc: SelfDoc): SelfWay => ({
  channelId: doc.channelId,
  carrier: doc.carrier,
  trackingNo: doc.trackingNo,
  weightG: doc.weightG,
  length: plain(doc.length),
  width: plain(doc.width),
  height: plain(doc.height),
  estimatedFee: plain(doc.estimatedFee),
  actualFee: plain(doc.actualFee),
  currency: doc.currency,
});

const recipientOf = ({ recipient, phone, country, region, city, street, postalCode }: SelfDoc): Recipient => ({
  recipient,
  phone,
  country,
  region,
  city,
  street,
  postalCode,
});

const inputOf = (doc: SelfDoc): SelfInput => ({
  id: doc.id,
  version: doc.version,
  origin: doc.origin,
  warehouseId: doc.warehouse,
  authid: doc.account,
  ...(doc.origin === 'OFFLINE' ? { to: recipientOf(doc) } : {}),
  way: wayOf(doc),
  remark: doc.remark,
  lines: doc.lines.map((line) => ({
    orderId: line.orderId === null ? null : orderRef(line),
    orderItemId: line.orderItemId,
    productId: line.orderId === null ? (doc.parts.find((part) => part.line === line.id)?.product ?? null) : null,
    qty: line.qty,
  })),
});

/** Whether a step that the state allows makes sense for what has left already. */
function fits(doc: SelfDoc, { name }: OfferedAction): boolean {
  const out = doc.posting !== null;
  if (name === 'mark') return out && doc.origin === 'PLATFORM';
  if (name === 'ship' || name === 'cancel') return !out;
  // It has a dialog of its own.
  return name !== 'sendBack';
}

/** Everything that the page of a document shows. @throws notFound */
export async function docDetail(ctx: Ctx, id: string) {
  const row = await rowOf(ctx, id);
  const doc = await loaded(ctx, id);
  const codes = Object.values(selfDoc.transitions).map((rule) => rule.permission);
  const actions = actionsOf(selfDoc, doc.state, new Set(codes.filter((code) => can(ctx, code))));
  return {
    document: row,
    lines: await linesOf(ctx, doc),
    to: recipientOf(doc),
    way: wayOf(doc),
    input: inputOf(doc),
    actions: actions.filter((action) => fits(doc, action)),
    timeline: await timelineOf(ctx, selfDoc.name, id),
  };
}
