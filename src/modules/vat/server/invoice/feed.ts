import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict } from '#kit/server/errors.ts';
import { on } from '#kit/server/events.ts';
import { type FeedKind, feedEnded, feedRetried, type MessageResult } from '#modules/marketplace/server/index.ts';
import { readPdf } from './store.ts';
import { FEED_TYPE, ORIGIN, sendNext } from './upload.ts';

async function documentOf(ctx: Ctx, body: unknown) {
  const { invoiceId } = body as { invoiceId: string };
  return ctx.db
    .selectFrom('vat.invoice')
    .select(['file_id', 'type', 'shipping_id', 'transaction_id', 'number', 'gross', 'tax'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', invoiceId)
    .executeTakeFirstOrThrow();
}

const positive = (amount: string): string => new Decimal(amount).abs().toFixed(2);

/**
 * One document as Amazon takes it: the PDF, and beside it by shipment what it is and what it comes to ("VAT Calculation Service
 * guide", upload of invoices). A credit note names the refund by Amazon's own transaction id.
 */
export const invoiceFeed: FeedKind = {
  feedType: FEED_TYPE,
  contentType: 'application/pdf',
  async content(ctx, body) {
    const { file_id: fileId } = await documentOf(ctx, body);
    if (fileId === null) throw new Error('a document without bytes');
    return readPdf(ctx, fileId);
  },
  async options(ctx, body) {
    const row = await documentOf(ctx, body);
    const isCredit = row.type === 'CREDIT_NOTE';
    return {
      'metadata:ShippingId': row.shipping_id,
      'metadata:InvoiceNumber': row.number ?? '',
      'metadata:TotalAmount': positive(row.gross),
      'metadata:TotalVATAmount': positive(row.tax),
      'metadata:DocumentType': isCredit ? 'CreditNote' : 'Invoice',
      ...(isCredit ? { 'metadata:TransactionId': row.transaction_id } : {}),
    };
  },
};

/** How a document stands once its feed is over: received is not accepted, which a later report tells. */
function standing(sent: boolean, { state, problem }: MessageResult): { state: string; problem: string } {
  if (state === 'accepted') return { state: 'uploaded', problem: '' };
  if (state === 'refused') return { state: 'rejected', problem: problem ?? '亚马逊没有接受' };
  const words = state === 'unknown' ? '没有收到亚马逊的结果，请在卖家后台核实后重传' : '上传已撤销';
  return { state: 'generated', problem: sent ? (problem ?? words) : words };
}

/** What the processing report says of a document; then the next one goes. */
export const onFeedEnded = on(feedEnded, async (ctx, { feedId, origin, accountId, sent, results }) => {
  if (origin !== ORIGIN) return;
  const [result] = results;
  if (!result) return;
  const { state, problem } = standing(sent, result);
  await sql`
    UPDATE vat.invoice
       SET state = CASE WHEN state = 'accepted' THEN state ELSE ${state} END,
           problem = CASE WHEN state = 'accepted' THEN problem ELSE ${problem.slice(0, 1000)} END,
           uploaded_at = CASE WHEN ${state} = 'uploaded' THEN kit.now() ELSE uploaded_at END,
           wanted_at = NULL, version = version + 1, updated_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND feed_id = ${feedId}`.execute(ctx.db);
  await sendNext(ctx, accountId);
});

/** A document is sent once more from its own list, where it may have been corrected. */
export const onFeedRetried = on(feedRetried, async (_ctx, { origin }) => {
  if (origin === ORIGIN) throw conflict('请在「VAT发票」重传');
});
