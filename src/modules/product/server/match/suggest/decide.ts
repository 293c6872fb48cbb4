import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound } from '#kit/server/errors.ts';
import { lockMatches } from '../listing-costs.ts';
import { requireProducts } from '../save.ts';
import { type NewMatch, writeMatches } from '../write.ts';

interface Suggestion {
  id: string;
  account_id: string;
  marketplace_id: string;
  msku: string;
  parts: { productId: string; qty: number }[];
  state: string;
  decided_by_name: string | null;
}

/** Suggestions by their ids, locked in one order. @throws notFound, conflict where one is not in the state any more */
async function locked(ctx: Ctx, ids: readonly string[], state: string): Promise<Suggestion[]> {
  const wanted = new Set(ids);
  const { rows } = await sql<Suggestion>`
    SELECT id, account_id, marketplace_id, msku, parts, state, decided_by_name FROM product.match_suggestion
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...wanted]}::uuid[]) ORDER BY id FOR UPDATE`.execute(ctx.db);
  if (rows.length < wanted.size) throw notFound('部分建议不存在或已失效，请刷新后重试');
  const other = rows.find((row) => row.state !== state);
  if (other) throw conflict(`${other.msku} 的建议已由${other.decided_by_name ?? '他人'}处理，请刷新后重试`);
  return rows;
}

async function decide(ctx: Ctx, ids: readonly string[], state: string): Promise<void> {
  await sql`
    UPDATE product.match_suggestion
       SET state = ${state}, decided_by_name = ${state === 'open' ? null : ctx.userName},
           decided_at = ${state === 'open' ? null : sql`kit.now()`}
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[])`.execute(ctx.db);
}

const words = (rows: readonly Suggestion[]) => ({
  mskus: rows.map((row) => row.msku).slice(0, 50),
  count: rows.length,
});

/**
 * Pairs by suggestions, all of them or none. A listing that somebody paired by hand meanwhile keeps that and counts as
 * skipped. @throws notFound, conflict where one was decided about already, B0760 a product twice
 */
export async function accept(
  ctx: Ctx,
  input: {
    items: readonly { id: string; parts?: readonly { productId: string; qty: number }[] | undefined }[];
    validFrom?: string | undefined;
  },
): Promise<{ accepted: number; skipped: number }> {
  await lockMatches(ctx);
  const rows = await locked(
    ctx,
    input.items.map((item) => item.id),
    'open',
  );
  const changed = new Map(input.items.map((item) => [item.id, item.parts]));
  const items = rows.map((row): NewMatch => {
    const parts = changed.get(row.id) ?? row.parts;
    return { accountId: row.account_id, marketplaceId: row.marketplace_id, msku: row.msku, parts, way: 'suggest' };
  });
  for (const parts of new Map(items.map((item) => [JSON.stringify(item.parts), item.parts])).values()) {
    await requireProducts(
      ctx,
      parts.map((part) => part.productId),
    );
  }
  const made = await writeMatches(ctx, items, input.validFrom);
  await decide(
    ctx,
    rows.map((row) => row.id),
    'accepted',
  );
  await audit(ctx, {
    action: '采纳配对建议',
    resource: 'product.match',
    after: { ...words(rows), matched: made.length },
  });
  return { accepted: made.length, skipped: rows.length - made.length };
}

/** @throws notFound, conflict */
export async function reject(ctx: Ctx, ids: readonly string[]): Promise<{ rejected: number }> {
  const rows = await locked(ctx, ids, 'open');
  await decide(ctx, ids, 'rejected');
  await audit(ctx, { action: '拒绝配对建议', resource: 'product.match', after: words(rows) });
  return { rejected: rows.length };
}

/** Takes rejections back, one for each listing; what is suggested for it now gives way. @throws notFound, conflict */
export async function reopen(ctx: Ctx, ids: readonly string[]): Promise<{ reopened: number }> {
  const rows = await locked(ctx, ids, 'rejected');
  await sql`
    DELETE FROM product.match_suggestion AS s USING product.match_suggestion AS r
     WHERE r.company_id = ${ctx.companyId} AND r.id = ANY (${[...ids]}::uuid[]) AND s.company_id = r.company_id
       AND s.account_id = r.account_id AND s.marketplace_id = r.marketplace_id AND s.msku = r.msku AND s.state = 'open'`.execute(
    ctx.db,
  );
  const newest = [...new Map(rows.map((row) => [`${row.account_id} ${row.marketplace_id} ${row.msku}`, row])).values()];
  await decide(
    ctx,
    newest.map((row) => row.id),
    'open',
  );
  await audit(ctx, { action: '恢复配对建议', resource: 'product.match', after: words(newest) });
  return { reopened: newest.length };
}
