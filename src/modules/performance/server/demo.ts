import type { Ctx } from '#kit/server/context.ts';
import { chartOf } from '#modules/identity/server/index.ts';
import { addRule } from './rules.ts';
import { save } from './targets.ts';

/** Gives a company a rule of commission from last year on, and its first two people targets for this year. */
export async function demoPerformance(ctx: Ctx): Promise<void> {
  const year = Number(ctx.clock.today().slice(0, 4));
  await addRule(ctx, {
    from: `${year - 1}-01`,
    steps: [
      { upTo: '0.8', rate: '0.01' },
      { upTo: '1', rate: '0.02' },
      { upTo: null, rate: '0.03' },
    ],
  });
  const people = [...(await chartOf(ctx)).members].filter(([, { active }]) => active).slice(0, 2);
  for (const [index, [member]] of people.entries()) {
    const months = Array.from({ length: 12 }, (_, at) => ({
      month: `${year}-${String(at + 1).padStart(2, '0')}`,
      amount: String((at < 9 ? 60_000 : 90_000) - index * 20_000),
      version: 0,
    }));
    await save(ctx, { member, months });
  }
}
