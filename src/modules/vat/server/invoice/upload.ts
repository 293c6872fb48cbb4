import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { planFeed } from '#modules/marketplace/server/index.ts';
import type { Outcomes } from '../../contract/invoices.ts';
import { type Invoice, lockInvoices, RESOURCE } from './row.ts';

export const FEED_TYPE = 'UPLOAD_VAT_INVOICE';
/** Under which the feed engine tells what became of a document. */
export const ORIGIN = 'vat.invoice';

/** Documents of an account that are with the feed engine at a time: each is a feed, and Amazon takes one in two minutes. */
const AT_ONCE = 4;
const TYPED = /^TYPED-/;

/** Why a document cannot be sent, in Chinese. */
function hindrance(row: Invoice): string | undefined {
  if (row.wanted_at !== null) return '发票正在上传，请等待结果';
  if (row.state === 'pending') return '请先生成发票';
  if (row.state === 'accepted') return '发票已被亚马逊接受，无需上传';
  if (row.state === 'uploaded') return '发票已上传，请等待亚马逊的结果';
  return TYPED.test(row.transaction_id) ? '亚马逊没有登记该退款，红字发票只在本地存档' : undefined;
}

/**
 * Has documents sent, each as a feed of its own; rejected ones once more. What cannot be sent is told.
 * @throws 404 where an id is of nobody or of somebody else
 */
export async function upload(ctx: Ctx, ids: readonly string[]): Promise<Outcomes> {
  const rows = await lockInvoices(ctx, ids);
  if (rows.length !== new Set(ids).size) throw notFound('发票不存在或已删除');
  const failed = rows.flatMap((row) => {
    const reason = hindrance(row);
    return reason === undefined ? [] : [{ orderId: row.order_id, reason }];
  });
  const going = rows.filter((row) => hindrance(row) === undefined);
  for (const row of going) {
    await sql`
      UPDATE vat.invoice SET wanted_at = kit.now(), feed_id = NULL, version = version + 1, updated_at = kit.now()
       WHERE company_id = ${ctx.companyId} AND id = ${row.id}`.execute(ctx.db);
    await audit(ctx, { action: '上传VAT发票', resource: RESOURCE, resourceId: row.id, after: { number: row.number } });
  }
  for (const accountId of new Set(going.map((row) => row.account_id))) await sendNext(ctx, accountId);
  return { done: going.length, failed };
}

interface Next {
  id: string;
  marketplace_id: string;
  number: string;
  order_id: string;
}

/** Hands the next documents of an account to the feed engine, as many as there is room for; those that wait longest first. */
export async function sendNext(ctx: Ctx, accountId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`vat.send:${accountId}`}, 0))`.execute(ctx.db);
  const mine = sql`company_id = ${ctx.companyId} AND account_id = ${accountId} AND wanted_at IS NOT NULL`;
  const { rows } = await sql<Next>`
    SELECT id, marketplace_id, number, order_id FROM vat.invoice
     WHERE ${mine} AND feed_id IS NULL ORDER BY wanted_at, id
     LIMIT greatest(0, ${AT_ONCE}::int - (SELECT count(*) FROM vat.invoice WHERE ${mine} AND feed_id IS NOT NULL))`.execute(
    ctx.db,
  );
  for (const { id, marketplace_id: marketplaceId, number, order_id: orderId } of rows) {
    const { feedId } = await planFeed(ctx, {
      accountId,
      marketplaceId,
      feedType: FEED_TYPE,
      origin: ORIGIN,
      title: 'VAT发票',
      messages: [{ sku: number, body: { invoiceId: id }, before: '', after: orderId }],
      urgent: true,
      alone: true,
    });
    await ctx.db
      .updateTable('vat.invoice')
      .set({ feed_id: feedId })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', id)
      .execute();
  }
}
