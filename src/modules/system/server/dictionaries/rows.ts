import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { PageOf } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { changed } from '../changes.ts';

/** Dictionaries and their items alike: rows of the platform, read-only to companies, and rows of a company. */
export interface Kind {
  table: 'system.dict' | 'system.dict_item';
  /** What the log calls one. */
  title: string;
  /** Why one of the platform cannot be changed, and what can be done instead. */
  readOnly: string;
}

type Values = Record<string, string | number>;

export interface Window {
  limit: number;
  offset: number;
}

/** A page of a query in the order given, with the number of all its rows. */
export async function pageOf<Row, Shown>(
  ctx: Ctx,
  query: SelectQueryBuilder<never, never, Row>,
  order: readonly RawBuilder<unknown>[],
  { limit, offset }: Window,
  map: (row: Row) => Shown,
): Promise<PageOf<Shown>> {
  const { total } = await ctx.db
    .selectFrom(query.as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const ordered = order.reduce((sorted, by) => sorted.orderBy(by), query);
  const rows = await ordered.limit(limit).offset(offset).execute();
  return { records: rows.map(map), total };
}

/** @throws AppError B0402 for one of the platform */
export function requireOwn<Row extends { editable: boolean }>(kind: Kind, row: Row): Row {
  if (!row.editable) throw refused(kind.readOnly, 'B0402');
  return row;
}

/** @param told what the log keeps of it */
export async function insertRow(ctx: Ctx, kind: Kind, values: Values, told: object): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO ${sql.table(kind.table)} (company_id, ${sql.join(Object.keys(values).map((key) => sql.ref(key)))})
    VALUES (${ctx.companyId}, ${sql.join(Object.values(values))}) RETURNING id`.execute(ctx.db);
  const id = rows[0]?.id ?? '';
  await audit(ctx, { action: `新增${kind.title}`, resource: kind.table, resourceId: id, after: told });
  return id;
}

/**
 * Writes a row of the company.
 * @param before the row as it is shown; its own version holds where the caller names none
 * @param told the change as the log compares it with `before`
 * @throws AppError 409 where somebody else wrote it since
 */
export async function updateRow(
  ctx: Ctx,
  kind: Kind,
  before: { id: string; version: number },
  version: number | undefined,
  values: Values,
  told: object,
): Promise<void> {
  const sets = Object.entries(values).map(([key, value]) => sql`${sql.ref(key)} = ${value}`);
  const { rows } = await sql`
    UPDATE ${sql.table(kind.table)} SET ${sql.join(sets)}, version = version + 1, updated_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${before.id} AND version = ${version ?? before.version}
    RETURNING id`.execute(ctx.db);
  if (rows.length === 0) throw conflict();
  await audit(ctx, {
    action: `修改${kind.title}`,
    resource: kind.table,
    resourceId: before.id,
    ...changed(before, told),
  });
}

/** @param told what the log keeps of it */
export async function deleteRow(ctx: Ctx, kind: Kind, id: string, told: object): Promise<void> {
  await sql`DELETE FROM ${sql.table(kind.table)} WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  await audit(ctx, { action: `删除${kind.title}`, resource: kind.table, resourceId: id, before: told });
}
