import { Decimal } from '#kit/contract/decimal.ts';
import type { MarketOffer } from '#modules/listing/contract/rivals.ts';
import { type RuleSettings, Weekday } from '../contract/settings.ts';

/** All that a decision is made from. Prices are decimal text in one currency. */
export interface Inputs {
  settings: RuleSettings;
  /** Own price now, without shipping, and what buyers pay for shipping. */
  price: string;
  shipping: string;
  ownFba: boolean;
  /** Everybody's offers; `own` for all sellers of the company. */
  offers: readonly MarketOffer[];
  min: string;
  max: string;
  /** The lowest price that earns the margin; null without that guard. */
  floor: string | null;
  /** Own price at 00:00 of the site's day; null where it is not known. */
  dayOpen: string | null;
  /** Minutes since the last change; null where there was none. */
  sinceMin: number | null;
  /** ISO weekday (1 Monday) and hour of the site. */
  weekday: number;
  hour: number;
  /** Decimals of the currency. */
  scale: number;
}

/** What follows: `price` is what to send, null where nothing is. */
export interface Decision {
  price: string | null;
  /** What the strategy asked for, before any limit; null where it asked for nothing. */
  target: string | null;
  atFloor: boolean;
  words: string;
}

/** A rival with the landed price that counts. */
interface Rival {
  sellerId: string;
  landed: Decimal;
  featured: boolean;
}

/** Sellers that count, the cheapest first. */
export function rivalsOf({ settings, offers, ownFba }: Inputs): Rival[] {
  const excluded = new Set((settings.excludedSellers ?? '').split(/[\s,，;；]+/).filter((one) => one !== ''));
  return offers
    .filter((one) => !one.own && !excluded.has(one.sellerId))
    .filter((one) => settings.channel === 'all' || (settings.channel === 'fba') === one.fba)
    .filter((one) => settings.minPositive === 0 || new Decimal(one.positive ?? 0).gte(settings.minPositive))
    .filter((one) => (one.ratings ?? 0) >= settings.minRatings)
    .map((one) => {
      const shift = ownFba && !one.fba ? new Decimal(1).plus(settings.fbmShift) : new Decimal(1);
      return { sellerId: one.sellerId, landed: new Decimal(one.landed).times(shift), featured: one.featured };
    })
    .sort((a, b) => a.landed.comparedTo(b.landed) || (a.sellerId < b.sellerId ? -1 : 1));
}

interface Wish {
  /** Landed; undefined: leave it. */
  target: Decimal | undefined;
  words: string;
}

const leave = (words: string): Wish => ({ target: undefined, words });

function follow(rival: Rival, words: string, offset: string): Wish {
  return { target: rival.landed.plus(offset), words: `${words} ${rival.sellerId} ${rival.landed.toFixed()}` };
}

/** What the strategy asks for, as a landed price. */
function wishOf(inputs: Inputs, rivals: readonly Rival[]): Wish {
  const { settings, offers, price, shipping, max } = inputs;
  const { strategy, offset, raiseStep, noCompetition } = settings;
  const [lowest] = rivals;
  if (!lowest) {
    if (noCompetition === 'hold') return leave('没有竞争对手，保持现价');
    return { target: new Decimal(max).plus(shipping), words: '没有竞争对手，调至最高价' };
  }
  if (strategy === 'LOWEST') return follow(lowest, '跟随最低价', offset);
  const ownFeatured = offers.some((one) => one.own && one.featured);
  if (ownFeatured) {
    const gap = lowest.landed.minus(price).minus(shipping);
    if (strategy === 'HOLD_AND_RAISE' && gap.gte(raiseStep) && gap.gt(0))
      return follow(lowest, '持有购物车，提价至', offset);
    return leave('已持有购物车，保持现价');
  }
  const featured = rivals.find((one) => one.featured);
  return featured ? follow(featured, '跟随购物车', offset) : follow(lowest, '没有可跟随的购物车，跟随最低价', offset);
}

const inTime = ({ settings: { weekdays, hourFrom, hourTo }, weekday, hour }: Inputs): boolean =>
  (weekdays.length === 0 || weekdays.some((one) => Weekday.options.indexOf(one) === weekday - 1)) &&
  (hourFrom < hourTo ? hour >= hourFrom && hour < hourTo : hour >= hourFrom || hour < hourTo);

/**
 * The decision of a rule for one listing; pure. A price that is sent is never below the lower limit and never above the highest price
 * unless the daily limit says so on the way down; the lower limit is the larger of the binding's lowest price and the floor by
 * costs. Handbook 5.10.
 */
export function decide(inputs: Inputs): Decision {
  const { settings, price, shipping, min, max, floor, dayOpen, sinceMin, scale } = inputs;
  const up = (value: Decimal): Decimal => value.toDecimalPlaces(scale, Decimal.ROUND_UP);
  const now = new Decimal(price);
  const lower = up(floor === null ? new Decimal(min) : Decimal.max(min, floor));
  const keep = (words: string, target: Decimal | null = null): Decision => ({
    price: null,
    target: target?.toFixed(scale) ?? null,
    atFloor: false,
    words,
  });
  if (lower.gt(max)) return keep(`最低价或保本价 ${lower.toFixed(scale)} 高于最高价，不调价`);
  // A price that loses money is mended at once, whatever the hour and however short ago the last change was.
  const losing = now.lt(lower);
  if (!losing && !inTime(inputs)) return keep('不在执行时段');
  const wish = wishOf(inputs, rivalsOf(inputs));
  const reasons = [wish.words];
  if (!wish.target && !losing) return keep(wish.words);
  const target = wish.target?.minus(shipping).toDecimalPlaces(scale, Decimal.ROUND_HALF_UP) ?? lower;
  let next = target;
  let atFloor = false;
  if (next.lt(lower)) {
    const which = floor !== null && up(new Decimal(floor)).gte(min) ? '保本价' : '最低价';
    if (settings.belowMin === 'hold' && !losing) return keep(`${wish.words}，低于${which}，保持现价`, target);
    atFloor = settings.belowMin !== 'max';
    next = atFloor ? lower : new Decimal(max);
    reasons.push(atFloor ? `触底（${which} ${lower.toFixed(scale)}）` : `低于${which}，调至最高价`);
  } else if (losing && !wish.target) {
    atFloor = true;
    reasons.push('现价低于最低价或保本价');
  }
  if (next.gt(max)) {
    next = new Decimal(max).toDecimalPlaces(scale, Decimal.ROUND_DOWN);
    reasons.push('封顶（最高价）');
  }
  if (dayOpen !== null && new Decimal(settings.dailyDrop).gt(0)) {
    const least = up(new Decimal(dayOpen).times(new Decimal(1).minus(settings.dailyDrop)));
    if (next.lt(least)) {
      next = least;
      atFloor = false;
      reasons.push('日降幅限制');
    }
  }
  const words = reasons.join('，');
  const change = next.minus(now).abs();
  if (change.isZero()) return { ...keep(`${words}，与现价相同`, target), atFloor };
  if (!losing && change.lt(settings.minChange)) return keep(`${words}，变化小于最小幅度`, target);
  if (!losing && sinceMin !== null && sinceMin < settings.cooldownMin) return keep(`${words}，冷却中`, target);
  return { price: next.toFixed(scale), target: target.toFixed(scale), atFloor, words };
}
