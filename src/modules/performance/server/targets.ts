import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { chartOf } from '#modules/identity/server/index.ts';
import type { saveTargets, yearTargets } from '../contract/targets.ts';
import { requirePerson } from './people.ts';

export interface TargetRow {
  member: string;
  /** "yyyy-MM". */
  month: string;
  /** CNY. */
  amount: string;
}

/** Targets of some months ("yyyy-MM", both counted). */
export async function targetsOf(ctx: Ctx, from: string, to: string): Promise<TargetRow[]> {
  const { rows } = await sql<TargetRow>`
    SELECT member_id AS member, to_char(month, 'YYYY-MM') AS month, amount FROM performance.target
     WHERE company_id = ${ctx.companyId} AND month BETWEEN ${`${from}-01`}::date AND ${`${to}-01`}::date
           AND amount IS NOT NULL`.execute(ctx.db);
  return rows;
}

type Year = Reply<typeof yearTargets>;

/** The twelve months of a member's year. @throws forbidden, not found: see `requirePerson` */
export async function yearOf(ctx: Ctx, { member, year }: z.output<typeof yearTargets.body>): Promise<Year> {
  await requirePerson(ctx, member);
  const { rows } = await sql<Year['months'][number]>`
    SELECT to_char(m.month, 'YYYY-MM') AS month, t.amount, coalesce(t.version, 0) AS version,
           coalesce(t.updated_by_name, '') AS "updatedByName", t.updated_at AS "updatedAt"
      FROM (SELECT make_date(${year}::int, n, 1) AS month FROM generate_series(1, 12) AS n) AS m
      LEFT JOIN performance.target AS t
        ON t.company_id = ${ctx.companyId} AND t.member_id = ${member}::uuid AND t.month = m.month
     ORDER BY m.month`.execute(ctx.db);
  return { months: rows };
}

type Body = z.output<typeof saveTargets.body>;

/** @throws B2803 for an amount that is no positive one of at most two decimals, B2804 for a month named twice */
function requireSense({ months }: Body): void {
  for (const { month, amount } of months) {
    if (amount === null) continue;
    const value = new Decimal(amount);
    if (value.lte(0) || value.decimalPlaces() > 2 || value.gte('1e14')) {
      throw refused(`${month}：目标须大于 0，最多 2 位小数`, 'B2803');
    }
  }
  if (new Set(months.map(({ month }) => month)).size < months.length) throw refused('同一月份只能有一个目标', 'B2804');
}

/**
 * Sets or takes away targets of a member, each where it is still as the caller saw it.
 * @throws B2803, B2804 amounts and months; not found for nobody's id; conflict where somebody else was faster
 */
export async function save(ctx: Ctx, body: Body): Promise<{ changed: number }> {
  requireSense(body);
  const person = (await chartOf(ctx)).members.get(body.member);
  if (!person) throw notFound('负责人不存在');
  const { rows } = await sql<{ month: string }>`
    INSERT INTO performance.target AS t (company_id, member_id, month, amount, version, updated_by_name)
    SELECT ${ctx.companyId}::uuid, ${body.member}::uuid, (w.month || '-01')::date, w.amount, w.version + 1, ${ctx.userName}
      FROM jsonb_to_recordset(${JSON.stringify(body.months)}::jsonb) AS w(month text, amount numeric, version int)
     ORDER BY w.month
    ON CONFLICT (company_id, member_id, month) DO UPDATE
      SET amount = excluded.amount, version = excluded.version, updated_by_name = excluded.updated_by_name,
          updated_at = kit.now()
      WHERE t.version = excluded.version - 1
    RETURNING month::text`.execute(ctx.db);
  if (rows.length < body.months.length) throw conflict('目标已被他人修改，请刷新后重试');
  await audit(ctx, {
    action: '保存业绩目标',
    resource: 'performance.target',
    resourceId: body.member,
    after: {
      name: person.name,
      months: body.months.map(({ month, amount }) => `${month}：${amount ?? '无'}`).join('；'),
    },
  });
  return { changed: rows.length };
}
