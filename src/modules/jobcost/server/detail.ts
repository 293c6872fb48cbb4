import { sql } from 'kysely';
import type { z } from 'zod';
import { metaOf } from '#kit/contract/columns.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { hiddenFields, stripped } from '#kit/server/list/page.ts';
import { freightOfPart } from '#modules/shipping/server/index.ts';
import { type BatchIssue, type BatchRevaluation, historyOf, originsOf } from '#modules/warehouse/server/index.ts';
import { type batchData, ChangeRow, IssueRow, LayerRow, OriginRow } from '../contract/batch.ts';
import { BatchRow } from '../contract/batches.ts';
import { COST, Component, type IssueKind } from '../contract/fields.ts';
import { sentSelect, type Told, toldSelect } from './relation.ts';
import { type Parts, partOf, partsText, replay, wholeOf } from './replay.ts';
import { toRows } from './rows.ts';

/** One batch of those that the caller may see. @throws notFound */
export async function toldOf(ctx: Ctx, id: string): Promise<Told> {
  const { rows } = await toldSelect(sql`SELECT s.* FROM (${sentSelect(ctx, {})}) AS s WHERE s.id = ${id}`).execute(
    ctx.db,
  );
  const [row] = rows;
  if (!row) throw notFound('批次不存在或已撤销出库');
  return row;
}

const KINDS: Readonly<Record<string, IssueKind>> = { CUSTOMER: 'SALE', LOST: 'LOSS', SCRAP: 'LOSS' };

function kindOf({ qty, to, event }: BatchIssue): IssueKind {
  if (qty < 0) return 'RETURN';
  if (event.startsWith('remove')) return 'REMOVAL';
  return (to && KINDS[to]) || 'ADJUST';
}

const titleOf = (component: string) => metaOf(Component).states?.[partOf(component)]?.title ?? component;

/** Changes in their order, each with what its part of the cost came to before and after it. */
function changesOf(revaluations: readonly BatchRevaluation[], made: Parts) {
  const now = { ...made };
  return revaluations.map((one) => {
    const key = partOf(one.component);
    const before = now[key];
    now[key] = before.plus(one.amount);
    const { component, day: _, ...rest } = one;
    return { ...rest, component: titleOf(component), before: before.toFixed(4), after: now[key].toFixed(4) };
  });
}

function without<Row extends object>(ctx: Ctx, schema: z.ZodObject, rows: readonly Row[]): Row[] {
  const hidden = hiddenFields(ctx, schema);
  return rows.map((row) => stripped(row, hidden));
}

/** A batch with its layers, issues and changes; costs are CNY, for who may see them. @throws notFound */
export async function detailOf(ctx: Ctx, id: string): Promise<Reply<typeof batchData>> {
  const told = await toldOf(ctx, id);
  const batch = { posting: told.posting_id, moves: told.moves };
  const history = await historyOf(ctx, batch);
  const { issues, rests, made } = replay(history);
  const origins = await originsOf(ctx, [batch]);
  const text = (parts: Parts | undefined) => ({
    ...(parts ? partsText(parts) : { purchase: '0', firstLeg: '0', other: '0' }),
    amount: parts ? wholeOf(parts).toFixed(4) : '0',
  });
  return {
    batch: without(ctx, BatchRow, await toRows(ctx, [told]))[0] as BatchRow,
    freight: can(ctx, COST) ? await freightOfPart(ctx, told) : null,
    origins: without(
      ctx,
      OriginRow,
      origins.map(({ posting, move, ...origin }, n) => ({ id: `${posting}.${move}.${n}`, ...origin })),
    ),
    layers: without(
      ctx,
      LayerRow,
      history.layers.map((layer) => ({
        id: layer.id,
        place: layer.inTransit ? `${layer.warehouse}（在途）` : layer.warehouse,
        number: layer.number,
        receivedOn: ctx.clock.dayOf(new Date(layer.receivedAt)),
        qtyIn: layer.qtyIn,
        qtyLeft: layer.qtyLeft,
        ...text(rests.get(layer.id)),
        settled: layer.state,
        path: layer.path,
      })),
    ),
    issues: without(
      ctx,
      IssueRow,
      history.issues
        .filter(({ id: issue }) => issues.has(issue))
        .map((one) => ({
          id: one.id,
          day: one.day,
          kind: kindOf(one),
          action: one.action,
          number: one.number,
          qty: one.qty,
          ...text(issues.get(one.id)),
          path: one.path,
        })),
    ),
    changes: without(ctx, ChangeRow, changesOf(history.revaluations, made)),
  };
}
