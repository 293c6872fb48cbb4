import { Decimal } from '../../contract/decimal.ts';

export interface WaterfallStep {
  name: string;
  /** Decimal text. A change carries its sign: costs are negative. A total is checked against the changes before it. */
  amount: string;
  /** 'total' stands on the ground; 'result' too, green or red by its sign. */
  kind: 'total' | 'change' | 'result';
}

export interface PlacedStep extends WaterfallStep {
  /** Ends of the bar in the chart, low then high. */
  low: number;
  high: number;
  /** Level after the step. */
  level: number;
}

/**
 * Places the steps of a waterfall: a change hangs from the level before it, totals stand on zero. Geometry only: the
 * amounts themselves stay exact text.
 */
export function placeSteps(steps: readonly WaterfallStep[]): PlacedStep[] {
  let level = new Decimal(0);
  return steps.map((step) => {
    const from = step.kind === 'change' ? level : new Decimal(0);
    level = step.kind === 'change' ? level.plus(step.amount) : new Decimal(step.amount);
    const [low, high] = from.lte(level) ? [from, level] : [level, from];
    return { ...step, low: low.toNumber(), high: high.toNumber(), level: level.toNumber() };
  });
}

/** Names of the totals that are not the sum of what stands before them; empty for a true waterfall. */
export function brokenTotals(steps: readonly WaterfallStep[]): string[] {
  const broken: string[] = [];
  let level: Decimal | null = null;
  for (const step of steps) {
    if (step.kind === 'change') level = (level ?? new Decimal(0)).plus(step.amount);
    else {
      if (level !== null && !level.equals(step.amount)) broken.push(step.name);
      level = new Decimal(step.amount);
    }
  }
  return broken;
}
