import { sql } from 'kysely';
import type { z } from 'zod';
import { initials } from '#kit/contract/initials.ts';
import type { ExportRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import type { Direction, SubjectKind } from '../contract/fields.ts';
import {
  type SubjectChoice,
  type SubjectFilter,
  SubjectRow,
  type saveSubject,
  type setSubjectState,
} from '../contract/subjects.ts';
import { kept } from './refusal.ts';

const RESOURCE = 'accounting.subject';

/** A subject with its full name; parents come before their children. */
export interface Subject {
  id: string;
  code: string;
  name: string;
  path: string;
  kind: SubjectKind;
  direction: Direction;
  leaf: boolean;
  state: 'active' | 'stopped';
  parentId: string | null;
  version: number;
}

const PATH = sql<string>`concat_ws('-', g.name, p.name, s.name)`;

function matching(ctx: Ctx, { kind, state, keyword }: SubjectFilter) {
  let query = ctx.db
    .selectFrom('accounting.subject as s')
    .leftJoin('accounting.subject as p', (join) =>
      join.onRef('p.company_id', '=', 's.company_id').onRef('p.id', '=', 's.parent_id'),
    )
    .leftJoin('accounting.subject as g', (join) =>
      join.onRef('g.company_id', '=', 'p.company_id').onRef('g.id', '=', 'p.parent_id'),
    )
    .where('s.company_id', '=', ctx.companyId)
    .select(['s.id', 's.code', 's.name', 's.kind', 's.direction', 's.leaf', 's.state', 's.version'])
    .select([sql<string | null>`s.parent_id`.as('parentId'), PATH.as('path')]);
  if (kind) query = query.where('s.kind', '=', kind);
  if (state) query = query.where('s.state', '=', state);
  if (keyword) {
    const like = containing(keyword);
    query = query.where((eb) => eb.or([eb('s.code', 'like', like), eb(PATH, 'ilike', like)]));
  }
  return query;
}

/** All subjects of the company in the order of their codes. */
export function allSubjects(ctx: Ctx): Promise<Subject[]> {
  return subjectsOf(ctx, {});
}

function listDef(ctx: Ctx, filter: SubjectFilter): ListDef<Subject, SubjectRow> {
  return {
    row: SubjectRow,
    query: listQuery<Subject>(matching(ctx, filter)),
    sort: { code: 's.code' },
    order: [['s.code', 'asc']],
    key: 's.id',
  };
}

/** The chart that a filter leaves, by code. */
export function subjectsOf(ctx: Ctx, filter: SubjectFilter): Promise<Subject[]> {
  return listQuery<Subject>(matching(ctx, filter).orderBy('s.code')).execute();
}

/** The chart as a file. */
export function exportChart(open: OpenCtx, body: ExportRequest<SubjectFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `科目-${ctx.clock.today()}`,
    sheet: '科目',
    format: body.format,
    columns: exportColumns(ctx, SubjectRow, body.columns),
    rows: streamed(ctx, body, listDef(ctx, body.filter)),
    audit: { action: '导出科目', resource: RESOURCE, filter: body.filter },
  }));
}

/** All subjects as people look for them. */
export async function choices(ctx: Ctx): Promise<SubjectChoice[]> {
  return (await allSubjects(ctx)).map(({ id, code, path, leaf, state }) => ({
    id,
    code,
    name: path,
    initials: initials(path),
    leaf,
    active: state === 'active',
  }));
}

/** The subject above a code. @throws refused B2710 where there is none */
async function parentOf(ctx: Ctx, code: string): Promise<{ id: string; kind: SubjectKind } | undefined> {
  if (code.length === 4) return undefined;
  const { rows } = await sql<{ id: string; kind: SubjectKind }>`
    SELECT id, kind FROM accounting.subject WHERE company_id = ${ctx.companyId} AND code = ${code.slice(0, -2)}`.execute(
    ctx.db,
  );
  if (!rows[0]) throw refused(`科目编码：上级科目 ${code.slice(0, -2)} 不存在，请先新建`, 'B2710');
  return rows[0];
}

/**
 * Adds a subject, or changes the one with `id`.
 * @throws refused B2710 parent or code, B2707 what is in use already; conflict for a stale version
 */
export async function save(
  ctx: Ctx,
  { id, version, subject }: z.output<typeof saveSubject.body>,
): Promise<{ id: string }> {
  const { code, name, direction } = subject;
  const parent = await parentOf(ctx, code);
  const kind = parent?.kind ?? subject.kind;
  const taken = await sql`
    SELECT FROM accounting.subject WHERE company_id = ${ctx.companyId} AND code = ${code} AND id IS DISTINCT FROM ${id ?? null}::uuid`.execute(
    ctx.db,
  );
  if (taken.rows.length > 0) throw refused(`科目编码 ${code} 已存在`, 'B2710');
  const values = sql`${code}, ${name}, ${kind}, ${direction}, ${parent?.id ?? null}::uuid`;
  const names = sql.raw('code, name, kind, direction, parent_id');
  const { rows } = await kept(() =>
    id
      ? sql<{ id: string }>`
          UPDATE accounting.subject SET (${names}) = ROW (${values}), version = version + 1
           WHERE company_id = ${ctx.companyId} AND id = ${id} AND version = ${version ?? 0} RETURNING id`.execute(
          ctx.db,
        )
      : sql<{ id: string }>`
          INSERT INTO accounting.subject (company_id, ${names}) VALUES (${ctx.companyId}, ${values}) RETURNING id`.execute(
          ctx.db,
        ),
  );
  const [row] = rows;
  if (!row) throw conflict();
  await audit(ctx, {
    action: '科目·保存',
    resource: RESOURCE,
    resourceId: row.id,
    after: { code, name, kind, direction },
  });
  return row;
}

/** Stops a subject, which takes no new entries then, or takes it back. @throws notFound, conflict for a stale version */
export async function setState(
  ctx: Ctx,
  { id, version, state }: z.output<typeof setSubjectState.body>,
): Promise<{ id: string }> {
  const { rows } = await sql<{ id: string; version: number }>`
    UPDATE accounting.subject SET state = ${state}, version = version + 1
     WHERE company_id = ${ctx.companyId} AND id = ${id} RETURNING id, version`.execute(ctx.db);
  if (!rows[0]) throw notFound();
  if (rows[0].version !== version + 1) throw conflict();
  await audit(ctx, { action: '科目·启用停用', resource: RESOURCE, resourceId: id, after: { state } });
  return { id };
}
