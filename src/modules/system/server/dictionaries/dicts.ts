import { sql } from 'kysely';
import type { PageOf } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import type { DictRow } from '../../contract/dictionaries.ts';
import { PLATFORM } from '../../contract/shared.ts';
import { alike, changed } from '../changes.ts';

const RESOURCE = 'system.dict';

interface DbDict {
  company_id: string;
  id: string;
  code: string;
  name: string;
  status: string;
  sort: number;
  remark: string;
  version: number;
  updated_at: string;
}

function rowOf(ctx: Ctx, row: DbDict): DictRow {
  const own = row.company_id === ctx.companyId;
  return {
    id: row.id,
    name: row.name,
    code: row.code,
    status: row.status as DictRow['status'],
    sort: row.sort,
    remark: row.remark,
    origin: row.company_id === PLATFORM ? 'platform' : 'own',
    editable: own,
    version: row.version,
    updatedAt: row.updated_at,
  };
}

/** Dictionaries of the company and of the platform; the company's own of the same code stands for both. */
function visible(ctx: Ctx) {
  return ctx.db
    .selectFrom('system.dict as d')
    .selectAll('d')
    .where('d.company_id', 'in', [ctx.companyId, PLATFORM])
    .where((eb) =>
      eb.or([
        eb('d.company_id', '=', ctx.companyId),
        eb.not(
          eb.exists(
            eb
              .selectFrom('system.dict as own')
              .select('own.id')
              .where('own.company_id', '=', ctx.companyId)
              .whereRef('own.code', '=', 'd.code'),
          ),
        ),
      ]),
    );
}

interface DictFilter {
  name?: string | undefined;
  status?: string | undefined;
}

export async function dictPage(
  ctx: Ctx,
  filter: DictFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<PageOf<DictRow>> {
  let query = visible(ctx);
  if (filter.status) query = query.where('d.status', '=', filter.status);
  if (filter.name) {
    const like = alike(filter.name);
    query = query.where((eb) => eb.or([eb('d.name', 'ilike', like), eb('d.code', 'ilike', like)]));
  }
  const { total } = await ctx.db
    .selectFrom(query.as('d'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query.orderBy('d.sort').orderBy('d.code').limit(limit).offset(offset).execute();
  return { records: rows.map((row) => rowOf(ctx, row)), total };
}

/** @throws AppError 404 */
export async function dictById(ctx: Ctx, id: string): Promise<DictRow> {
  const row = await visible(ctx).where('d.id', '=', id).executeTakeFirst();
  if (!row) throw notFound();
  return rowOf(ctx, row);
}

/** The dictionary of a code as the company sees it. @throws AppError 404 */
export async function dictByCode(ctx: Ctx, code: string): Promise<DictRow> {
  const row = await visible(ctx).where('d.code', '=', code).executeTakeFirst();
  if (!row) throw notFound(`没有编码为「${code}」的数据字典`);
  return rowOf(ctx, row);
}

interface DictInput {
  name: string;
  status: string;
  sort: number;
  remark: string;
}

/** @throws AppError B0401 when the platform has a dictionary of this code */
export async function insertDict(ctx: Ctx, input: DictInput & { code: string }): Promise<string> {
  const known = await visible(ctx).where('d.code', '=', input.code).executeTakeFirst();
  if (known) throw refused(`字典编码「${input.code}」已存在`, 'B0401');
  const row = await ctx.db
    .insertInto('system.dict')
    .values({ company_id: ctx.companyId, ...input })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(ctx, { action: '新增数据字典', resource: RESOURCE, resourceId: row.id, after: input });
  return row.id;
}

/** A dictionary that the company may change. @throws AppError 404, B0402 for one of the platform */
async function ownDict(ctx: Ctx, id: string): Promise<DictRow> {
  const dict = await dictById(ctx, id);
  if (!dict.editable) throw refused('平台字典只读，可以新增数据项覆盖平台的同值数据项', 'B0402');
  return dict;
}

export async function updateDict(
  ctx: Ctx,
  id: string,
  { version, ...input }: DictInput & { version?: number | undefined },
): Promise<void> {
  const before = await ownDict(ctx, id);
  const done = await ctx.db
    .updateTable('system.dict')
    .set({ ...input, version: sql<number>`version + 1`, updated_at: sql<string>`now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('version', '=', version ?? before.version)
    .returning('id')
    .executeTakeFirst();
  if (!done) throw conflict();
  await audit(ctx, { action: '修改数据字典', resource: RESOURCE, resourceId: id, ...changed(before, input) });
}

/** Takes the dictionary's own items along. */
export async function deleteDict(ctx: Ctx, id: string): Promise<void> {
  const { name, code } = await ownDict(ctx, id);
  const items = await ctx.db
    .deleteFrom('system.dict_item')
    .where('company_id', '=', ctx.companyId)
    .where('dict_code', '=', code)
    .executeTakeFirst();
  await ctx.db.deleteFrom('system.dict').where('company_id', '=', ctx.companyId).where('id', '=', id).execute();
  const before = { name, code, items: Number(items.numDeletedRows) };
  await audit(ctx, { action: '删除数据字典', resource: RESOURCE, resourceId: id, before });
}
