import { sql } from 'kysely';
import type { PageOf } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { containing } from '#kit/server/list/words.ts';
import type { DictRow } from '../../contract/dictionaries.ts';
import { PLATFORM } from '../../contract/shared.ts';
import { deleteRow, insertRow, type Kind, pageOf, requireOwn, updateRow, type Window } from './rows.ts';

const DICT: Kind = {
  table: 'system.dict',
  title: '数据字典',
  readOnly: '平台字典只读，可以新增数据项覆盖平台的同值数据项',
};

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

export function dictPage(ctx: Ctx, filter: DictFilter, window: Window): Promise<PageOf<DictRow>> {
  let query = visible(ctx);
  if (filter.status) query = query.where('d.status', '=', filter.status);
  if (filter.name) {
    const like = containing(filter.name);
    query = query.where((eb) => eb.or([eb('d.name', 'ilike', like), eb('d.code', 'ilike', like)]));
  }
  return pageOf<DbDict, DictRow>(ctx, query as never, [sql`d.sort`, sql`d.code`], window, (row) => rowOf(ctx, row));
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

type DictInput = Pick<DictRow, 'name' | 'status' | 'sort' | 'remark'>;

/** @throws AppError B0401 when the platform has a dictionary of this code */
export async function insertDict(ctx: Ctx, input: DictInput & { code: string }): Promise<string> {
  const known = await visible(ctx).where('d.code', '=', input.code).executeTakeFirst();
  if (known) throw refused(`字典编码「${input.code}」已存在`, 'B0401');
  return insertRow(ctx, DICT, input, input);
}

/** @throws AppError 404, B0402 for one of the platform, 409 */
export async function updateDict(
  ctx: Ctx,
  id: string,
  { version, ...input }: DictInput & { version?: number | undefined },
): Promise<void> {
  const before = requireOwn(DICT, await dictById(ctx, id));
  await updateRow(ctx, DICT, before, version, input, input);
}

/** Takes the dictionary's own items along. @throws AppError 404, B0402 for one of the platform */
export async function deleteDict(ctx: Ctx, id: string): Promise<void> {
  const { name, code } = requireOwn(DICT, await dictById(ctx, id));
  const items = await ctx.db
    .deleteFrom('system.dict_item')
    .where('company_id', '=', ctx.companyId)
    .where('dict_code', '=', code)
    .executeTakeFirst();
  await deleteRow(ctx, DICT, id, { name, code, items: Number(items.numDeletedRows) });
}
