import type { z } from 'zod';
import { Decimal, round } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import type { previewRule } from '../../contract/rules.ts';
import { bookable, type Ground, groundOf, groupsOf } from './booked.ts';
import { type RuleLine, titleOf } from './lines.ts';
import { sourceOf } from './sources.ts';

type Preview = Reply<typeof previewRule>;

/** Vouchers that are shown whole, and problems that are named. */
const SHOWN = 20;

const shown = (amount: string) => (amount === '' ? null : amount);

function namesOf({ subjects }: Ground) {
  return (code: string) => `${code} ${subjects.get(code)?.path ?? ''}`.trim();
}

/** What lines come to by subject. */
function totalsOf(lines: readonly RuleLine[], nameOf: (code: string) => string): Preview['totals'] {
  const total = (of: readonly RuleLine[], side: 'debit' | 'credit') => {
    const whole = of.reduce((added, line) => added.plus(line[side] || '0'), new Decimal(0));
    return whole.isZero() ? null : round(whole, 2);
  };
  return [...Map.groupBy(lines, ({ code }) => code)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, of]) => ({ subject: nameOf(code), debit: total(of, 'debit'), credit: total(of, 'credit') }));
}

/** What a rule would make of a month; nothing is written. @throws notFound for no source */
export function previewOf(
  ctx: Ctx,
  { source: name, month, rule }: z.output<typeof previewRule.body>,
): Promise<Preview> {
  return unscoped(ctx, async () => {
    const source = sourceOf(ctx, name);
    const ground = await groundOf(ctx);
    const { groups, booking } = await groupsOf(ctx, source, rule, month, ground);
    const nameOf = namesOf(ground);
    const preview: Preview = { facts: 0, vouchers: 0, totals: [], problems: [], samples: [] };
    const all: RuleLine[] = [];
    for (const group of groups) {
      preview.facts += group.facts.length;
      const lines = bookable(booking, group, ground);
      if (typeof lines === 'string') {
        if (preview.problems.length < SHOWN) preview.problems.push({ name: titleOf({ source }, group), why: lines });
        continue;
      }
      preview.vouchers += 1;
      all.push(...lines);
      if (preview.samples.length < SHOWN)
        preview.samples.push({
          title: titleOf({ source }, group),
          day: group.day,
          lines: lines.map(({ code, summary, debit, credit }) => ({
            subject: nameOf(code),
            summary,
            debit: shown(debit),
            credit: shown(credit),
          })),
        });
    }
    return { ...preview, totals: totalsOf(all, nameOf) };
  });
}
