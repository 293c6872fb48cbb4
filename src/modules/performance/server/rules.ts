import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { faultOf, type Rule, type Step, type saveRule } from '../contract/rule.ts';

/** All rules of the company, the newest first. */
export async function rulesOf(ctx: Ctx): Promise<Rule[]> {
  const { rows } = await sql<Rule>`
    SELECT to_char(from_month, 'YYYY-MM') AS "from", steps, created_by_name AS "createdByName", created_at AS "createdAt"
      FROM performance.rule WHERE company_id = ${ctx.companyId} ORDER BY from_month DESC`.execute(ctx.db);
  return rows;
}

const inPercent = ({ upTo, rate }: Step) => `${upTo === null ? '以上' : `至${upTo}`}：${rate}`;

/**
 * Adds a rule that holds from a month on; earlier months keep theirs.
 * @throws B2801 steps that make no sense, B2802 a month that is not later than that of the newest rule
 */
export async function addRule(ctx: Ctx, { from, steps }: z.output<typeof saveRule.body>): Promise<{ from: string }> {
  const fault = faultOf(steps);
  if (fault) throw refused(fault, 'B2801');
  // Two rules at once would not see one another.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`performance.rule:${ctx.companyId}`}, 0))`.execute(ctx.db);
  const [newest] = await rulesOf(ctx);
  if (newest && from <= newest.from) {
    throw refused(`提成规则不能修改，新规则须从 ${newest.from} 之后的月份生效`, 'B2802');
  }
  await ctx.db
    .insertInto('performance.rule')
    .values({
      company_id: ctx.companyId,
      from_month: `${from}-01`,
      steps: JSON.stringify(steps),
      created_by_name: ctx.userName,
    })
    .execute();
  await audit(ctx, {
    action: '保存提成规则',
    resource: 'performance.rule',
    resourceId: from,
    after: { from, steps: steps.map(inPercent).join('；') },
  });
  return { from };
}
