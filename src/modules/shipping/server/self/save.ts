import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import { selfDoc } from '../../contract/self/doc.ts';
import { type SelfInput, SelfWay } from '../../contract/self/input.ts';
import { requirePlace } from '../order/save.ts';
import { type Draft, draftOf, parcelOf, platformDraft } from './draft.ts';
import { allOpen, putGoods } from './goods.ts';
import { locked, type SelfDoc } from './load.ts';
import { wayColumns } from './way.ts';

const EDITABLE: readonly string[] = ['pending', 'short'];

async function putOrders(ctx: Ctx, docId: string, draft: Draft): Promise<void> {
  await sql`DELETE FROM shipping.self_order WHERE company_id = ${ctx.companyId} AND doc_id = ${docId}`.execute(ctx.db);
  const rows = draft.orders.map(({ sellingPartnerId, orderId }) => ({ seller: sellingPartnerId, number: orderId }));
  await sql`
    INSERT INTO shipping.self_order (company_id, doc_id, selling_partner_id, amazon_order_id, account_id)
    SELECT ${ctx.companyId}, ${docId}, r.seller, r.number, ${draft.account}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(seller text, number text)`.execute(ctx.db);
}

type Columns = Record<string, string | number | null>;

async function created(ctx: Ctx, columns: Columns): Promise<Pick<SelfDoc, 'id' | 'number' | 'state' | 'version'>> {
  const number = await nextNumber(ctx, selfDoc.number, ctx.clock.today());
  const { id } = await ctx.db
    .insertInto('shipping.self_doc')
    .values({
      company_id: ctx.companyId,
      number,
      state: selfDoc.initial,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
      ...columns,
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  await note(ctx, selfDoc.name, id, { kind: 'note', title: '创建', to: selfDoc.initial });
  return { id, number, state: selfDoc.initial, version: 0 };
}

async function rewritten(ctx: Ctx, doc: SelfDoc, columns: Columns) {
  await ctx.db
    .updateTable('shipping.self_doc')
    .set({ ...columns, version: doc.version + 1, updated_at: sql<string>`kit.now()` } as never)
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', doc.id)
    .execute();
  await note(ctx, selfDoc.name, doc.id, { kind: 'note', title: '修改' });
  return { id: doc.id, number: doc.number, state: doc.state, version: doc.version + 1 };
}

/** The document that is changed, locked. @throws conflict once somebody agreed to it or changed it */
async function changed(ctx: Ctx, input: SelfInput): Promise<SelfDoc | undefined> {
  if (input.id === undefined) return undefined;
  const doc = await locked(ctx, input.id);
  requireMove(ctx, doc.warehouse);
  if (!EDITABLE.includes(doc.state)) {
    throw conflict(`单据状态为【${selfDoc.states[doc.state].title}】，不能执行【修改】`);
  }
  requireFresh(doc, input.version);
  if (doc.origin !== input.origin) throw refused('单据来源不能修改', 'B1408');
  return doc;
}

/** Writes a draft with its orders and lines; what its listings are made of is looked up now and stays so. */
async function store(ctx: Ctx, doc: SelfDoc | undefined, columns: Columns, draft: Draft): Promise<Outcome> {
  const all = { ...columns, ...draft.head, updated_by_name: ctx.userName };
  const saved = doc ? await rewritten(ctx, doc, all) : await created(ctx, all);
  await putOrders(ctx, saved.id, draft);
  await putGoods(ctx, saved.id, draft.account, draft.goods);
  const { number } = saved;
  await audit(ctx, {
    action: doc ? '自发货单·修改' : '自发货单·新建',
    resource: selfDoc.name,
    resourceId: saved.id,
    after: {
      number,
      orders: draft.orders.map(({ orderId }) => orderId),
      warehouse_id: columns.warehouse_id,
      qty: draft.goods.reduce((total, line) => total + line.qty, 0),
    },
  });
  return outcome(saved, `自发货单${number}已保存`);
}

/**
 * Writes a document, or changes one that nobody has agreed to.
 * @throws refused B1302 warehouse, B1401 store, B1406 SKU without a local product, B1407 pieces that are not open, B1408 orders
 *   that do not go together, B1409 no recipient; notFound; conflict for a stale version or a document that was agreed to
 */
export async function saveDoc(ctx: Ctx, input: SelfInput): Promise<Outcome> {
  const doc = await changed(ctx, input);
  await requirePlace(ctx, input.warehouseId);
  const way = await wayColumns(ctx, input.way ?? SelfWay.parse({}));
  const draft = await draftOf(ctx, input, doc?.id ?? null);
  return store(ctx, doc, { warehouse_id: input.warehouseId, remark: input.remark, ...way }, draft);
}

/** One document with all that is open of orders. @throws as saveDoc */
export async function buildDoc(
  ctx: Ctx,
  ids: readonly string[],
  { warehouseId, channelId }: { warehouseId: string; channelId: string | null },
): Promise<Outcome> {
  await requirePlace(ctx, warehouseId);
  const way = await wayColumns(ctx, SelfWay.parse({ channelId }));
  const orders = await parcelOf(ctx, [...new Set(ids)]);
  const [first] = orders;
  const site = { account: first?.account ?? '', marketplaceId: first?.marketplaceId ?? '' };
  const draft = platformDraft(orders, await allOpen(ctx, site, orders));
  return store(ctx, undefined, { warehouse_id: warehouseId, remark: '', ...way }, draft);
}
