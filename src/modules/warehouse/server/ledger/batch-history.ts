import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import type { CostComponents, Outside } from '../../contract/stock.ts';
import { postingWords } from '../stock/sources.ts';
import type { Batch } from './batch.ts';

/** A layer of a batch, parents before their children. CNY. */
export interface BatchLayer {
  id: string;
  parent: string | null;
  warehouse: string;
  inTransit: boolean;
  qtyIn: number;
  amountIn: string;
  qtyLeft: number;
  amountLeft: string;
  /** Of `amountIn`; null is all purchase. */
  components: CostComponents | null;
  state: 'ESTIMATED' | 'FINAL';
  receivedAt: string;
  number: string;
  path: string | null;
}

/** Pieces that left a layer of a batch, or came back to it (`qty` below 0), in the order in which they did. */
export interface BatchIssue {
  id: string;
  layer: string;
  qty: number;
  amount: string;
  at: string;
  day: string;
  number: string;
  action: string;
  path: string | null;
  source: string;
  event: string;
  /** Layers of the batch that the pieces went on into; none where they left the company. */
  into: string[];
  /** Part of the world that they went to. */
  to: Outside | null;
}

/** Value that came late to one layer. */
export interface BatchRaise {
  layer: string;
  component: keyof CostComponents;
  amount: string;
  at: string;
}

/** Value that came late to a batch, and what became of it. */
export interface BatchRevaluation {
  id: string;
  at: string;
  day: string;
  number: string;
  path: string | null;
  component: keyof CostComponents;
  amount: string;
  toLayers: string;
  variance: string;
  operator: string;
  note: string;
}

export interface BatchHistory {
  layers: BatchLayer[];
  issues: BatchIssue[];
  raises: BatchRaise[];
  revaluations: BatchRevaluation[];
}

interface Sourced {
  source_type: string;
  source_id: string;
  source_event: string;
}

const family = ({ companyId }: Ctx, { posting, moves }: Batch) => sql`
  WITH RECURSIVE family AS (
    SELECT l.id, 0 AS depth FROM warehouse.cost_layer AS l
     WHERE l.company_id = ${companyId} AND l.source_posting_id = ${posting} AND l.source_move = ANY (${[...moves]}::int[])
    UNION ALL
    SELECT c.id, f.depth + 1 FROM family AS f
      JOIN warehouse.cost_layer AS c ON c.company_id = ${companyId} AND c.parent_layer_id = f.id)`;

async function layersOf(ctx: Ctx, batch: Batch): Promise<BatchLayer[]> {
  const { rows } = await sql<Omit<BatchLayer, 'path'> & Sourced>`
    ${family(ctx, batch)}
    SELECT y.id, CASE WHEN f.depth > 0 THEN y.parent_layer_id END AS parent, w.name AS warehouse, y.in_transit AS "inTransit",
           y.qty_in AS "qtyIn", (y.amount_in + y.levelled + y.restated)::text AS "amountIn", y.qty_remaining AS "qtyLeft",
           y.amount_remaining::text AS "amountLeft", y.components, y.cost_state AS state, y.received_at AS "receivedAt",
           o.source_number AS number, o.source_type, o.source_id, o.source_event
      FROM family AS f
      JOIN warehouse.cost_layer AS y ON y.company_id = ${ctx.companyId} AND y.id = f.id
      JOIN warehouse.warehouse AS w ON w.company_id = y.company_id AND w.id = y.warehouse_id
      JOIN warehouse.stock_posting AS o ON o.company_id = y.company_id AND o.id = y.source_posting_id
     ORDER BY f.depth, y.id`.execute(ctx.db);
  return rows.map(({ source_type, source_id, source_event, ...row }) => ({
    ...row,
    path: postingWords(ctx, { source_type, source_id, source_event }).path,
  }));
}

