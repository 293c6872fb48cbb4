import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf, marketplaceOf } from '../../contract/marketplaces.ts';
import { METRICS, type MetricState } from '../../contract/performance.ts';
import { setSuspended } from '../auth/block.ts';
import { businessDay } from '../files/zones.ts';
import { remindOfPerformance } from '../reminders.ts';
import { marketplaceNow } from '../settings.ts';
import type { LandCounts, ReportCheck, ReportLoader, ReportPlan, ReportSource } from '../streams.ts';
import { type Alert, alertOf, judged } from './alert.ts';
import { readPerformance, type SitePerformance } from './read.ts';

const TYPE = 'GET_V2_SELLER_PERFORMANCE_REPORT';

/** Once a day, also while the account is restricted: that is how its end is noticed. */
export const performancePlan: ReportPlan = {
  code: 'performance',
  title: '店铺绩效',
  reportType: TYPE,
  how: 'snapshot',
  windowDays: 1,
  historyDays: 0,
  priority: 60,
  cadenceSec: 24 * 3600,
  sloMin: 26 * 60,
  whileSuspended: true,
  wokenBy: ['ACCOUNT_STATUS_CHANGED'],
};

async function check(source: ReportSource): Promise<ReportCheck> {
  const sites = await readPerformance(source);
  const names = sites.map((site) => countryOf(site.marketplaceId)).join('、');
  return { rows: sites.length, from: null, to: null, summary: `店铺绩效 · ${names}`, warnings: [] };
}

/** States of the last snapshot before a day, by metric. */
async function statesBefore(ctx: Ctx, accountId: string, site: SitePerformance, alert: Alert) {
  const row = await ctx.db
    .selectFrom('marketplace.health_snapshot')
    .select('metrics')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId)
    .where('marketplace_id', '=', site.marketplaceId)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  const metrics = (row?.metrics ?? []) as unknown as SitePerformance['metrics'];
  return new Map<string, MetricState>(metrics.map((metric) => [metric.key, judged(metric, alert)]));
}

const RANK: Record<MetricState, number> = { none: 0, good: 0, warning: 1, bad: 2 };

/** Metrics that stand worse than at the last report: what people are told. */
async function worsened(ctx: Ctx, accountId: string, site: SitePerformance, alert: Alert): Promise<string[]> {
  const before = await statesBefore(ctx, accountId, site, alert);
  return site.metrics.flatMap((metric) => {
    const state = judged(metric, alert);
    const worse = RANK[state] > RANK[before.get(metric.key) ?? 'none'];
    if (!worse || alert.muted.includes(metric.key)) return [];
    const title = METRICS.find((one) => one.key === metric.key)?.title ?? metric.key;
    return [`${title} ${state === 'bad' ? '不达标' : '接近目标'}`];
  });
}

/** Writes what a site's report says of its day; one that is older than what is known of the day changes nothing. */
async function writeSite(ctx: Ctx, source: ReportSource, site: SitePerformance, day: string, asOf: string) {
  const { rows } = await sql<{ fresh: boolean }>`
    INSERT INTO marketplace.health_snapshot AS h
      (company_id, account_id, marketplace_id, day, standing, payload, metrics, document_id, as_of)
    VALUES (${ctx.companyId}, ${source.account.id}, ${site.marketplaceId}, ${day}, ${site.standing},
            ${JSON.stringify(site.payload)}, ${JSON.stringify(site.metrics)}, ${source.documentId}, ${asOf})
    ON CONFLICT (company_id, account_id, marketplace_id, day) DO UPDATE
       SET standing = excluded.standing, payload = excluded.payload, metrics = excluded.metrics,
           document_id = excluded.document_id, as_of = excluded.as_of, captured_at = kit.now()
     WHERE h.as_of <= excluded.as_of
       AND (h.standing, h.payload, h.metrics, h.document_id, h.as_of) IS DISTINCT FROM
           (excluded.standing, excluded.payload, excluded.metrics, excluded.document_id, excluded.as_of)
    RETURNING (xmax = 0) AS fresh`.execute(ctx.db);
  return rows[0]?.fresh;
}

/**
 * The marketplace time that a report speaks of, which it does not state: when it was asked for; of an upload when it was
 * loaded first.
 */
async function timeOf(ctx: Ctx, source: ReportSource): Promise<string> {
  if (source.asked) return new Date(source.asked.to).toISOString();
  const known = await ctx.db
    .selectFrom('marketplace.health_snapshot')
    .select('as_of')
    .where('company_id', '=', ctx.companyId)
    .where('document_id', '=', source.documentId)
    .limit(1)
    .executeTakeFirst();
  return known?.as_of ?? (await marketplaceNow(ctx.runtime)).toISOString();
}

/** Whether nothing later is known of the account: only then a report says how it stands. */
async function isNewest(ctx: Ctx, accountId: string, asOf: string): Promise<boolean> {
  const later = await ctx.db
    .selectFrom('marketplace.health_snapshot')
    .select('day')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId)
    .where('as_of', '>', asOf)
    .limit(1)
    .executeTakeFirst();
  return later === undefined;
}

/** Restricted only where the marketplace says so of every site; one that is silent says nothing. */
function restricted(sites: readonly SitePerformance[]): boolean | undefined {
  const said = sites.filter((site) => site.standing !== 'UNKNOWN');
  return said.length === 0 ? undefined : said.every((site) => site.standing === 'DEACTIVATED');
}

async function load(ctx: Ctx, source: ReportSource): Promise<LandCounts> {
  const sites = await readPerformance(source);
  const accountId = source.account.id;
  const asOf = await timeOf(ctx, source);
  const newest = await isNewest(ctx, accountId, asOf);
  const alert = await alertOf(ctx);
  const counts = { rowsIn: sites.length, inserted: 0, updated: 0, unchanged: 0 };
  for (const site of sites) {
    const day = businessDay(asOf, marketplaceOf(site.marketplaceId)?.timeZone ?? 'UTC');
    const worse = await worsened(ctx, accountId, site, alert);
    const fresh = await writeSite(ctx, source, site, day, asOf);
    counts[fresh === undefined ? 'unchanged' : fresh ? 'inserted' : 'updated'] += 1;
    const isNews = newest && fresh !== undefined && worse.length > 0;
    if (isNews) await remindOfPerformance(ctx, accountId, site.marketplaceId, day, worse);
  }
  const stopped = newest ? restricted(sites) : undefined;
  if (stopped !== undefined) await setSuspended(ctx, accountId, stopped);
  return counts;
}

export const performanceLoader: ReportLoader = { reportTypes: [TYPE], title: '店铺绩效', check, load };
