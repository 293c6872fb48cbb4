import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { chunksOf, dueSuppliers, measured } from '../measure.ts';
import { closable, daysOf, quarterAfter, quarterOf } from '../quarter.ts';
import type { Score } from '../scorecard.ts';
import { changeGrade } from './change.ts';
import { type Grading, gradingOf, markClosed } from './setting.ts';
import { type Closed, tell } from './tell.ts';
import { dropOthers, endOlder, type Graded, gradedSuppliers, type Outcome, writeScores } from './write.ts';

/** Quarters that are made up for at most, after a time in which nothing ran. */
const MOST = 4;

type Decide = (supplier: Graded, score: Score) => Omit<Outcome, 'supplierId' | 'score'>;
const OPEN = { state: 'running', gradeBefore: null } as const;

/**
 * Measures all suppliers of whom something fell due in an open quarter; answers what became of each. Without `decide` the
 * quarter stays open.
 */
async function measure(ctx: Ctx, quarter: string, grading: Grading, decide?: Decide): Promise<Outcome[]> {
  const period = daysOf(quarter);
  const ids = await dueSuppliers(ctx, period);
  await dropOthers(ctx, quarter, ids);
  const all: Outcome[] = [];
  for (const chunk of chunksOf(ids)) {
    const suppliers = await gradedSuppliers(ctx, chunk, decide !== undefined);
    const scores = await measured(ctx, suppliers, period, grading);
    const outcomes = suppliers.flatMap((supplier) => {
      const score = scores.get(supplier.id);
      return score && score.lines > 0
        ? [{ supplierId: supplier.id, score, ...(decide?.(supplier, score) ?? OPEN) }]
        : [];
    });
    await writeScores(ctx, quarter, outcomes);
    all.push(...outcomes);
  }
  return all;
}

/** Whether a score asks for another grade than a supplier has, and may have it. */
const asksChange = ({ grade, locked }: Graded, score: Score) =>
  score.grade !== null && score.grade !== grade && !locked;

async function applied(ctx: Ctx, quarter: string, { supplierId, score, state, gradeBefore }: Outcome): Promise<void> {
  if (state !== 'applied' || score.grade === null || score.total === null || gradeBefore === null) return;
  const total = score.total.toFixed(2);
  await changeGrade(ctx, supplierId, gradeBefore, score.grade, { source: 'automatic', quarter, total });
  await audit(ctx, {
    action: '自动调整等级',
    resource: 'supplier',
    resourceId: supplierId,
    before: { grade: gradeBefore },
    after: { grade: score.grade, quarter, total },
  });
}

/** Closes a quarter: its figures stay. Only of the newest one grades are proposed, or changed where the company wants it so. */
async function close(ctx: Ctx, grading: Grading, quarter: string, newest: boolean): Promise<Closed> {
  const { automatic, firstQuarter } = grading;
  const changing = automatic && firstQuarter !== null && quarter >= firstQuarter ? 'applied' : 'proposed';
  const outcomes = await measure(ctx, quarter, grading, (supplier, score) => ({
    state: newest && asksChange(supplier, score) ? changing : 'none',
    gradeBefore: supplier.grade,
  }));
  for (const outcome of outcomes) await applied(ctx, quarter, outcome);
  await endOlder(ctx, quarter);
  await markClosed(ctx, quarter);
  const count = (state: Outcome['state']) => outcomes.filter((outcome) => outcome.state === state).length;
  return { quarter, scored: outcomes.length, proposed: count('proposed'), applied: count('applied') };
}

/** Closes the next quarter whose grace is over; undefined where there is none. */
async function closeNext(ctx: Ctx): Promise<Closed | undefined> {
  const grading = await gradingOf(ctx, true);
  const newest = closable(ctx.clock.today(), grading.graceDays);
  const earliest = quarterAfter(newest, 1 - MOST);
  const following = grading.closedQuarter === null ? undefined : quarterAfter(grading.closedQuarter);
  const quarter = following !== undefined && following > earliest ? following : earliest;
  if (quarter > newest) return undefined;
  const closed = await close(ctx, grading, quarter, quarter === newest);
  // Whoever begins with a year of orders hears of the last quarter alone.
  if (quarter === newest) await tell(ctx, closed);
  return closed;
}

/** Computes the quarters that are not closed: the running one, and the one before it as long as its grace lasts. */
async function measureOpen(ctx: Ctx): Promise<number> {
  const grading = await gradingOf(ctx, true);
  const today = ctx.clock.today();
  const running = quarterOf(today);
  const last = grading.closedQuarter ?? closable(today, grading.graceDays);
  let quarter = quarterAfter(last);
  let suppliers = 0;
  for (; quarter <= running; quarter = quarterAfter(quarter)) {
    const open = await measure(ctx, quarter, grading);
    if (quarter === running) suppliers = open.length;
  }
  return suppliers;
}

/** What a night brought. */
export interface Night {
  closed: Closed[];
  /** Suppliers that have a score in the running quarter. */
  running: number;
}

/**
 * The nightly work for a company: closes quarters whose grace is over, one transaction each, and computes the open ones.
 * A second run on the same day changes nothing.
 */
export async function gradeNight(runtime: Runtime, companyId: string): Promise<Night> {
  const principal = systemPrincipal(companyId);
  const closed: Closed[] = [];
  for (;;) {
    const next = await inTenant(runtime, principal, closeNext);
    if (!next) break;
    closed.push(next);
  }
  return { closed, running: await inTenant(runtime, principal, measureOpen) };
}
