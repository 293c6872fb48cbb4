import { sql } from 'kysely';
import type { z } from 'zod';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { LedgerSource } from '#kit/server/ledger-source.ts';
import { unscoped } from '#kit/server/scope.ts';
import { firstDay } from '../../contract/fields.ts';
import type { makeVouchers } from '../../contract/rules.ts';
import { REVERSE, voucher } from '../../contract/vouchers.ts';
import { act, isClosed, takeBack } from '../act.ts';
import { startOf } from '../book.ts';
import { locked } from '../load.ts';
import { draft, type Paper, rewrite } from '../write.ts';
import { bookable, type Ground, groundOf, groupsOf } from './booked.ts';
import { keepFacts } from './facts.ts';
import { digestOf, type Group, type RuleLine, titleOf } from './lines.ts';
import { type Rule, rulesFor } from './rule.ts';
import { sourceOf, sourcesOf } from './sources.ts';

type Made = Reply<typeof makeVouchers>;
type Told = Pick<Made, 'made' | 'existed' | 'changed' | 'reversed' | 'skipped'>;

/** A voucher of a source that was not taken back. */
interface Known {
  id: string;
  number: string;
  state: 'draft' | 'submitted' | 'approved' | 'posted';
  ref: string;
  /** '' of vouchers that were made before this was kept. */
  digest: string;
  /** Version of the rule that it was made by. */
  version: number;
  /** A person changed the draft. */
  edited: boolean;
}

/** The vouchers of a source's events in a month that stand, by what they were made from. */
export async function standing(ctx: Ctx, source: string, month: string): Promise<Map<string, Known>> {
  const { rows } = await sql<Known>`
    SELECT id, number, state, source_ref AS ref, source_digest AS digest, template_version AS version,
           source_edited AS edited
      FROM accounting.voucher
     WHERE company_id = ${ctx.companyId} AND source = ${source} AND source_month = ${firstDay(month)}::date AND source_ref <> ''
       AND reversal_of IS NULL AND state NOT IN ('void', 'reversed')
     ORDER BY day, id`.execute(ctx.db);
  return new Map(rows.map((row) => [row.ref, row]));
}

/** Whether a voucher says what its events say now. */
export const stands = (known: Known, group: Group): boolean => known.digest === '' || known.digest === digestOf(group);

