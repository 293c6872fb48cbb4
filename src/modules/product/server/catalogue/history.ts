import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { changesOf, tagsOf } from '#modules/system/server/index.ts';
import { factsOf } from './detail.ts';

interface Entry {
  at: string;
  by: string | null;
  action: string;
  resource: string;
  before: unknown;
  after: unknown;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const MAX_TEXT = 300;

/** What people call what the log names by id: brands, categories, models, parts, people, suppliers, tags. */
async function namesIn(ctx: Ctx, entries: readonly Entry[]): Promise<Map<string, string>> {
  const ids = [...new Set(entries.flatMap(({ before, after }) => JSON.stringify([before, after]).match(UUID) ?? []))];
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string }>`
    WITH wanted AS (SELECT unnest(${ids}::uuid[]) AS id)
    SELECT b.id, b.name FROM product.brand AS b JOIN wanted USING (id) WHERE b.company_id = ${ctx.companyId}
    UNION ALL SELECT c.id, c.name FROM product.category AS c JOIN wanted USING (id) WHERE c.company_id = ${ctx.companyId}
    UNION ALL SELECT m.id, m.spu FROM product.model AS m JOIN wanted USING (id) WHERE m.company_id = ${ctx.companyId}
    UNION ALL SELECT p.id, p.sku FROM product.local_product AS p JOIN wanted USING (id) WHERE p.company_id = ${ctx.companyId}
    UNION ALL SELECT v.id, v.short_name FROM supplier.supplier AS v JOIN wanted USING (id) WHERE v.company_id = ${ctx.companyId}
    UNION ALL SELECT n.user_id, n.name FROM product.person AS n JOIN wanted ON wanted.id = n.user_id
     WHERE n.company_id = ${ctx.companyId}`.execute(ctx.db);
  const tags = await tagsOf(ctx, ids);
  return new Map([
    ...rows.map(({ id, name }) => [id, name] as const),
    ...[...tags].map(([id, tag]) => [id, tag.name] as const),
  ]);
}

/** A value of the log with names in the place of ids, so that its lines say which brand or part they are about. */
function named(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => named(one, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, named(one, names)]));
}

/** What was done to a product, newest first, field by field in the words of the contract. */
export async function historyOf(ctx: Ctx, id: string) {
  const { sku } = await factsOf(ctx, id);
  const { rows } = await sql<Entry>`
    SELECT at, actor_name AS "by", action, resource, before, after FROM kit.audit
     WHERE company_id = ${ctx.companyId}
       AND ((resource IN ('product', 'product.bom', 'product.price') AND resource_id = ${id})
            OR (resource = 'product.cost' AND resource_id = ${sku}))
     ORDER BY id DESC LIMIT 200`.execute(ctx.db);
  const names = await namesIn(ctx, rows);
  return rows.map(({ at, by, action, resource, before, after }) => {
    const row = { action, resource, before: named(before, names), after: named(after, names) };
    return {
      at: new Date(at).toISOString(),
      by: by ?? '系统',
      action,
      changes: changesOf(ctx.runtime.modules, row).map((change) => ({
        field: change.title,
        before: (change.before ?? '').slice(0, MAX_TEXT),
        after: (change.after ?? '').slice(0, MAX_TEXT),
      })),
    };
  });
}
