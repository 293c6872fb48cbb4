import { sql } from 'kysely';
import { columnsOf } from '#kit/contract/columns.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';
import { countryOf } from '../../contract/marketplaces.ts';
import { ExportRow, METRICS, type Metric, type ShownMetric, type Standing } from '../../contract/performance.ts';
import { type Alert, alertOf, judged } from './alert.ts';

export interface SiteQuery {
  groupid: string;
  marketplaceid: string;
}

/** The account of a store that sells in a site. @throws AppError 404 */
async function accountFor(ctx: Ctx, { groupid, marketplaceid }: SiteQuery): Promise<{ id: string; seller: string }> {
  const row = await ctx.db
    .selectFrom('marketplace.seller_account as a')
    .innerJoin('marketplace.seller_marketplace as m', (join) =>
      join.onRef('m.company_id', '=', 'a.company_id').onRef('m.account_id', '=', 'a.id'),
    )
    .select(['a.id', 'a.selling_partner_id as seller'])
    .where('a.company_id', '=', ctx.companyId)
    .where('a.store_id', '=', groupid)
    .where('a.status', '!=', 'deleted')
    .where('m.marketplace_id', '=', marketplaceid)
    .orderBy(sql`a.status IN ('active', 'expiring', 'suspended')`, 'desc')
    .executeTakeFirst();
  if (!row) throw notFound('店铺在该站点没有授权');
  return row;
}

/** Every metric in the order of the page, with what a report says of it and how that stands. */
export function shownOf(metrics: readonly Metric[], alert: Alert): ShownMetric[] {
  return METRICS.map(({ key, title, card, kind }) => {
    const metric = metrics.find((one) => one.key === key);
    const none: Metric = {
      key,
      value: null,
      target: null,
      condition: null,
      orders: null,
      part: null,
      from: null,
      to: null,
      amazon: null,
    };
    return { ...(metric ?? none), title, card, kind, state: metric ? judged(metric, alert) : 'none' };
  });
}

/** The three cards of a store's site, as of its last report. */
export async function performanceOf(ctx: Ctx, query: SiteQuery) {
  const account = await accountFor(ctx, query);
  const row = await ctx.db
    .selectFrom('marketplace.health_snapshot')
    .select(['day', 'standing', 'metrics', 'captured_at'])
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', account.id)
    .where('marketplace_id', '=', query.marketplaceid)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  const metrics = (row?.metrics ?? []) as unknown as Metric[];
  return {
    authid: account.id,
    sellerid: account.seller,
    standing: (row?.standing ?? 'UNKNOWN') as Standing,
    day: row?.day ?? null,
    capturedAt: row?.captured_at ?? null,
    metrics: shownOf(metrics, await alertOf(ctx)),
  };
}

interface Snapshot {
  day: string;
  metrics: Metric[];
}

async function snapshots(ctx: Ctx, query: SiteQuery, days: number): Promise<Snapshot[]> {
  const account = await accountFor(ctx, query);
  const { rows } = await sql<Snapshot>`
    SELECT day, metrics FROM marketplace.health_snapshot
     WHERE company_id = ${ctx.companyId} AND account_id = ${account.id} AND marketplace_id = ${query.marketplaceid}
     ORDER BY day DESC LIMIT ${days}`.execute(ctx.db);
  return rows.reverse();
}

/** Values day by day, oldest first, of the last `days` days that have a report. */
export async function trendOf(ctx: Ctx, query: SiteQuery & { days: number }) {
  const rows = await snapshots(ctx, query, query.days);
  const targets: Record<string, string> = {};
  const series: Record<string, (string | null)[]> = {};
  for (const { key } of METRICS) {
    const found = rows.map((row) => row.metrics.find((metric) => metric.key === key));
    series[key] = found.map((metric) => (metric?.amazon === 'NONE' ? null : (metric?.value ?? null)));
    const target = found.findLast((metric) => metric?.target)?.target;
    if (target) targets[key] = target;
  }
  return { days: rows.map((row) => row.day), series, targets };
}

/** The same as a table, one line per day and metric. */
export async function performanceFile(ctx: Ctx, query: SiteQuery & { days: number }): Promise<FileReply> {
  const rows = await snapshots(ctx, query, query.days);
  const alert = await alertOf(ctx);
  const lines = (async function* (): AsyncGenerator<ExportRow> {
    for (const { day, metrics } of rows) {
      for (const { title, value, target, orders, from, to, state } of shownOf(metrics, alert)) {
        yield { day, title, value, target, orders, period: from && to ? `${from} 至 ${to}` : '', state };
      }
    }
  })();
  const stream = exportStream(lines, { format: 'xlsx', sheet: '店铺绩效', columns: columnsOf(ExportRow) });
  return new FileReply(`店铺绩效-${countryOf(query.marketplaceid)}.xlsx`, MEDIA_TYPES.xlsx, stream);
}
