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

async function writeSite(ctx: Ctx, source: ReportSource, site: SitePerformance, day: string): Promise<'new' | 'known'> {
  const { rows } = await sql<{ fresh: boolean }>`
    INSERT INTO marketplace.health_snapshot AS h
      (company_id, account_id, marketplace_id, day, standing, payload, metrics, document_id)
    VALUES (${ctx.companyId}, ${source.account.id}, ${site.marketplaceId}, ${day}, ${site.standing},
            ${JSON.stringify(site.payload)}, ${JSON.stringify(site.metrics)}, ${source.documentId})
    ON CONFLICT (company_id, account_id, marketplace_id, day) DO UPDATE
       SET standing = excluded.standing, payload = excluded.payload, metrics = excluded.metrics,
           document_id = excluded.document_id, captured_at = now()
    RETURNING (xmax = 0) AS fresh`.execute(ctx.db);
  return rows[0]?.fresh ? 'new' : 'known';
}

/** Restricted only where the marketplace says so of every site; one that is silent says nothing. */
function restricted(sites: readonly SitePerformance[]): boolean | undefined {
  const said = sites.filter((site) => site.standing !== 'UNKNOWN');
  return said.length === 0 ? undefined : said.every((site) => site.standing === 'DEACTIVATED');
}

async function load(ctx: Ctx, source: ReportSource): Promise<LandCounts> {
  const sites = await readPerformance(source);
  const now = await marketplaceNow(ctx.runtime);
  const alert = await alertOf(ctx);
  const counts = { rowsIn: sites.length, inserted: 0, updated: 0, unchanged: 0 };
  for (const site of sites) {
    const day = businessDay(now.getTime(), marketplaceOf(site.marketplaceId)?.timeZone ?? 'UTC');
    const worse = await worsened(ctx, source.account.id, site, alert);
    if ((await writeSite(ctx, source, site, day)) === 'new') counts.inserted += 1;
    else counts.updated += 1;
    if (worse.length > 0) await remindOfPerformance(ctx, source.account.id, site.marketplaceId, day, worse);
  }
  const stopped = restricted(sites);
  if (stopped !== undefined) await setSuspended(ctx, source.account.id, stopped);
  return counts;
}

export const performanceLoader: ReportLoader = { reportTypes: [TYPE], title: '店铺绩效', check, load };
