import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import type { BoxRules, BoxTemplate, saveTemplate } from '../../contract/box/template.ts';

const OBJECT = 'shipping.boxTemplate';

/** The company's cartons, the smallest first. */
export async function templatesOf(ctx: Ctx): Promise<BoxTemplate[]> {
  const { rows } = await sql<BoxTemplate>`
    SELECT id, name, trim_scale(length)::text AS length, trim_scale(width)::text AS width,
           trim_scale(height)::text AS height, trim_scale(tare)::text AS tare,
           trim_scale(max_weight)::text AS "maxWeight", version
      FROM shipping.box_template WHERE company_id = ${ctx.companyId}
     ORDER BY length * width * height, name`.execute(ctx.db);
  return rows;
}

type Input = z.output<typeof saveTemplate.body>;

async function requireGood(ctx: Ctx, { id, name, tare, maxWeight }: Input): Promise<void> {
  if (maxWeight !== null && new Decimal(tare).gte(maxWeight)) throw refused('最大毛重须大于空箱重', 'B1352');
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM shipping.box_template WHERE company_id = ${ctx.companyId} AND lower(name) = lower(${name})`.execute(
    ctx.db,
  );
  if (rows[0] && rows[0].id !== id) throw refused(`箱型【${name}】已存在`, 'B1352');
}

const columnsOf = ({ name, length, width, height, tare, maxWeight }: Input) => {
  return { name, length, width, height, tare, max_weight: maxWeight };
};

async function rewritten(ctx: Ctx, id: string, input: Input) {
  const before = await ctx.db
    .selectFrom('shipping.box_template')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!before) throw notFound('箱型不存在或已删除');
  if (input.version !== undefined && input.version !== before.version) {
    throw conflict(`箱型已被 ${before.updated_by_name} 修改，请刷新后重试`);
  }
  const version = before.version + 1;
  await ctx.db
    .updateTable('shipping.box_template')
    .set({ ...columnsOf(input), version, updated_at: sql<string>`kit.now()`, updated_by_name: ctx.userName })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  const { name, length, width, height, tare, max_weight } = before;
  return { id, version, before: { name, length, width, height, tare, max_weight } };
}

/**
 * Writes a new carton, or changes one; boxes that were packed in it keep the sizes that they have.
 * @throws refused B1352 a name that is taken or a weight that cannot be, conflict for a stale version, notFound
 */
export async function saveTemplateOf(ctx: Ctx, input: Input): Promise<{ id: string; version: number }> {
  await requireGood(ctx, input);
  const { id, version, before } = input.id
    ? await rewritten(ctx, input.id, input)
    : {
        ...(await ctx.db
          .insertInto('shipping.box_template')
          .values({ company_id: ctx.companyId, ...columnsOf(input), updated_by_name: ctx.userName })
          .returning(['id', 'version'])
          .executeTakeFirstOrThrow()),
        before: undefined,
      };
  await audit(ctx, {
    action: before ? '修改箱型' : '新增箱型',
    resource: OBJECT,
    resourceId: id,
    ...(before ? { before } : {}),
    after: columnsOf(input),
  });
  return { id, version };
}

/** Takes a carton off the list; boxes that were packed in it stay as they are. @throws notFound */
export async function deleteTemplateOf(ctx: Ctx, id: string): Promise<{ deleted: number }> {
  const gone = await ctx.db
    .deleteFrom('shipping.box_template')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  if (!gone) throw notFound('箱型不存在或已删除');
  await audit(ctx, { action: '删除箱型', resource: OBJECT, resourceId: id, before: { name: gone.name } });
  return { deleted: 1 };
}

/** How strictly the company keeps the marketplaces' rules. */
export async function boxRulesOf(ctx: Ctx): Promise<BoxRules> {
  const row = await ctx.db
    .selectFrom('shipping.packing_setting')
    .select('box_rules as rules')
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  return (row?.rules as BoxRules | undefined) ?? 'WARN';
}

/** Changes it. */
export async function putRules(ctx: Ctx, rules: BoxRules): Promise<{ rules: BoxRules }> {
  const before = await boxRulesOf(ctx);
  await ctx.db
    .insertInto('shipping.packing_setting')
    .values({ company_id: ctx.companyId, box_rules: rules })
    .onConflict((row) => row.column('company_id').doUpdateSet({ box_rules: rules }))
    .execute();
  await audit(ctx, { action: '修改装箱规则', resource: OBJECT, before: { rules: before }, after: { rules } });
  return { rules };
}
