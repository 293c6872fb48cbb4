import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import type { CostComponents } from '../../contract/stock.ts';
import type { Posted, Source } from './types.ts';
import { callLedger, operatorOf } from './wire.ts';

/** Value for the pieces of one move of a posting. */
export interface LateValue {
  /** Place of the move in the posting, from 0, as in `valuesOf`. */
  move: number;
  /** CNY with up to 4 decimals; negative where too much was booked before. Not 0. */
  amount: string;
  /** Only this one of the layers that the move made. */
  layer?: string | undefined;
}

export interface LateCost {
  /** The document that brings the value: its key makes a repeated call harmless. */
  source: Source;
  /** The posting that brought the pieces in: what `post` answered. */
  posting: string;
  /** Which part of the cost it is. */
  component: keyof CostComponents;
  /** At most one for each move. */
  values: readonly LateValue[];
  /** The cost of these pieces is settled with it: 暂估 becomes 已结. */
  final?: boolean | undefined;
  note?: string | undefined;
}

/** What became of the value of a move, CNY: `toLayers` + `variance` is its amount. */
export interface CostPlaced {
  move: number;
  toLayers: string;
  variance: string;
}

interface Answer extends Posted {
  moves: { n: number; toLayers: string; variance: string }[];
}

/**
 * Adds a value that is known late (freight, duty, the difference to a bill) to pieces that came in earlier, in the open
 * period. The value is shared over all pieces that came with the move: the share of those still in stock goes into their
 * layers, wherever transfers and swaps have taken them; the share of those that were sold, lost or built in is a 成本差异,
 * which `costVariances` lists. Issues of the past keep their cost. A negative value takes no layer below 0; what it cannot
 * take is variance. A second call with the same source changes nothing. No posting of the company is under way meanwhile,
 * so it is not called in a transaction that has posted before.
 * @throws refused B0805 in a closed month, B0808 where a move made no layer, B0809 for 0
 */
export async function addCost(ctx: Ctx, cost: LateCost): Promise<Posted & { moves: CostPlaced[] }> {
  if (cost.values.length === 0) throw refused('至少添加一行数据', 'B0811');
  if (cost.values.some(({ amount }) => new Decimal(amount).toDecimalPlaces(4).isZero())) {
    throw refused('补录金额不能为0', 'B0809');
  }
  const { source } = cost;
  const answer = await unscoped(ctx, () =>
    callLedger<Answer>(ctx, 'add_cost', {
      type: source.type,
      id: source.id,
      event: source.event,
      seq: source.seq ?? 0,
      number: source.number,
      posting: cost.posting,
      component: cost.component,
      final: cost.final ?? false,
      ...operatorOf(ctx, cost.note),
      values: cost.values.map(({ move, amount, layer }) => ({
        n: move + 1,
        a: new Decimal(amount).toFixed(4),
        l: layer,
      })),
    }),
  );
  const moves = answer.moves.map(({ n, ...placed }) => ({ move: n - 1, ...placed }));
  return { id: answer.id, repeated: answer.repeated, moves };
}

/**
 * Takes back what a document's event added by {@link addCost}, move by move: the share of pieces that are still there leaves
 * their layers, the rest lowers the 成本差异 of today. Pieces that have left since then make the two differ from what was
 * booked; their sum is the same. A second call with the same source changes nothing.
 * @returns what became of it, negative where it had been added; nothing where the event had added nothing
 * @throws refused B0805 in a closed month
 */
export async function takeBackCost(
  ctx: Ctx,
  added: Pick<Source, 'type' | 'id' | 'event'>,
  source: Source,
  why: string,
): Promise<CostPlaced[]> {
  const { rows } = await unscoped(ctx, () =>
    sql<{ posting: string; component: keyof CostComponents; values: { move: number; amount: string }[] }>`
      SELECT r.origin_posting_id AS posting, r.component,
             jsonb_agg(jsonb_build_object('move', r.origin_move - 1, 'amount', (-r.amount)::text) ORDER BY r.origin_move) AS values
        FROM warehouse.stock_posting AS p
        JOIN warehouse.revaluation AS r ON r.company_id = p.company_id AND r.posting_id = p.id
       WHERE p.company_id = ${ctx.companyId} AND p.source_type = ${added.type} AND p.source_id = ${added.id}
         AND p.source_event = ${added.event}
       GROUP BY p.event_seq, 1, 2 ORDER BY p.event_seq`.execute(ctx.db),
  );
  const placed: CostPlaced[] = [];
  for (const [seq, { posting, component, values }] of rows.entries()) {
    const { moves } = await addCost(ctx, { source: { ...source, seq }, posting, component, values, note: why });
    placed.push(...moves);
  }
  return placed;
}

/** What a document added by {@link addCost}, and what became of it, CNY; undefined where it added nothing. */
export async function costAddedBy(
  ctx: Ctx,
  type: string,
  id: string,
): Promise<{ number: string; amount: string; toLayers: string; variance: string } | undefined> {
  const { rows } = await unscoped(ctx, () =>
    sql<{ number: string; amount: string; toLayers: string; variance: string }>`
      SELECT min(p.source_number) AS number, sum(r.amount)::text AS amount, sum(r.to_layers)::text AS "toLayers",
             sum(r.variance)::text AS variance
        FROM warehouse.stock_posting AS p
        JOIN warehouse.revaluation AS r ON r.company_id = p.company_id AND r.posting_id = p.id
       WHERE p.company_id = ${ctx.companyId} AND p.source_type = ${type} AND p.source_id = ${id} HAVING count(*) > 0`.execute(
      ctx.db,
    ),
  );
  return rows[0];
}

/** A value that came too late for pieces that had left. */
export interface CostVariance {
  /** yyyy-MM-dd: the company's day on which it was booked. */
  day: string;
  product: string;
  /** Where the pieces had come in. */
  warehouse: string;
  component: keyof CostComponents;
  /** CNY; negative lowers the cost. */
  amount: string;
}

/** 成本差异 of the days `from` to `to` (yyyy-MM-dd, both included) of the whole company: what a period's cost of sales misses. */
export async function costVariances(ctx: Ctx, from: string, to: string): Promise<CostVariance[]> {
  const { rows } = await unscoped(ctx, () =>
    sql<CostVariance>`
      SELECT business_date AS day, product_id AS product, warehouse_id AS warehouse, component, sum(variance)::text AS amount
        FROM warehouse.revaluation
       WHERE company_id = ${ctx.companyId} AND business_date BETWEEN ${from}::date AND ${to}::date AND variance <> 0
       GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`.execute(ctx.db),
  );
  return rows;
}
