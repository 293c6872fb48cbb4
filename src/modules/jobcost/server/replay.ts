import { Decimal } from '#kit/contract/decimal.ts';
import type { BatchHistory, BatchIssue, BatchLayer, BatchRaise } from '#modules/warehouse/server/index.ts';
import type { Component } from '../contract/fields.ts';

/** A cost by its parts, CNY. */
export type Parts = Record<Component, Decimal>;

const NONE: Parts = { purchase: new Decimal(0), firstLeg: new Decimal(0), other: new Decimal(0) };

/** Which part of a batch's cost a component of the ledger belongs to. */
export const partOf = (component: string): Component =>
  component === 'purchase' || component === 'firstLeg' ? component : 'other';

const plus = (a: Parts, b: Parts): Parts => ({
  purchase: a.purchase.plus(b.purchase),
  firstLeg: a.firstLeg.plus(b.firstLeg),
  other: a.other.plus(b.other),
});
const negated = (a: Parts): Parts => ({
  purchase: a.purchase.negated(),
  firstLeg: a.firstLeg.negated(),
  other: a.other.negated(),
});
/** The sum of all parts. */
export const wholeOf = (parts: Parts): Decimal => parts.purchase.plus(parts.firstLeg).plus(parts.other);

/** What a layer was made of before anything came late to it. */
function madeOf(layer: BatchLayer, raises: readonly BatchRaise[]): Parts {
  const parts = { ...NONE };
  let named = new Decimal(0);
  for (const [component, amount] of Object.entries(layer.components ?? {})) {
    if (component === 'purchase') continue;
    const key = partOf(component);
    parts[key] = parts[key].plus(amount ?? 0);
    named = named.plus(amount ?? 0);
  }
  parts.purchase = new Decimal(layer.amountIn).minus(named);
  for (const { component, amount } of raises) {
    const key = partOf(component);
    parts[key] = parts[key].minus(amount);
  }
  return parts;
}

/** Of what is left the share of some pieces; the last piece takes all of it. What is no first leg and no other is the rest. */
function share(rest: Parts, amount: Decimal, pieces: number, of: number): Parts {
  const cut = (value: Decimal) =>
    pieces === of ? value : value.times(pieces).div(of).toDecimalPlaces(4, Decimal.ROUND_HALF_UP);
  const [firstLeg, other] = [cut(rest.firstLeg), cut(rest.other)];
  return { firstLeg, other, purchase: amount.minus(firstLeg).minus(other) };
}

interface Replayed {
  /** By issue: what its pieces took; those that went on inside the company are left out. */
  issues: Map<string, Parts>;
  /** By layer: what is left in it. */
  rests: Map<string, Parts>;
  /** What the batch was made of before anything came late to it. */
  made: Parts;
}

type Step = { raise: BatchRaise } | { issue: BatchIssue };

/** What happened to a layer in order; of one moment, value comes before pieces go. */
function stepsOf(raises: readonly BatchRaise[], issues: readonly BatchIssue[]): Step[] {
  const steps = [
    ...raises.map((raise) => ({ at: raise.at, step: { raise } as Step })),
    ...issues.map((issue) => ({ at: issue.at, step: { issue } as Step })),
  ];
  return steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).map(({ step }) => step);
}

/** Shares what went on over the layers that it went into, by their pieces. */
function handOn(parts: Parts, into: readonly BatchLayer[]): Map<string, Parts> {
  const shares = new Map<string, Parts>();
  let rest = parts;
  let left = into.reduce((all, layer) => all + layer.qtyIn, 0);
  for (const layer of into) {
    const one = share(rest, wholeOf(rest).times(layer.qtyIn).div(left).toDecimalPlaces(4), layer.qtyIn, left);
    shares.set(layer.id, one);
    rest = plus(rest, negated(one));
    left -= layer.qtyIn;
  }
  return shares;
}

/**
 * What each issue of a batch took of each part of its cost, and what of each is left. The ledger keeps one amount for the
 * pieces that leave a layer; its parts go by pieces, as it shares everything, and what came late is in those alone that left
 * after it came. The parts of an issue are its amount, and issues, rests and late value add up to what came in, part by part.
 */
export function replay({ layers, issues, raises }: Pick<BatchHistory, 'layers' | 'issues' | 'raises'>): Replayed {
  const byLayer = Map.groupBy(issues, ({ layer }) => layer);
  const raised = Map.groupBy(raises, ({ layer }) => layer);
  const known = new Map(layers.map((layer) => [layer.id, layer]));
  const begun = new Map<string, Parts>();
  const result: Replayed = { issues: new Map(), rests: new Map(), made: NONE };
  for (const layer of layers) {
    const late = raised.get(layer.id) ?? [];
    let rest = begun.get(layer.id) ?? madeOf(layer, late);
    if (layer.parent === null) result.made = plus(result.made, rest);
    let pieces = layer.qtyIn;
    let taken = NONE;
    for (const step of stepsOf(late, byLayer.get(layer.id) ?? [])) {
      if ('raise' in step) {
        const key = partOf(step.raise.component);
        rest = { ...rest, [key]: rest[key].plus(step.raise.amount) };
        continue;
      }
      const { id, qty, amount, into } = step.issue;
      // What comes back brings its share of all that had gone.
      const went =
        qty > 0
          ? share(rest, new Decimal(amount), qty, pieces)
          : negated(share(taken, new Decimal(amount).negated(), -qty, layer.qtyIn - pieces));
      rest = plus(rest, negated(went));
      taken = plus(taken, went);
      pieces -= qty;
      if (into.length === 0) result.issues.set(id, went);
      else if (qty > 0) {
        const children = into.flatMap((child) => known.get(child) ?? []);
        for (const [child, parts] of handOn(went, children)) begun.set(child, parts);
      }
    }
    // Prices that a period's end or an average brought to the layer are no part of a first leg.
    const off = new Decimal(layer.amountLeft).minus(wholeOf(rest));
    result.rests.set(layer.id, { ...rest, purchase: rest.purchase.plus(off) });
  }
  return result;
}

/** Parts as text with four decimals, for the wire. */
export const partsText = (parts: Parts): Record<Component, string> => ({
  purchase: parts.purchase.toFixed(4),
  firstLeg: parts.firstLeg.toFixed(4),
  other: parts.other.toFixed(4),
});

/** All parts of some costs together. */
export const sumParts = (all: Iterable<Parts>): Parts => [...all].reduce(plus, NONE);