/** How many vouchers of an event there were, whatever became of them. */
async function timesOf(ctx: Ctx, source: string, ref: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM accounting.voucher
     WHERE company_id = ${ctx.companyId} AND source = ${source} AND source_ref = ${ref} AND reversal_of IS NULL`.execute(
    ctx.db,
  );
  return rows[0]?.n ?? 0;
}

/** Takes a voucher back whose events moved or are gone; in words why it could not. */
async function withdrawn(ctx: Ctx, { id, state }: Known, reason: string): Promise<string | undefined> {
  if (state === 'approved') return `${reason}，请先退回`;
  if (state !== 'posted') await act(ctx, id, 'void', { reason });
  else if (can(ctx, REVERSE)) await takeBack(ctx, await locked(ctx, id), reason);
  else return `${reason}，需要红字冲销的权限`;
  return undefined;
}

/** The day of a voucher: that of its events, today where their month takes no more. */
async function dayFor(ctx: Ctx, day: string): Promise<string> {
  return (await isClosed(ctx, day.slice(0, 7))) ? ctx.clock.today() : day;
}

/** What the vouchers of one source are made with. */
interface Making {
  source: LedgerSource;
  rule: Rule;
  month: string;
  ground: Ground;
}

async function paperOf(ctx: Ctx, { ground, source, rule, month }: Making, group: Group, lines: readonly RuleLine[]) {
  const paper: Paper = {
    type: 'GENERAL',
    day: await dayFor(ctx, group.day),
    attachments: Math.min(group.facts.length, 999),
    source: source.name,
    lines: lines.map(({ code, ...line }) => ({ ...line, subjectId: ground.subjects.get(code)?.id ?? '' })),
    made: { ref: group.ref, version: rule.version, month, digest: digestOf(group), times: 0 },
  };
  return paper;
}

/** Makes the vouchers of one source, and takes back those whose events are gone. */
async function makeSource(ctx: Ctx, one: Making): Promise<Told> {
  const { source, rule, month, ground } = one;
  const told: Told = { made: 0, existed: 0, changed: 0, reversed: 0, skipped: [] };
  const known = await standing(ctx, source.name, month);
  const { groups, booking } = await groupsOf(ctx, source, rule, month, ground);
  const skip = (name: string, why: string) => told.skipped.push({ name, why });
  const back = async (old: Known, reason: string) => {
    const why = await withdrawn(ctx, old, reason);
    if (why !== undefined) skip(old.number, why);
    else told.reversed += 1;
    return why === undefined;
  };
  const wanted = new Set(groups.map(({ ref }) => ref));
  for (const [ref, old] of known) if (!wanted.has(ref)) await back(old, `${source.title}的来源已变更`);
  for (const group of groups) {
    const old = known.get(group.ref);
    // A draft that nobody touched follows its rule, too.
    const follows = old?.state === 'draft' && !old.edited && old.digest !== '' && old.version !== rule.version;
    if (old && stands(old, group) && !follows) {
      told.existed += 1;
      continue;
    }
    if (old?.state === 'draft' && old.edited) {
      skip(old.number, '来源已变更，而草稿手工修改过；作废后可以重新生成');
      continue;
    }
    const lines = bookable(booking, group, ground);
    if (typeof lines === 'string') {
      // What only moved between Amazon and the seller needs no voucher, and nobody has to be told so.
      if (lines !== '没有需要记账的金额') skip(titleOf({ source }, group), lines);
      continue;
    }
    const paper = await paperOf(ctx, one, group, lines);
    if (old?.state === 'draft') {
      await rewrite(ctx, await locked(ctx, old.id), paper);
      await keepFacts(ctx, old.id, booking, group);
      told.changed += 1;
      continue;
    }
    if (old && !(await back(old, `${source.title}的来源已变更`))) continue;
    const times = await timesOf(ctx, source.name, group.ref);
    const { id } = await draft(ctx, { ...paper, ...(paper.made && { made: { ...paper.made, times } }) });
    await keepFacts(ctx, id, booking, group);
    told.made += 1;
  }
  return told;
}

/**
 * Makes the drafts of all events of a month "yyyy-MM", each once. What moved since: drafts are written anew, posted vouchers
 * taken back in red and made anew. Which could not be made is told by name.
 * @throws refused B2717 for a month before the books begin; conflict where there are none; notFound for no source
 */
export function makeOf(ctx: Ctx, { month, sources }: z.output<typeof makeVouchers.body>): Promise<Made> {
  return unscoped(ctx, async () => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`accounting.made:${ctx.companyId}`}, 0))`.execute(ctx.db);
    const start = await startOf(ctx);
    if (month < start) throw refused(`账套从 ${start} 启用，不能生成更早的凭证`, 'B2717');
    const ground = await groundOf(ctx);
    const ruleFor = await rulesFor(ctx, month);
    const all: Made = { made: 0, existed: 0, changed: 0, reversed: 0, skipped: [], bySource: [] };
    for (const source of sources?.map((name) => sourceOf(ctx, name)) ?? sourcesOf(ctx)) {
      const rule = ruleFor(source);
      if (!rule.active) continue;
      const told = await makeSource(ctx, { source, rule, month, ground });
      for (const key of ['made', 'existed', 'changed', 'reversed'] as const) all[key] += told[key];
      all.skipped.push(...told.skipped);
      all.bySource.push({ title: source.title, made: told.made, existed: told.existed });
    }
    await audit(ctx, { action: '业务生成凭证', resource: voucher.name, after: { month, count: all.made } });
    return all;
  });
}

/** How many vouchers a month "yyyy-MM" lacks, or has that say what is not so any more; by the title of the source. */
export function missing(ctx: Ctx, month: string): Promise<{ title: string; count: number }[]> {
  return unscoped(ctx, async () => {
    const ground = await groundOf(ctx);
    const ruleFor = await rulesFor(ctx, month);
    const lacking: { title: string; count: number }[] = [];
    for (const source of sourcesOf(ctx)) {
      const rule = ruleFor(source);
      if (!rule.active) continue;
      const known = await standing(ctx, source.name, month);
      const { groups, booking } = await groupsOf(ctx, source, rule, month, ground);
      const open = groups.filter((group) => {
        const old = known.get(group.ref);
        return old ? !stands(old, group) : bookable(booking, group, ground) !== '没有需要记账的金额';
      });
      if (open.length > 0) lacking.push({ title: source.title, count: open.length });
    }
    return lacking;
  });
}
