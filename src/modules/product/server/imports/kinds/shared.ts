import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Refused } from '../kind.ts';

/** Refused rows whose column names no product in use. */
export function unknownSku(ctx: Ctx, column: string, kinds?: readonly string[]): RawBuilder<Refused> {
  const cell = sql.ref(`r.${column}`);
  return sql<Refused>`
    SELECT r.line_no AS line, ${column}::text AS field,
           CASE WHEN p.id IS NULL THEN '没有这个SKU的产品' WHEN p.lifecycle = 'offline' THEN '该SKU已归档，请先恢复'
                ELSE '只能填写辅料或包材' END AS reason,
           '请检查SKU' AS suggestion
      FROM pg_temp.import_row AS r
      LEFT JOIN product.local_product AS p ON p.company_id = ${ctx.companyId} AND p.sku_key = lower(${cell}) AND NOT p.is_spelling
     WHERE ${cell} IS NOT NULL AND (p.id IS NULL OR p.lifecycle = 'offline'
        OR NOT (${kinds ?? null}::text[] IS NULL OR p.kind = ANY (${kinds ?? null}::text[])))`;
}

/** Refused rows that say the same thing twice: all but the first of each group. */
export function doubled(columns: readonly string[], field: string): RawBuilder<Refused> {
  const keys = sql.join(columns.map((column) => sql`lower(${sql.ref(column)})`));
  return sql<Refused>`
    SELECT line_no AS line, ${field}::text AS field, '与第 ' || first || ' 行重复' AS reason, '请删除其中一行' AS suggestion
      FROM (SELECT line_no, min(line_no) OVER (PARTITION BY ${keys}) AS first FROM pg_temp.import_row) AS n
     WHERE line_no > first`;
}

/** The product of a row's column, as a join under this alias. */
export function productJoin(ctx: Ctx, column: string, alias: string) {
  const p = (name: string) => sql.ref(`${alias}.${name}`);
  return sql`JOIN product.local_product AS ${sql.ref(alias)} ON ${p('company_id')} = ${ctx.companyId}
    AND ${p('sku_key')} = lower(${sql.ref(`r.${column}`)}) AND NOT ${p('is_spelling')}`;
}
