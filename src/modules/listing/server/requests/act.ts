import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import { actsForFlow, flowTells } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type DocumentKind, type TransitionInput, transition } from '#kit/server/document.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { membersWith } from '#modules/identity/server/index.ts';
import { remind } from '#modules/message/server/index.ts';
import { PRICE_APPROVE, type PriceRequestState, type PriceRequestStep, priceRequest } from '../../contract/requests.ts';
import type { Terms } from '../../contract/terms.ts';
import { planChanges } from '../offers/adjust.ts';
import { floorsOf } from '../offers/floors.ts';
import { checkedTerms, planTerms } from '../terms/plan.ts';

export const TABLE = 'listing.price_request';

/** A request as its steps see it; prices are decimal text in `currency`. */
export interface PriceRequest {
  id: string;
  number: string;
  state: string;
  version: number;
  listingId: string;
  accountId: string;
  marketplaceId: string;
  sellerSku: string;
  kind: 'price' | 'sale' | 'b2b' | 'tiers';
  currency: string;
  oldValue: string | null;
  newValue: string;
  oldTerms: Terms | null;
  newTerms: Terms | null;
  floor: string;
  reason: string;
  createdBy: string | null;
  createdByName: string;
}

/** Reads a request of the caller's. @throws 404 */
export async function loaded(ctx: Ctx, id: string): Promise<PriceRequest> {
  const { rows } = await sql<PriceRequest>`
    SELECT id, number, state, version, listing_id AS "listingId", account_id AS "accountId",
           marketplace_id AS "marketplaceId", seller_sku AS "sellerSku", kind, currency, old_value AS "oldValue",
           new_value AS "newValue", old_terms AS "oldTerms", new_terms AS "newTerms", floor, reason,
           created_by AS "createdBy", created_by_name AS "createdByName"
      FROM listing.price_request WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw notFound('申请不存在或已删除');
  return row;
}

/** Who asked does not agree, unless nobody else could. A flow has rules of its own. */
async function requireOther(ctx: Ctx, { createdBy }: PriceRequest): Promise<void> {
  if (actsForFlow(ctx) || ctx.userId === null || createdBy !== ctx.userId) return;
  const others = (await membersWith(ctx, PRICE_APPROVE)).some((id) => id !== ctx.userId);
  if (others) throw refused('不能审批本人提交的申请', 'B0923');
}

/** The price goes out, held against the floor of now: what was agreed to is the distance to that. */
async function send(ctx: Ctx, doc: PriceRequest): Promise<void> {
  await requireOther(ctx, doc);
  const now = (await floorsOf(ctx, [doc.listingId])).get(doc.listingId);
  const agreedFloor = Decimal.max(doc.floor, now ?? 0).toFixed();
  const reason = `${doc.number} ${doc.createdByName}：${doc.reason}`.slice(0, 200);
  await sql`
    UPDATE listing.price_request
       SET agreed_floor = ${agreedFloor}, decided_by_name = ${ctx.userName}, decided_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
  if (doc.kind === 'price') {
    const price = new Decimal(doc.newValue).toFixed();
    await planChanges(ctx, [{ id: doc.listingId, price }], { reason, confirmed: true, agreedFloor });
    return;
  }
  const wish = { id: doc.listingId, seen: doc.oldTerms, terms: doc.newTerms, agreedFloor };
  await planTerms(ctx, doc.kind, await checkedTerms(ctx, doc.kind, [wish]), reason);
}

async function tell(ctx: Ctx, doc: PriceRequest, words: string): Promise<void> {
  if (doc.createdBy === null || doc.createdBy === ctx.userId || (await flowTells(ctx, priceRequest, doc.id))) return;
  await remind(ctx, {
    to: [doc.createdBy],
    title: `低价申请${words}：${doc.sellerSku}`,
    content: `${doc.number}：申请价 ${new Decimal(doc.newValue).toFixed()} ${doc.currency}，保本价 ${new Decimal(doc.floor).toFixed()}。`,
    event: 'listing.priceRequest',
    documentType: priceRequest.name,
    documentId: doc.id,
  });
}

async function decided(ctx: Ctx, doc: PriceRequest): Promise<void> {
  await requireOther(ctx, doc);
  await sql`
    UPDATE listing.price_request SET decided_by_name = ${ctx.userName}, decided_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
}

const kind: DocumentKind<PriceRequest> = {
  def: priceRequest,
  table: TABLE,
  load: loaded,
  rules: {
    approve: { run: (ctx, doc) => send(ctx, doc).then(() => tell(ctx, doc, '已通过')) },
    reject: { run: (ctx, doc) => decided(ctx, doc).then(() => tell(ctx, doc, '被驳回')) },
  },
};

/**
 * Takes a step of a request. The listing is locked before the request, as whoever changes its price does.
 * @throws 404; 409 for another state; AppError where the price may not be sent any more
 */
export async function act(
  ctx: Ctx,
  step: PriceRequestStep,
  { id, ...input }: { id: string } & TransitionInput,
): Promise<{ id: string; state: PriceRequestState }> {
  const { listingId } = await loaded(ctx, id);
  await sql`SELECT id FROM listing.listing WHERE company_id = ${ctx.companyId} AND id = ${listingId} FOR UPDATE`.execute(
    ctx.db,
  );
  const state = await transition(ctx, kind, id, step, input);
  return { id, state: state as PriceRequestState };
}
