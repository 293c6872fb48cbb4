import type { Ctx } from '#kit/server/context.ts';
import type { LedgerSource } from '#kit/server/ledger-source.ts';
import { monthRates } from '#modules/finance/server/index.ts';
import { firstDay } from '../../contract/fields.ts';
import { allSubjects, type Subject } from '../subjects.ts';
import { type Booking, bookingOf, type Group, grouped, linesOf, type RuleLine } from './lines.ts';
import type { Rule } from './rule.ts';
import { placesOf } from './sources.ts';

/** What vouchers of any source are made with. */
export interface Ground {
  rates: ReadonlyMap<string, string>;
  subjects: ReadonlyMap<string, Subject>;
}

export const groundOf = async (ctx: Ctx): Promise<Ground> => ({
  rates: await monthRates(ctx),
  subjects: new Map((await allSubjects(ctx)).map((subject) => [subject.code, subject])),
});

/** The events of a source in a month "yyyy-MM" as a rule puts them together, and what their lines are made with. */
export async function groupsOf(
  ctx: Ctx,
  source: LedgerSource,
  rule: Pick<Rule, 'by' | 'subjects'>,
  month: string,
  { rates }: Pick<Ground, 'rates'>,
): Promise<{ groups: Group[]; booking: Booking }> {
  const facts = await source.facts(ctx, firstDay(month));
  const booking = bookingOf(source, rule.subjects, await placesOf(ctx, source), rates);
  return { groups: grouped(facts, rule.by, ctx.clock.today()), booking };
}

/** The lines of a voucher on subjects that take entries; in words why there are none. */
export function bookable(booking: Booking, group: Group, { subjects }: Ground): RuleLine[] | string {
  const lines = linesOf(booking, group);
  if (typeof lines === 'string') return lines;
  if (lines.length === 0) return '没有需要记账的金额';
  const missing = lines.find(({ code }) => {
    const subject = subjects.get(code);
    return !subject?.leaf || subject.state === 'stopped';
  });
  return missing ? `科目 ${missing.code} 不存在、已停用或有下级，请套用模板或修改凭证模板` : lines;
}
