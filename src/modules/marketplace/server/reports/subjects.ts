import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { AccountRef, ReportPlan } from '../streams.ts';

/**
 * Amazon makes some twenty reports a day that name products, of one account for all applications together, and leaves others
 * in its queue (its support to developers, 2026; the reference does not say so). What is over comes with the next turns.
 */
const PER_TURN = 20;

export interface WishedReport {
  sites: string[];
  from: Date;
  to: Date;
  /** Newest window first: 0. */
  index: number;
  subject: string;
}

type Window = Omit<WishedReport, 'subject'>;

/** The reports of windows: one each, or one for each thing that the plan's reports must name. */
export async function withSubjects(
  ctx: Ctx,
  account: AccountRef,
  plan: ReportPlan,
  windows: readonly Window[],
): Promise<WishedReport[]> {
  if (!plan.subjects) return windows.map((window) => ({ ...window, subject: '' }));
  const known = new Map<string, string[]>();
  const wished: WishedReport[] = [];
  for (const window of windows) {
    const place = window.sites.join();
    const subjects = known.get(place) ?? (await plan.subjects(ctx, account, window.sites));
    known.set(place, subjects);
    wished.push(...subjects.map((subject) => ({ ...window, subject })));
  }
  return wished;
}

const nameOf = ({ sites, from, to, subject }: WishedReport): string =>
  JSON.stringify([sites, from.getTime(), to.getTime(), subject]);

/** Of reports that must name something those that nobody has read or waits for yet; the newest windows first. */
export async function notYetRead(
  ctx: Ctx,
  account: AccountRef,
  plan: ReportPlan,
  wished: readonly WishedReport[],
): Promise<WishedReport[]> {
  if (!plan.subjects) return [...wished];
  const { rows } = await sql<{ sites: string[]; from: string; to: string; subject: string }>`
    SELECT marketplace_ids AS sites, data_from AS "from", data_to AS "to", subject FROM marketplace.report_request
     WHERE company_id = ${ctx.companyId} AND account_id = ${account.id} AND report_type = ${plan.reportType}
       AND data_from IS NOT NULL AND status NOT IN ('empty', 'failed')`.execute(ctx.db);
  const known = new Set(
    rows.map((row) => nameOf({ ...row, from: new Date(row.from), to: new Date(row.to), index: 0 })),
  );
  return wished
    .filter((one) => !known.has(nameOf(one)))
    .sort((a, b) => a.index - b.index)
    .slice(0, PER_TURN);
}