async function issuesOf(ctx: Ctx, batch: Batch): Promise<BatchIssue[]> {
  const { rows } = await sql<Omit<BatchIssue, 'action' | 'path'> & Sourced>`
    ${family(ctx, batch)}
    SELECT concat_ws('.', c.posting_id, c.move_no, c.layer_id) AS id, c.layer_id AS layer, c.qty, c.amount::text AS amount, c.posted_at AS at,
           o.business_date::text AS day, o.source_number AS number, o.source_type, o.source_id, o.source_event,
           o.source_type AS source, o.source_event AS event,
           ARRAY(SELECT k.id FROM warehouse.cost_layer AS k
                  WHERE k.company_id = c.company_id AND k.parent_layer_id = c.layer_id
                    AND k.source_posting_id IN (o.id, o.reverses_id) ORDER BY k.id) AS into,
           (SELECT v.code FROM warehouse.stock_entry AS e
              JOIN warehouse.warehouse AS v ON v.company_id = e.company_id AND v.id = e.warehouse_id
             WHERE e.company_id = c.company_id AND e.posting_id = c.posting_id AND e.status = 'OUTSIDE'
               AND e.product_id = y.product_id ORDER BY e.line_no LIMIT 1) AS "to"
      FROM family AS f
      JOIN warehouse.cost_layer AS y ON y.company_id = ${ctx.companyId} AND y.id = f.id
      JOIN warehouse.layer_consumption AS c ON c.company_id = y.company_id AND c.layer_id = f.id
      JOIN warehouse.stock_posting AS o ON o.company_id = c.company_id AND o.id = c.posting_id
     ORDER BY c.posted_at, c.posting_id, c.move_no`.execute(ctx.db);
  return rows.map(({ source_type, source_id, source_event, ...row }) => ({
    ...row,
    ...postingWords(ctx, { source_type, source_id, source_event }),
  }));
}

async function raisesOf(ctx: Ctx, batch: Batch): Promise<BatchRaise[]> {
  const { rows } = await sql<BatchRaise>`
    ${family(ctx, batch)}
    SELECT v.layer_id AS layer, v.component, v.amount::text AS amount, o.posted_at AS at
      FROM family AS f
      JOIN warehouse.revaluation_layer AS v ON v.company_id = ${ctx.companyId} AND v.layer_id = f.id
      JOIN warehouse.stock_posting AS o ON o.company_id = v.company_id AND o.id = v.posting_id
     ORDER BY o.posted_at, o.id`.execute(ctx.db);
  return rows;
}

async function revaluationsOf(ctx: Ctx, batch: Batch): Promise<BatchRevaluation[]> {
  const { rows } = await sql<Omit<BatchRevaluation, 'path'> & Sourced>`
    ${family(ctx, batch)}
    SELECT concat_ws('.', r.posting_id, r.origin_move) AS id, o.posted_at AS at, r.business_date::text AS day, o.source_number AS number,
           o.source_type, o.source_id, o.source_event, r.component, r.amount::text AS amount, r.to_layers::text AS "toLayers",
           r.variance::text AS variance, o.operator_name AS operator, o.note
      FROM (SELECT y.source_posting_id, y.source_move, bool_or(f.depth = 0) AS root
              FROM family AS f JOIN warehouse.cost_layer AS y ON y.company_id = ${ctx.companyId} AND y.id = f.id
             GROUP BY 1, 2) AS s
      JOIN warehouse.revaluation AS r ON r.company_id = ${ctx.companyId} AND r.origin_posting_id = s.source_posting_id
       AND r.origin_move = s.source_move
      JOIN warehouse.stock_posting AS o ON o.company_id = r.company_id AND o.id = r.posting_id
     WHERE s.root OR EXISTS (
       SELECT FROM warehouse.revaluation_layer AS v JOIN family AS f ON f.id = v.layer_id
        WHERE v.company_id = r.company_id AND v.posting_id = r.posting_id)
     ORDER BY o.posted_at, r.origin_move`.execute(ctx.db);
  return rows.map(({ source_type, source_id, source_event, ...row }) => ({
    ...row,
    path: postingWords(ctx, { source_type, source_id, source_event }).path,
  }));
}

/** Everything that the ledger knows of a batch, in all warehouses. */
export function historyOf(ctx: Ctx, batch: Batch): Promise<BatchHistory> {
  return unscoped(ctx, async () => ({
    layers: await layersOf(ctx, batch),
    issues: await issuesOf(ctx, batch),
    raises: await raisesOf(ctx, batch),
    revaluations: await revaluationsOf(ctx, batch),
  }));
}
