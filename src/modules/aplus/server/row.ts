import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound } from '#kit/server/errors.ts';
import type { Content } from '../contract/content.ts';
import type { AplusIssue, AplusState, Saved, Step } from '../contract/documents.ts';
import type { ContentDocument } from './payload.ts';
import type { AplusWrite } from './write/wish.ts';

/** Name of documents in the operation log. */
export const RESOURCE = 'aplus.document';

/** A document as it is stored. */
export interface Document {
  id: string;
  account_id: string;
  marketplace_id: string;
  content_key: string | null;
  name: string;
  content_type: string;
  sub_type: string | null;
  locale: string | null;
  badges: string[];
  status: 'APPROVED' | 'DRAFT' | 'REJECTED' | 'SUBMITTED' | null;
  state: AplusState;
  amazon_updated_at: string | null;
  content: ContentDocument | null;
  unreadable: string | null;
  reasons: AplusIssue[];
  asin_count: number;
  as_of: string | null;
  suspended_at: string | null;
  gone_at: string | null;
  hidden_at: string | null;
  draft: Content | null;
  base_at: string | null;
  step: Step | null;
  write_id: string | null;
  /** What the last step sends. */
  wish: AplusWrite | null;
  problem: string | null;
  issues: AplusIssue[];
  version: number;
  created_by_name: string;
}

/** A document of the caller's company; locked where it is going to change. @throws 404 */
export async function documentOf(ctx: Ctx, id: string, lock = false): Promise<Document> {
  let query = ctx.db
    .selectFrom('aplus.document')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id);
  if (lock) query = query.forUpdate();
  const row = await query.executeTakeFirst();
  if (!row) throw notFound('A+内容不存在或已删除');
  return row as unknown as Document;
}

/** As `documentOf`, for whoever changes it. @throws 409 for an older version, or while something is on its way to Amazon */
export async function lockDocument(ctx: Ctx, { id, version }: Saved): Promise<Document> {
  const document = await documentOf(ctx, id, true);
  if (document.version !== version) throw conflict();
  if (document.step !== null) throw conflict('该文档有正在进行的提交，请等待其结束');
  return document;
}

/** Writes a change of a document and counts its version up; JSON as text. */
export async function putDocument(ctx: Ctx, id: string, change: Record<string, unknown>): Promise<Saved> {
  return ctx.db
    .updateTable('aplus.document')
    .set({ ...change, version: sql`version + 1`, updated_at: sql`kit.now()` } as never)
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
}

/** A value for a column of JSON. */
export function json(value: unknown): string {
  return JSON.stringify(value);
}

/** ASINs that a document is known to be related to, in their order. */
export async function asinsOf(ctx: Ctx, documentId: string): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('aplus.document_asin')
    .select('asin')
    .where('company_id', '=', ctx.companyId)
    .where('document_id', '=', documentId)
    .orderBy('asin')
    .execute();
  return rows.map(({ asin }) => asin);
}
