import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { GradingForm, GradingSetting } from '../../contract/grading.ts';
import { quarterOf } from '../quarter.ts';

/** How a company grades, and how far it has come. */
export interface Grading extends GradingSetting {
  /** The last quarter whose figures stay; null: none yet. */
  closedQuarter: string | null;
}

const DEFAULTS: Grading = {
  automatic: false,
  atA: 90,
  atB: 75,
  atC: 60,
  graceDays: 5,
  firstQuarter: null,
  closedQuarter: null,
};

/** How the company grades; with `hold` nobody else closes a quarter or changes the rules until the transaction ends. */
export async function gradingOf(ctx: Ctx, hold = false): Promise<Grading> {
  if (hold) {
    await ctx.db
      .insertInto('supplier.grading')
      .values({ company_id: ctx.companyId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const query = ctx.db
    .selectFrom('supplier.grading')
    .select(['automatic', 'at_a as atA', 'at_b as atB', 'at_c as atC', 'grace_days as graceDays'])
    .select(['first_quarter as firstQuarter', 'closed_quarter as closedQuarter'])
    .where('company_id', '=', ctx.companyId);
  return (await (hold ? query.forUpdate() : query).executeTakeFirst()) ?? DEFAULTS;
}

/** What screens see of it. */
export async function readSetting(ctx: Ctx): Promise<GradingSetting> {
  const { closedQuarter: _, ...setting } = await gradingOf(ctx);
  return setting;
}

/** Changes the rules. Where changes begin to be applied by themselves, they do so from the running quarter on. */
export async function putSetting(ctx: Ctx, form: GradingForm): Promise<GradingSetting> {
  const { closedQuarter: _, firstQuarter, ...before } = await gradingOf(ctx, true);
  const first = before.automatic ? firstQuarter : quarterOf(ctx.clock.today());
  await ctx.db
    .updateTable('supplier.grading')
    .set({
      automatic: form.automatic,
      at_a: form.atA,
      at_b: form.atB,
      at_c: form.atC,
      grace_days: form.graceDays,
      first_quarter: form.automatic ? first : null,
    })
    .where('company_id', '=', ctx.companyId)
    .execute();
  await audit(ctx, { action: '修改评级设置', resource: 'supplier.grading', before, after: form });
  return readSetting(ctx);
}

/** Writes down that a quarter is closed. */
export async function markClosed(ctx: Ctx, quarter: string): Promise<void> {
  await sql`UPDATE supplier.grading SET closed_quarter = ${quarter} WHERE company_id = ${ctx.companyId}`.execute(
    ctx.db,
  );
}
