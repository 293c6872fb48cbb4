import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound } from '#kit/server/errors.ts';

/** Name of these documents in the log. */
export const RESOURCE = 'vat.invoice';

/** Rows in the order of their ids, locked until the transaction ends; those out of reach are missing. */
export async function lockInvoices(ctx: Ctx, ids: readonly string[]) {
  return ctx.db
    .selectFrom('vat.invoice')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forUpdate()
    .execute();
}
export type Invoice = Awaited<ReturnType<typeof lockInvoices>>[number];

/** One row as it stands; undefined for one out of reach. */
export async function invoiceOf(ctx: Ctx, id: string): Promise<Invoice | undefined> {
  return ctx.db
    .selectFrom('vat.invoice')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** One row, locked. @throws 404; 409 for another version than the caller saw */
export async function lockInvoice(ctx: Ctx, id: string, version?: number): Promise<Invoice> {
  const [row] = await lockInvoices(ctx, [id]);
  if (!row) throw notFound('发票不存在或已删除');
  if (version !== undefined && row.version !== version) throw conflict('数据已被他人修改，请刷新后重试');
  return row;
}

/** Lines of a document in their order. */
export async function linesOf(ctx: Ctx, invoiceId: string) {
  return ctx.db
    .selectFrom('vat.invoice_line')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('invoice_id', '=', invoiceId)
    .orderBy('line_no')
    .execute();
}
export type Line = Awaited<ReturnType<typeof linesOf>>[number];
