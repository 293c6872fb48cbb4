import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { chartOf, type Handover, membersAmong } from '#modules/identity/server/index.ts';
import { type TagUser, tagsOf } from '#modules/system/server/index.ts';
import type { careListings } from '../contract/care.ts';
import { noteOwners } from './owners.ts';

type Input = z.output<typeof careListings.body>;

/** Members of the company who may work now, by name. */
export async function people(ctx: Ctx): Promise<{ id: string; name: string }[]> {
  const { members } = await chartOf(ctx);
  return [...members]
    .flatMap(([id, { name, active }]) => (active ? [{ id, name }] : []))
    .sort((a, b) => a.name.localeCompare(b.name, 'zh'));
}

async function check(ctx: Ctx, { ownerId, addTagIds = [] }: Input['set']): Promise<void> {
  if (ownerId && (await membersAmong(ctx, [ownerId])).length === 0) throw refused('负责人不存在或已离职', 'B0922');
  if ((await tagsOf(ctx, addTagIds)).size < new Set(addTagIds).size) throw refused('标签不存在或已删除', 'B0923');
}

/** The rows of the wall take over what people say, for the listings `ids` where they are named. */
async function mirror(ctx: Ctx, ids?: readonly string[]): Promise<void> {
  await sql`
    UPDATE analysis.listing_metric AS m
       SET owner_id = c.owner_id, hidden = c.hidden, remark = c.remark, tag_ids = c.tag_ids, as_of = kit.now()
      FROM analysis.listing_care AS c
     WHERE m.company_id = ${ctx.companyId} AND c.company_id = m.company_id AND c.account_id = m.account_id
       AND c.marketplace_id = m.marketplace_id AND c.seller_sku = m.seller_sku
       ${ids ? sql`AND m.listing_id = ANY (${ids}::uuid[])` : sql``}
       AND (m.owner_id, m.hidden, m.remark, m.tag_ids) IS DISTINCT FROM (c.owner_id, c.hidden, c.remark, c.tag_ids)`.execute(
    ctx.db,
  );
}

/**
 * Sets owner, remark, tags and whether they are hidden for listings; what is left out stays. All of it or nothing.
 * @throws notFound for a listing that is not the caller's, B0922 and B0923 for an unknown person or tag
 */
export async function care(ctx: Ctx, { ids, set }: Input): Promise<{ changed: number }> {
  await check(ctx, set);
  const { rows: found } = await sql<{ sku: string }>`
    SELECT seller_sku AS sku FROM analysis.listing_metric
     WHERE company_id = ${ctx.companyId} AND listing_id = ANY (${ids}::uuid[]) ORDER BY listing_id FOR UPDATE`.execute(
    ctx.db,
  );
  if (found.length < new Set(ids).size) throw notFound('部分商品不存在或已删除，请刷新后重试');
  const tags = sql`ARRAY(SELECT DISTINCT t FROM unnest(m.tag_ids || ${set.addTagIds ?? []}::uuid[]) AS t
                          WHERE t <> ALL (${set.removeTagIds ?? []}::uuid[]) ORDER BY t)`;
  const owner = set.ownerId === undefined ? sql`m.owner_id` : sql`${set.ownerId}::uuid`;
  const hidden = set.hidden === undefined ? sql`m.hidden` : sql`${set.hidden}::boolean`;
  const remark = set.remark === undefined ? sql`m.remark` : sql`${set.remark}::text`;
  await sql`
    INSERT INTO analysis.listing_care
      (company_id, account_id, marketplace_id, seller_sku, owner_id, hidden, remark, tag_ids, updated_by_name)
    SELECT m.company_id, m.account_id, m.marketplace_id, m.seller_sku, ${owner}, ${hidden}, ${remark}, ${tags},
           ${ctx.userName}
      FROM analysis.listing_metric AS m WHERE m.company_id = ${ctx.companyId} AND m.listing_id = ANY (${ids}::uuid[])
    ON CONFLICT (company_id, account_id, marketplace_id, seller_sku) DO UPDATE
       SET owner_id = excluded.owner_id, hidden = excluded.hidden, remark = excluded.remark, tag_ids = excluded.tag_ids,
           updated_at = kit.now(), updated_by_name = excluded.updated_by_name`.execute(ctx.db);
  if (set.ownerId !== undefined) {
    await noteOwners(
      ctx,
      sql`(c.account_id, c.marketplace_id, c.seller_sku) IN (
        SELECT m.account_id, m.marketplace_id, m.seller_sku FROM analysis.listing_metric AS m
         WHERE m.company_id = ${ctx.companyId} AND m.listing_id = ANY (${ids}::uuid[]))`,
    );
  }
  await mirror(ctx, ids);
  await audit(ctx, {
    action: '修改商品负责信息',
    resource: 'analysis.care',
    after: { skus: found.map(({ sku }) => sku), set },
  });
  return { changed: found.length };
}

/** Listings carry tags. */
export const listingTags: TagUser = {
  key: 'analysis.listing',
  title: '在线商品',
  count: async (ctx, tagIds) => {
    const { rows } = await sql<{ id: string; n: number }>`
      SELECT t.id, count(*) AS n FROM unnest(${[...tagIds]}::uuid[]) AS t(id)
        JOIN analysis.listing_care AS c ON c.company_id = ${ctx.companyId} AND c.tag_ids @> ARRAY[t.id]
       GROUP BY t.id`.execute(ctx.db);
    return new Map(rows.map((row) => [row.id, row.n]));
  },
  move: async (ctx, from, to) => {
    const { rows } = await sql`
      UPDATE analysis.listing_care
         SET tag_ids = array_remove(array_remove(tag_ids, ${from}::uuid), ${to}::uuid) || ${to}::uuid
       WHERE company_id = ${ctx.companyId} AND tag_ids @> ARRAY[${from}::uuid] RETURNING 1`.execute(ctx.db);
    await mirror(ctx);
    return rows.length;
  },
};

/** What somebody who leaves is responsible for among listings, and to whom it passes. */
export const ownedListings: Handover = {
  key: 'analysis.owner',
  title: '负责的在线商品',
  count: async (ctx, from) => {
    const { rows } = await sql<{ n: number }>`
      SELECT count(*) AS n FROM analysis.listing_care
       WHERE company_id = ${ctx.companyId} AND owner_id = ${from}`.execute(ctx.db);
    return rows[0]?.n ?? 0;
  },
  move: async (ctx, from, to) => {
    const { rows } = await sql`
      UPDATE analysis.listing_care SET owner_id = ${to}
       WHERE company_id = ${ctx.companyId} AND owner_id = ${from} RETURNING 1`.execute(ctx.db);
    await noteOwners(ctx, sql`c.owner_id = ${to}`);
    await mirror(ctx);
    return rows.length;
  },
};
