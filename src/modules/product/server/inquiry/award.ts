import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type DocumentKind, type DocumentRow, transition } from '#kit/server/document.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { requireOrderable } from '#modules/supplier/server/index.ts';
import { type InquiryState, inquiryDocument } from '../../contract/inquiry.ts';
import { putSupply, savePriceList } from '../catalogue/prices.ts';
import { offersOf } from './offers.ts';

type Inquiry = DocumentRow & { product_id: string; qty: number };

function load(ctx: Ctx, id: string): Promise<Inquiry | undefined> {
  return ctx.db
    .selectFrom('product.inquiry')
    .select(['id', 'state', 'version', 'product_id', 'qty'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
}

async function setAwarded(ctx: Ctx, id: string, supplierId: string | null): Promise<void> {
  await sql`
    UPDATE product.inquiry SET awarded_supplier_id = ${supplierId}::uuid, updated_at = kit.now(), updated_by_name = ${ctx.userName}
     WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
}

const kind: DocumentKind<Inquiry> = {
  def: inquiryDocument,
  table: 'product.inquiry',
  load,
  rules: { reopen: { run: (ctx, { id }) => setAwarded(ctx, id, null) } },
};

/**
 * Makes an offer the supplier's price list for the product, valid as he said, and the supplier one of the product's with
 * his minimum, multiple and delivery time. Purchase lines take their price from it.
 * @throws AppError 409 unless the inquiry is open, B0725 a supplier that may not be ordered from, B0784 an offer that has
 *   run out
 */
export async function award(
  ctx: Ctx,
  input: { id: string; supplierId: string; asDefault: boolean; version?: number | undefined },
): Promise<{ state: InquiryState; priceListId: string }> {
  const { id, supplierId } = input;
  const inquiry = await load(ctx, id);
  if (!inquiry) throw notFound('询价单不存在或已删除');
  const offers = (await offersOf(ctx, new Map([[id, inquiry.qty]]))).get(id) ?? [];
  const offer = offers.find((one) => one.supplierId === supplierId);
  if (!offer) throw notFound('报价不存在或已删除');
  await requireOrderable(ctx, [supplierId]);
  if (!offer.valid) throw refused('报价不在有效期内，不能采用', 'B0784');
  if (inquiry.state === 'open') await setAwarded(ctx, id, supplierId);
  const state = (await transition(ctx, kind, id, 'award', { version: input.version })) as InquiryState;
  await putSupply(ctx, inquiry.product_id, offer, input.asDefault);
  const list = await savePriceList(ctx, {
    productId: inquiry.product_id,
    ...offer,
    confirmed: true,
    origin: 'quote',
  });
  return { state, priceListId: list.id };
}

/** Closes an inquiry, or opens it again for other offers; price lists that were written stay. */
export async function moveInquiryRow(
  ctx: Ctx,
  input: { id: string; action: 'close' | 'reopen'; reason?: string | undefined; version?: number | undefined },
): Promise<{ state: InquiryState }> {
  const { id, action, reason, version } = input;
  return { state: (await transition(ctx, kind, id, action, { reason, version })) as InquiryState };
}
