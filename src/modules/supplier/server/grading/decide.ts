import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { type ScoreKey, ScoreState, type Skipped } from '../../contract/grading.ts';
import type { Grade } from '../../contract.ts';
import { changeGrade } from './change.ts';
import { gradingOf } from './setting.ts';
import { gradedSuppliers } from './write.ts';

const RESOURCE = 'supplier';

interface Chosen {
  supplierId: string;
  supplier: string;
  quarter: string;
  state: ScoreState;
  grade: Grade | null;
  total: string | null;
  current: Grade;
  locked: boolean;
}

/** The chosen scores with their suppliers, all held until the transaction ends. @throws notFound unless all exist */
async function held(ctx: Ctx, ids: readonly ScoreKey[]): Promise<Chosen[]> {
  const suppliers = ids.map(({ supplierId }) => supplierId);
  await gradedSuppliers(ctx, suppliers, true);
  const { rows } = await sql<Chosen>`
    SELECT q.supplier_id AS "supplierId", s.short_name AS supplier, q.quarter, q.state, q.grade, q.total::text AS total,
           s.grade AS current, s.grade_locked AS locked
      FROM jsonb_to_recordset(${JSON.stringify(ids)}::jsonb) AS v("supplierId" uuid, quarter text)
      JOIN supplier.quarter_score AS q ON q.supplier_id = v."supplierId" AND q.quarter = v.quarter
      JOIN supplier.supplier AS s ON s.company_id = q.company_id AND s.id = q.supplier_id
     WHERE q.company_id = ${ctx.companyId}
     ORDER BY q.supplier_id, q.quarter FOR UPDATE OF q`.execute(ctx.db);
  const byKey = new Map(rows.map((row) => [`${row.supplierId} ${row.quarter}`, row]));
  if (ids.some(({ supplierId, quarter }) => !byKey.has(`${supplierId} ${quarter}`)))
    throw notFound('评分不存在或已删除');
  return [...byKey.values()];
}

async function settle(ctx: Ctx, { supplierId, quarter }: Chosen, state: ScoreState, reason: string | null) {
  await sql`
    UPDATE supplier.quarter_score
       SET state = ${state}, reason = ${reason}, decided_at = kit.now(), decided_by_name = ${ctx.userName}
     WHERE company_id = ${ctx.companyId} AND supplier_id = ${supplierId} AND quarter = ${quarter}`.execute(ctx.db);
}

/** Why nothing is waiting to be decided of a score; undefined where something is. */
function decided({ quarter, state }: Chosen, closedQuarter: string | null): string | undefined {
  if (quarter !== closedQuarter && state === 'proposed') return '已有更新的季度，只能处理最近一个定稿季度的建议';
  return state === 'proposed' ? undefined : `状态为「${ScoreState.meta()?.states?.[state]?.title}」，没有待处理的建议`;
}

function whyNot(chosen: Chosen, closedQuarter: string | null): string | undefined {
  const why = decided(chosen, closedQuarter);
  if (why) return why;
  if (chosen.locked) return '等级已锁定';
  return chosen.grade === chosen.current ? `当前等级已是${chosen.current}` : undefined;
}

/** Gives suppliers the grades that the last closed quarter proposes; says of the others why they keep theirs. */
export async function apply(ctx: Ctx, ids: readonly ScoreKey[]): Promise<{ applied: number; skipped: Skipped }> {
  const all = await held(ctx, ids);
  const { closedQuarter } = await gradingOf(ctx);
  const skipped: Skipped = [];
  for (const chosen of all) {
    const { supplierId, supplier, quarter, current, grade, total } = chosen;
    const why = whyNot(chosen, closedQuarter);
    if (why !== undefined || grade === null || total === null) {
      skipped.push({ supplier, quarter, why: why ?? '没有总分' });
      continue;
    }
    await changeGrade(ctx, supplierId, current, grade, { source: 'proposal', quarter, total });
    await settle(ctx, chosen, 'applied', null);
    await audit(ctx, {
      action: '应用评级建议',
      resource: RESOURCE,
      resourceId: supplierId,
      before: { grade: current },
      after: { grade, quarter, total },
    });
  }
  return { applied: all.length - skipped.length, skipped };
}

/** Leaves suppliers their grades in spite of what is proposed; says of the others why nothing was to be decided. */
export async function keep(
  ctx: Ctx,
  ids: readonly ScoreKey[],
  reason: string,
): Promise<{ kept: number; skipped: Skipped }> {
  const all = await held(ctx, ids);
  const { closedQuarter } = await gradingOf(ctx);
  const skipped: Skipped = [];
  for (const chosen of all) {
    const { supplierId, supplier, quarter, current } = chosen;
    const why = decided(chosen, closedQuarter);
    if (why !== undefined) {
      skipped.push({ supplier, quarter, why });
      continue;
    }
    await settle(ctx, chosen, 'kept', reason);
    await audit(ctx, {
      action: '维持原等级',
      resource: RESOURCE,
      resourceId: supplierId,
      after: { grade: current, quarter, reason },
    });
  }
  return { kept: all.length - skipped.length, skipped };
}

/** Locks the grade of a supplier, or opens it again: a locked one is changed by hand only. @throws notFound */
export async function lock(ctx: Ctx, input: { id: string; locked: boolean; reason: string }): Promise<void> {
  const [before] = await gradedSuppliers(ctx, [input.id], true);
  if (!before) throw notFound();
  await ctx.db
    .updateTable('supplier.supplier')
    .set({ grade_locked: input.locked, grade_lock_reason: input.locked ? input.reason : null })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', input.id)
    .execute();
  await audit(ctx, {
    action: input.locked ? '锁定等级' : '解锁等级',
    resource: RESOURCE,
    resourceId: input.id,
    before: { locked: before.locked },
    after: { locked: input.locked, reason: input.reason },
  });
}
