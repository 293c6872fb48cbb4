import { Decimal } from '#kit/contract/decimal.ts';
import { type Definition, nodesIn } from '../../contract/flow.ts';
import { holds, type Vars } from './condition.ts';

/** What an approval was given for, as far as a later change can ask for another one. */
interface Approved {
  vars: Readonly<Record<string, unknown>>;
  /** In the company's currency. */
  amountBase: string | null;
}

/**
 * Whether a change after the approval asks for another one: another value of a fixed field, or an amount that is more
 * than `tolerance` (a ratio, "0.05" is 5 %) above the one that was approved. Less is never asked about.
 */
export function asksAgain(now: Approved, then: Approved, fixed: readonly string[], tolerance: string): boolean {
  const differs = fixed.some((key) => JSON.stringify(now.vars[key] ?? null) !== JSON.stringify(then.vars[key] ?? null));
  const limit = new Decimal(then.amountBase ?? 0).times(new Decimal(1).plus(tolerance));
  return differs || new Decimal(now.amountBase ?? 0).gt(limit);
}

/**
 * Whether what the steps of a flow agreed to still holds for a document that was returned and comes straight back: its
 * branches go the same way, and nothing has become more than they were asked about.
 */
export function stillHolds(
  definition: Definition,
  then: Approved & { vars: Vars },
  now: Approved & { vars: Vars },
  fixed: readonly string[],
  tolerance: string,
): boolean {
  return sameWay(definition, then.vars, now.vars) && !asksAgain(now, then, fixed, tolerance);
}

/** Whether every branch of a flow goes the same way by both. */
function sameWay({ steps }: Definition, then: Vars, now: Vars): boolean {
  return nodesIn(steps).every((node) => {
    if (node.type !== 'branch') return true;
    const [before, after] = [then, now].map((vars) =>
      node.cases.findIndex(({ when }) => when === null || holds(when, vars)),
    );
    return before === after;
  });
}
