import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type CronItem, type JobDef, job } from '#kit/server/jobs/define.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { remind } from '#modules/message/server/index.ts';
import { PLATFORM } from '#modules/system/contract/shared.ts';
import { companies } from '../../companies.ts';
import { ecb } from './ecb.ts';
import type { Published, Publisher } from './quotes.ts';

/** A process that stops waits for its work: a publisher who does not answer is asked again with the next turn. */
const TIMEOUT_MS = 10_000;
/** Days without a new publication that no weekend and no holiday explains. */
const LATE_DAYS = 5;
export const RATES_LATE = 'finance.ratesLate';

/** A publication from an address, or from a file where there is no network. @throws what reading it came to */
async function fetched(source: string): Promise<string> {
  if (!/^https?:/.test(source)) return readFile(source, 'utf8');
  const response = await fetch(source, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.text();
}

/** Keeps what was published; a day that was published again differently is corrected. Answers how many rates are new. */
export async function keepPublished(ctx: Ctx, { title }: Publisher, days: readonly Published[]): Promise<number> {
  const rows = days.flatMap(({ day, rates }) => [...rates].map(([currency, rate]) => ({ currency, day, rate })));
  const { rows: written } = await sql<{ n: number }>`
    WITH written AS (
      INSERT INTO finance.day_rate AS d (company_id, currency, day, rate, source, updated_by_name)
      SELECT ${ctx.companyId}, r.currency, r.day, r.rate, ${title}, '系统'
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(currency text, day date, rate numeric)
      ON CONFLICT (company_id, currency, day) DO UPDATE
         SET rate = excluded.rate, source = excluded.source, updated_at = kit.now()
       WHERE d.rate <> excluded.rate
      RETURNING 1
    ) SELECT count(*)::int AS n FROM written`.execute(ctx.db);
  return written[0]?.n ?? 0;
}

/** The newest day that was published; null before the first. */
export async function newestPublished(ctx: Ctx): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    SELECT max(day)::text AS day FROM finance.day_rate WHERE company_id = ${PLATFORM}`.execute(ctx.db);
  return rows[0]?.day ?? null;
}

/** Tells whoever keeps the rates that none has come for days; once for each time that they stay away. */
async function tellLate(ctx: Ctx, newest: string | null): Promise<void> {
  const since = newest === null ? '还没有' : `最近一期为 ${newest}，之后没有`;
  await remind(ctx, {
    to: { permission: 'fin:fx:edit' },
    title: '官方汇率迟到',
    content: `${since}收到官方汇率。没有当天或之前7天内的汇率时，外币单据将不能提交；请在「汇率与关账」录入或导入。`,
    event: RATES_LATE,
    dedupeKey: `${RATES_LATE}:${newest}`,
  });
}

/** Whether the publication is late: no new day for longer than weekends and holidays last. */
export function isLate(newest: string | null, today: string): boolean {
  return newest === null || Date.parse(today) - Date.parse(newest) > LATE_DAYS * 86_400_000;
}

/** Reads what is published and keeps it; a publication that cannot be read is tried again with the next turn. */
export async function readFeed(runtime: Runtime): Promise<void> {
  const source = runtime.config.rateFeed;
  if (!source) return;
  const found = await fetched(source)
    .then((text) => ecb.read(text))
    .catch((error: unknown) => {
      runtime.log.warn({ err: error, source }, 'exchange rates could not be read');
      return [];
    });
  const newest = await inTenant(runtime, systemPrincipal(PLATFORM), async (ctx) => {
    ctx.audited = true;
    await keepPublished(ctx, ecb, found);
    return newestPublished(ctx);
  });
  if (!isLate(newest, runtime.clock.today())) return;
  for (const companyId of await companies(runtime)) {
    await inTenant(runtime, systemPrincipal(companyId), (ctx) => tellLate(ctx, newest));
  }
}

export const feedJob: JobDef = job('finance.rates', readFeed);

/** At the start, after the publication of about 16:00 in Frankfurt, summer and winter, and twice more where that was missed. */
export const feedCrons: CronItem[] = [{ pattern: '20 3,15,21 * * *', job: 'finance.rates', atStart: true }];
