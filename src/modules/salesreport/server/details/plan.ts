import type { Period } from '#kit/contract/compare.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { Column, DetailFilter, detailFields } from '../../contract/details.ts';
import { AMOUNT_MEASURES, type Dimension, MEASURE_TITLES, type Measure } from '../../contract/fields.ts';
import { beforeOf, type DayMap, heldAgainst } from '../days.ts';
import { type Exchange, exchangeOf } from '../exchange.ts';
import type { Reading, Split } from '../facts.ts';
import { mayRead, type Scope, scopeOf } from '../scope.ts';
import { type OrderWay, orderWay, readingOf } from '../sources.ts';

/** How one filter is answered. */
export interface Plan extends Scope {
  by: Dimension;
  measure: Measure;
  kind: 'integer' | 'money';
  before: Period | null;
  map: DayMap;
  way: OrderWay;
  /** Of amounts only. */
  exchange: Exchange | undefined;
  /** Periods in the order asked for. */
  columns: Column[];
}

/** @throws forbidden for an amount that the caller may not see, B0950 too many periods */
export async function planOf(ctx: Ctx, filter: DetailFilter): Promise<Plan> {
  const { by = 'msku', measure = 'units', compare = 'previous', sequence = 'newest' } = filter;
  mayRead(ctx, measure);
  const scope = await scopeOf(ctx, filter);
  const before = beforeOf(scope.period, compare, scope);
  const map = heldAgainst(scope.period, scope.places, before, scope);
  const kind = AMOUNT_MEASURES.includes(measure) ? 'money' : 'integer';
  return {
    ...scope,
    by,
    measure,
    kind,
    before,
    map,
    way: orderWay(by, filter, scope.period),
    exchange: kind === 'money' ? await exchangeOf(ctx, filter, map.days) : undefined,
    columns: sequence === 'newest' ? [...scope.places].reverse() : scope.places,
  };
}

/** What a plan reads, split by its dimension or by something else. */
export function planned(ctx: Ctx, plan: Plan, by: Split = plan.by, skus?: readonly string[]): Reading {
  const { filter, map, exchange, measure } = plan;
  // A column that says lines holds lines down to its footer.
  const way = by === plan.by || plan.way === 'items' ? plan.way : orderWay(by, filter, plan.period);
  return readingOf(ctx, measure, way, { by, filter, map, exchange, skus });
}

/** What a screen has to know of an answer before its rows. */
export async function fieldsOf(ctx: Ctx, filter: DetailFilter): Promise<Reply<typeof detailFields>> {
  const plan = await planOf(ctx, filter);
  return shapeOf(plan);
}

const GOOD: Partial<Record<Measure, 'up' | 'down'>> = {
  units: 'up',
  orders: 'up',
  productSales: 'up',
  netSales: 'up',
  cancelledUnits: 'down',
  returnedUnits: 'down',
};

/** The same of a plan that is there. */
export function shapeOf(plan: Plan): Reply<typeof detailFields> {
  const { period, before, since, columns, by, measure, kind, way, exchange } = plan;
  const good = GOOD[measure];
  return {
    by,
    period,
    before,
    since,
    columns,
    measure: measure === 'orders' && way === 'items' ? '订单行' : MEASURE_TITLES[measure],
    ...(good ? { good } : {}),
    kind,
    currency: exchange?.currency ?? null,
    converted: exchange?.converted ?? false,
    missingRates: exchange?.missing ?? [],
  };
}
