import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { monthRates } from '#modules/finance/server/index.ts';
import { countingSettlements, type SettledFee, settledFees } from '#modules/settlement/server/index.ts';
import { firstDay } from '../../contract/fields.ts';
import type { makeVouchers } from '../../contract/settled.ts';
import { REVERSE, voucher } from '../../contract/vouchers.ts';
import { act, isClosed, takeBack } from '../act.ts';
import { startOf } from '../book.ts';
import { locked } from '../load.ts';
import { allSubjects, type Subject } from '../subjects.ts';
import { draft } from '../write.ts';
import { RULE_VERSION, settlementLines } from './rule.ts';

/** Source of vouchers that settlements make; their `source_ref` is the settlement's document. */
export const SETTLEMENT = 'settlement';

type Made = Reply<typeof makeVouchers>;

interface Known {
  id: string;
  number: string;
  state: string;
  ref: string;
}

/** Vouchers of settlements that are drafts, on their way or posted, and were not taken back. */
async function knownVouchers(ctx: Ctx): Promise<Known[]> {
  const { rows } = await sql<Known>`
    SELECT id, number, state, source_ref AS ref FROM accounting.voucher
     WHERE company_id = ${ctx.companyId} AND source = ${SETTLEMENT} AND reversal_of IS NULL
     ORDER BY day, id`.execute(ctx.db);
  return rows;
}

/** Takes vouchers back whose settlement has a newer version: posted ones in red, drafts by making them void. */
async function takeBackStale(ctx: Ctx, known: readonly Known[]): Promise<Pick<Made, 'reversed' | 'skipped'>> {
  const alive = known.filter(({ state }) => state !== 'void' && state !== 'reversed');
  const counting = await countingSettlements(
    ctx,
    alive.map(({ ref }) => ref),
  );
  const done: Pick<Made, 'reversed' | 'skipped'> = { reversed: 0, skipped: [] };
  const reason = '结算文件有新版本';
  for (const { id, number, state } of alive.filter(({ ref }) => !counting.has(ref))) {
    if (state === 'draft' || state === 'submitted') await act(ctx, id, 'void', { reason });
    else if (state === 'posted' && can(ctx, REVERSE)) await takeBack(ctx, await locked(ctx, id), reason);
    else {
      done.skipped.push({
        name: number,
        why: state === 'posted' ? '结算有新版本，需要红字冲销的权限' : '结算有新版本，请先退回',
      });
      continue;
    }
    done.reversed += 1;
  }
  return done;
}

/** The day of a voucher: that of the settlement's end, today where its month takes no more. */
async function dayFor(ctx: Ctx, day: string): Promise<string> {
  return (await isClosed(ctx, day.slice(0, 7))) ? ctx.clock.today() : day;
}

/** Writes the draft of one settlement, or says why it cannot be. */
async function makeOne(
  ctx: Ctx,
  fees: readonly SettledFee[],
  rate: string | undefined,
  subjects: ReadonlyMap<string, Subject>,
): Promise<string | undefined> {
  const [first] = fees;
  if (!first) return undefined;
  if (rate === undefined) return `缺少 ${first.currency} ${first.day.slice(0, 7)} 汇率`;
  const lines = settlementLines(fees, rate);
  if (lines.length === 0) return '只有往来变动，没有收支';
  const missing = lines.find(({ code }) => subjects.get(code)?.leaf !== true);
  if (missing) return `科目 ${missing.code} 不存在或有下级，请套用模板或调整科目`;
  await draft(ctx, {
    type: 'GENERAL',
    day: await dayFor(ctx, first.day),
    attachments: 1,
    source: SETTLEMENT,
    made: { ref: first.documentId, version: RULE_VERSION },
    lines: lines.map(({ code, ...line }) => ({ ...line, subjectId: subjects.get(code)?.id ?? '' })),
  });
  return undefined;
}

/** How many settlements that ended in a month "yyyy-MM" have no voucher and would get one. */
export async function missingSettlements(ctx: Ctx, month: string): Promise<number> {
  const had = new Set((await knownVouchers(ctx)).map(({ ref }) => ref));
  const settlements = Map.groupBy(await settledFees(ctx, firstDay(month)), ({ documentId }) => documentId);
  return [...settlements].filter(([id, fees]) => !had.has(id) && settlementLines(fees, '1').length > 0).length;
}

/**
 * Makes the drafts of all settlements that ended in a month "yyyy-MM", each once; those whose settlement has a newer
 * version are taken back first. Which could not be made is told by name.
 * @throws refused B2717 for a month before the books begin; conflict where there are none
 */
export function makeOf(ctx: Ctx, month: string): Promise<Made> {
  return unscoped(ctx, async () => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`accounting.settled:${ctx.companyId}`}, 0))`.execute(
      ctx.db,
    );
    const start = await startOf(ctx);
    if (month < start) throw refused(`账套从 ${start} 启用，不能生成更早的凭证`, 'B2717');
    const known = await knownVouchers(ctx);
    const { reversed, skipped } = await takeBackStale(ctx, known);
    const had = new Set(known.map(({ ref }) => ref));
    const rates = await monthRates(ctx);
    const subjects = new Map((await allSubjects(ctx)).map((subject) => [subject.code, subject]));
    const settlements = Map.groupBy(await settledFees(ctx, firstDay(month)), ({ documentId }) => documentId);
    let made = 0;
    for (const [id, fees] of settlements) {
      const [first] = fees;
      if (!first || had.has(id)) continue;
      const rate = first.currency === 'CNY' ? '1' : rates.get(`${first.currency} ${first.day.slice(0, 7)}`);
      const why = await makeOne(ctx, fees, rate, subjects);
      if (why === undefined) made += 1;
      else skipped.push({ name: first.settlementId, why });
    }
    await audit(ctx, { action: '结算生成凭证', resource: voucher.name, after: { month, count: made } });
    return { made, existed: [...settlements.keys()].filter((id) => had.has(id)).length, reversed, skipped };
  });
}
