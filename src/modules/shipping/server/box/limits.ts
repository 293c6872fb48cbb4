import { Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { stockOf } from '#modules/marketplace/server/index.ts';
import type { BoxWarning, ShipBox } from '../../contract/box/box.ts';

/** What a marketplace takes of a box: kg and cm; undefined where it says nothing. */
export interface Limits {
  /** Where it is, in a word. */
  site: string;
  maxWeight?: string;
  maxSide?: string;
  /** Above it the box carries a mark of its weight. */
  heavy?: string;
}

/** Amazon's rules by the stock that boxes go to (handbook 08 §5.11); a standard box of several pieces. */
const RULES: Record<string, Limits> = {
  US: { site: '美国站', maxWeight: '22.68', maxSide: '63.5' },
  EU: { site: '欧洲站', maxWeight: '23', heavy: '15' },
  UK: { site: '英国站', maxWeight: '23', heavy: '15' },
  JP: { site: '日本站', heavy: '15' },
};

/** The limits of a marketplace; only its name where no rule is known. */
export function limitsOf(marketplaceId: string): Limits {
  return RULES[stockOf(marketplaceId)] ?? { site: marketplaceOf(marketplaceId)?.name ?? marketplaceId };
}

type Measured = Pick<ShipBox, 'length' | 'width' | 'height' | 'weight' | 'items'>;

/**
 * What stands against a box at a marketplace. One piece that is too heavy or too long by itself can be sent no other way:
 * it is noted, not refused. What was not measured is not judged.
 */
export function boxWarnings(limits: Limits, box: Measured, maxWeight: string | null = null): BoxWarning[] {
  const alone = box.items.reduce((sum, item) => sum + item.qty, 0) === 1;
  const level = alone ? 'NOTE' : 'LIMIT';
  const found: BoxWarning[] = [];
  const weight = box.weight === null ? null : new Decimal(box.weight);
  if (weight !== null && limits.maxWeight !== undefined && weight.gt(limits.maxWeight)) {
    const text = `重量 ${plainDecimal(weight.toFixed())} kg，超过${limits.site}上限 ${limits.maxWeight} kg`;
    found.push({ level, text: alone ? `${text}，须贴超重标签` : text });
  } else if (weight !== null && limits.heavy !== undefined && weight.gt(limits.heavy)) {
    found.push({ level: 'NOTE', text: `重量超过 ${limits.heavy} kg，须贴重物标签` });
  }
  if (weight !== null && maxWeight !== null && weight.gt(maxWeight)) {
    found.push({ level: 'NOTE', text: `重量超过箱型最大毛重 ${plainDecimal(maxWeight)} kg` });
  }
  const sides = [box.length, box.width, box.height].flatMap((side) => (side === null ? [] : [new Decimal(side)]));
  const longest = sides.length > 0 ? Decimal.max(...sides) : null;
  if (longest !== null && limits.maxSide !== undefined && longest.gt(limits.maxSide)) {
    const text = `最长边 ${plainDecimal(longest.toFixed())} cm，超过${limits.site}上限 ${limits.maxSide} cm`;
    found.push({ level, text });
  }
  return found;
}

/** The lower of two weights, either of which may not be set. */
export function lowerCap(a: string | null | undefined, b: string | null | undefined): string | null {
  if (!a || !b) return a || b || null;
  return new Decimal(a).lte(b) ? a : b;
}
