import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound } from '#kit/server/errors.ts';
import type { DraftIssue, DraftOrigin, DraftState } from '../../contract/draft.ts';
import type { Attributes, Values } from '../../contract/form.ts';

/** Name of drafts in the operation log. */
export const RESOURCE = 'publish.draft';

/** A draft as it is stored. */
export interface Draft {
  id: string;
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  is_new: boolean;
  listing_id: string | null;
  origin: DraftOrigin;
  product_type: string;
  requirements: string;
  title: string;
  image: string | null;
  asin: string | null;
  base: Attributes;
  attributes: Attributes;
  state: DraftState;
  issues: DraftIssue[];
  problem: string | null;
  write_id: string | null;
  sent: Record<string, Values | null> | null;
  version: number;
  created_by: string | null;
  created_by_name: string;
  created_at: string;
  submitted_by_name: string | null;
  submitted_at: string | null;
  accepted_at: string | null;
  live_at: string | null;
  submit_at: string | null;
  scheduled_by: string | null;
  scheduled_by_name: string | null;
  /** What it said when it was planned, as a fingerprint. */
  scheduled_content: string | null;
}

/** A draft of the caller's company; locked where it is going to change. @throws 404 */
export async function draftOf(ctx: Ctx, id: string, lock = false): Promise<Draft> {
  let query = ctx.db
    .selectFrom('publish.draft')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id);
  if (lock) query = query.forUpdate();
  const row = await query.executeTakeFirst();
  if (!row) throw notFound('刊登草稿不存在或已删除');
  return row as unknown as Draft;
}

/** Drafts of the caller's company. @throws 404 where one of them is not there */
export async function draftsOf(ctx: Ctx, ids: readonly string[]): Promise<Draft[]> {
  const rows = await ctx.db
    .selectFrom('publish.draft')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', ids)
    .orderBy('product_type')
    .orderBy('seller_sku')
    .execute();
  if (rows.length < new Set(ids).size) throw notFound('刊登草稿不存在或已删除');
  return rows as unknown as Draft[];
}

/** Drafts of one key have one form. */
export function formKey(draft: Draft): string {
  return [draft.product_type, draft.account_id, draft.marketplace_id, draft.requirements, draft.is_new].join(' ');
}

/** As `draftOf`, for whoever changes it. @throws 409 for an older version, or in a state that is none of `states` */
export async function lockDraft(
  ctx: Ctx,
  { id, version }: { id: string; version: number },
  states: readonly DraftState[],
): Promise<Draft> {
  const draft = await draftOf(ctx, id, true);
  if (draft.version !== version) throw conflict();
  if (!states.includes(draft.state)) throw conflict('当前状态不能进行此操作，请刷新后重试');
  return draft;
}

/** Columns that change with a step, JSON as text. */
export type DraftChange = Record<string, unknown>;

/** Writes a change of a draft and counts its version up; answers the new one. */
export async function putDraft(ctx: Ctx, id: string, change: DraftChange): Promise<{ id: string; version: number }> {
  const row = await ctx.db
    .updateTable('publish.draft')
    .set({ ...change, version: sql`version + 1`, updated_at: sql`kit.now()` } as never)
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  return row;
}

/** A value for a column of JSON. */
export function json(value: unknown): string {
  return JSON.stringify(value);
}
