import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SimAdRow } from '../business/ads-types.ts';
import type { SimAccount } from '../business/types.ts';
import { AdsError, type AdsRequest, type AdsRoute, answerAds, scopeOf } from './ads-gate.ts';
import { recent } from './ads-recent.ts';
import { adsDimension, adsFilterValue, adsReportShapes } from './ads-report-columns.ts';
import { metricsOf, type Part } from './ads-report-metrics.ts';
import { breakConnection, hang, htmlError } from './breakage.ts';
import { iso } from './clock.ts';
import type { AdsReportCommand } from './command-log.ts';
import type { FaultTarget } from './faults.ts';
import { unitDraw } from './random.ts';
import type { World } from './world.ts';

const DAY_MS = 86_400_000;
const MEDIA = 'application/vnd.createasyncreportrequest.v3+json';
const PRODUCTS = { SP: 'SPONSORED_PRODUCTS', SB: 'SPONSORED_BRANDS', SD: 'SPONSORED_DISPLAY' } as const;
/** Days that one report may cover, and how old they may be, by product; purchases of brands are kept for two years. */
const MAX_DAYS = 31;
const KEPT_DAYS = { SP: 95, SB: 60, SD: 65 } as const;
const TWO_YEARS = 731;
const LINK_LIFE_MS = 60 * 60_000;

const bad = (detail: string): AdsError => new AdsError(400, '400', detail);

type Wish = Pick<
  AdsReportCommand,
  'name' | 'startDate' | 'endDate' | 'reportTypeId' | 'groupBy' | 'columns' | 'timeUnit' | 'keywordTypes'
>;

function dateOf(fields: Record<string, unknown>, name: string): string {
  const value = fields[name];
  const good = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
  if (!good) throw bad(`${name}: a date yyyy-MM-dd is expected`);
  return value;
}

function textsOf(value: unknown, name: string): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.some((one) => typeof one !== 'string')) {
    throw bad(`configuration ${name}: a list of texts is expected`);
  }
  return value.map(String);
}

function keywordTypesOf(filters: unknown): string[] | undefined {
  if (filters === undefined || filters === null) return undefined;
  const [first, ...rest] = Array.isArray(filters) ? (filters as { field?: unknown; values?: unknown }[]) : [];
  if (rest.length > 0 || (first && first.field !== 'keywordType')) throw bad('configuration filters: unknown field');
  return first && textsOf(first.values, 'filters');
}

/** A wish as checked; 400 for what the documentation forbids, 501 for what the sandbox does not simulate. */
function wishOf(world: World, body: unknown): Wish {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const configuration = (fields.configuration ?? {}) as Record<string, unknown>;
  const { adProduct, reportTypeId, timeUnit, format } = configuration;
  const groupBy = textsOf(configuration.groupBy, 'groupBy');
  const shape = adsReportShapes[`${String(reportTypeId)} ${groupBy.join(',')}`];
  if (!shape) throw new AdsError(501, 'NOT_IMPLEMENTED', `${String(reportTypeId)} by ${groupBy.join(',')}`);
  const { product } = shape;
  if (adProduct !== PRODUCTS[product]) throw bad(`configuration adProduct: ${PRODUCTS[product]} is expected`);
  if (timeUnit !== 'DAILY' && timeUnit !== 'SUMMARY') throw bad('configuration timeUnit: DAILY or SUMMARY is expected');
  if (format !== 'GZIP_JSON') throw bad('configuration format: GZIP_JSON is expected');
  const columns = textsOf(configuration.columns, 'columns');
  const known = new Set([
    ...shape.dimensions,
    ...Object.keys(metricsOf(product, String(reportTypeId))),
    ...(timeUnit === 'DAILY' ? ['date'] : []),
  ]);
  const unknown = columns.filter((column) => !known.has(column));
  if (unknown.length > 0) throw bad(`configuration columns includes invalid values: (${unknown.join(', ')})`);
  const startDate = dateOf(fields, 'startDate');
  const endDate = dateOf(fields, 'endDate');
  const days = (Date.parse(endDate) - Date.parse(startDate)) / DAY_MS + 1;
  const purchases = reportTypeId === 'sbPurchasedProduct';
  const most = purchases ? TWO_YEARS : MAX_DAYS;
  if (days < 1 || days > most) throw bad(`The report's period must be 1 to ${most} days`);
  const kept = purchases ? TWO_YEARS : KEPT_DAYS[product];
  if (world.now() - Date.parse(startDate) > (kept + 1) * DAY_MS) throw bad('startDate is outside of retention');
  const keywordTypes = keywordTypesOf(configuration.filters);
  return {
    name: String(fields.name ?? ''),
    startDate,
    endDate,
    reportTypeId: String(reportTypeId),
    groupBy,
    columns,
    timeUnit,
    ...(keywordTypes === undefined ? {} : { keywordTypes }),
  };
}

type Status = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED';

function readyAt(world: World, report: AdsReportCommand): number {
  const [least, most] = world.settings.reportDelayMs;
  return report.askedAt + least + unitDraw(world.seed, 'ads-report', report.reportId) * (most - least);
}

function statusOf(world: World, report: AdsReportCommand): Status {
  const now = world.throttleClock.now();
  const ready = readyAt(world, report);
  if (report.fate === 'stuck') return 'PROCESSING';
  if (now < report.askedAt + (ready - report.askedAt) / 3) return 'PENDING';
  if (now < ready) return 'PROCESSING';
  return report.fate === 'FATAL' ? 'FAILED' : 'COMPLETED';
}

function shapeFor({ reportTypeId, groupBy }: Pick<AdsReportCommand, 'reportTypeId' | 'groupBy'>) {
  const shape = adsReportShapes[`${reportTypeId} ${groupBy.join(',')}`];
  if (!shape) throw new Error(`no report ${reportTypeId}`);
  return shape;
}

function linkOf(world: World, reportId: string): string {
  const expiresAt = world.throttleClock.now() + LINK_LIFE_MS;
  const signature = world.mint.sign(`ads|${reportId}|${expiresAt}`);
  return `${world.publicUrl}/ads-reports/${reportId}?exp=${expiresAt}&sig=${signature}`;
}

function shapeOf(world: World, report: AdsReportCommand): object {
  const { reportId, name, startDate, endDate, reportTypeId, groupBy, columns, timeUnit, keywordTypes } = report;
  const status = statusOf(world, report);
  const done = status === 'COMPLETED';
  return {
    reportId,
    name,
    startDate,
    endDate,
    status,
    configuration: {
      adProduct: PRODUCTS[shapeFor(report).product],
      reportTypeId,
      groupBy,
      columns,
      timeUnit,
      format: 'GZIP_JSON',
      filters: keywordTypes ? [{ field: 'keywordType', values: keywordTypes }] : null,
    },
    createdAt: iso(report.createdAt),
    updatedAt: iso(report.createdAt),
    generatedAt: done ? iso(report.createdAt) : null,
    failureReason: status === 'FAILED' ? 'Report generation failed. Please try again.' : null,
    fileSize: done ? fileOf(world, report).length : null,
    url: done ? linkOf(world, reportId) : null,
    urlExpiresAt: done ? iso(world.throttleClock.now() + LINK_LIFE_MS) : null,
  };
}

function sameWish(a: Wish, b: Wish): boolean {
  const key = ({ startDate, endDate, reportTypeId, groupBy, columns, timeUnit, keywordTypes }: Wish): string =>
    JSON.stringify([startDate, endDate, reportTypeId, groupBy, columns, timeUnit, keywordTypes ?? []]);
  return key(a) === key(b);
}

function create(world: World, account: SimAccount, request: AdsRequest, target: FaultTarget): AdsReportCommand {
  const marketplaceId = scopeOf(account, request);
  const wish = wishOf(world, request.body);
  const { sellingPartnerId, region } = account;
  const open = world.adsReports.find(
    (one) =>
      one.sellingPartnerId === sellingPartnerId &&
      one.marketplaceId === marketplaceId &&
      sameWish(one, wish) &&
      ['PENDING', 'PROCESSING'].includes(statusOf(world, one)),
  );
  if (open) throw new AdsError(425, '425', `The Request is a duplicate of : ${open.reportId}`);
  const struck = { ...target, reportType: wish.reportTypeId };
  const fate = world.faults.strike('reportStuck', struck)
    ? 'stuck'
    : world.faults.strike('reportFatal', struck)
      ? 'FATAL'
      : undefined;
  const hex = createHash('sha256').update(`${world.seed}|ads-report|${world.adsReports.length}`).digest('hex');
  const report: AdsReportCommand = {
    reportId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5'),
    sellingPartnerId,
    region,
    marketplaceId,
    ...wish,
    createdAt: world.now(),
    askedAt: world.throttleClock.now(),
    ...(fate === undefined ? {} : { fate }),
  };
  world.addAdsReport(report);
  return report;
}

const recentRows = recent<readonly SimAdRow[]>();
const recentFiles = recent<Buffer>();

/** The document, zipped: the same bytes on every call, as of the report's creation. */
function fileOf(world: World, report: AdsReportCommand): Buffer {
  return recentFiles(world, report.reportId, () => gzipSync(contentOf(world, report)));
}

function contentOf(world: World, report: AdsReportCommand): string {
  const account = world.account(report.sellingPartnerId, report.region);
  if (!account) throw new Error(`report ${report.reportId} belongs to nobody`);
  const shape = shapeFor(report);
  const { currency } = world.marketplace(report.marketplaceId);
  const days = { from: report.startDate, to: report.endDate };
  const { sellingPartnerId, region, marketplaceId, createdAt } = report;
  const key = [sellingPartnerId, region, marketplaceId, days.from, days.to, createdAt].join('|');
  const all = recentRows(world, key, () => world.business.adRows(account, marketplaceId, days, createdAt));
  const parts = all
    .filter((row) => row.campaign.adProduct === shape.product && (shape.shows?.(row) ?? true))
    .filter((row) => report.keywordTypes?.includes(adsFilterValue(row)) ?? true)
    .flatMap((row): Part[] => shape.parts?.(row) ?? [{ row }]);
  const metrics = metricsOf(shape.product, report.reportTypeId);
  const daily = report.timeUnit === 'DAILY';
  const groups = Map.groupBy(parts, (part) => `${daily ? part.row.day : ''}|${shape.key(part)}`);
  const rows = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const cells = report.columns.map((column): [string, unknown] => {
      const metric = metrics[column];
      if (!metric) return [column, adsDimension(first, column, currency, shape)];
      // Sums of cents as binary numbers, rounded back to cents.
      return [column, Math.round(group.reduce((sum, part) => sum + metric(part), 0) * 100) / 100];
    });
    return [Object.fromEntries(cells)];
  });
  return JSON.stringify(rows);
}

interface Download {
  Params: { reportId: string };
  Querystring: { exp?: string; sig?: string };
}

function send(world: World, reply: FastifyReply, report: AdsReportCommand, target: FaultTarget): FastifyReply {
  const timeout = world.faults.strike('timeoutBefore', target) ?? world.faults.strike('timeoutAfter', target);
  if (timeout) return hang(reply, timeout.ms);
  const broken = world.faults.strike('serverError', target);
  if (broken) return htmlError(reply, broken.status ?? 503);
  const zipped = fileOf(world, report);
  if (world.faults.strike('connectionReset', target)) return breakConnection(reply, zipped, 'application/json');
  const cut = world.faults.strike('truncatedGzip', target) !== undefined;
  const body = cut ? zipped.subarray(0, Math.max(20, Math.floor(zipped.length * 0.6))) : zipped;
  return reply.type('application/octet-stream').send(body);
}

/** Reporting version 3: a wish, its state, and the file behind a signed link. */
export function registerAdsReports(server: FastifyInstance, world: World, base: string): void {
  server.post<AdsRoute>(`${base}/reporting/reports`, (request, reply) =>
    answerAds(world, 'createAdsReport', request, reply, (account, _request, target) => {
      const type = (request.headers['content-type'] ?? '').split(';')[0];
      if (type !== MEDIA) throw new AdsError(415, '415', `content-type: ${MEDIA} is expected`);
      return { body: shapeOf(world, create(world, account, request, target)), type: MEDIA };
    }),
  );
  server.get<AdsRoute>(`${base}/reporting/reports/:reportId`, (request, reply) =>
    answerAds(world, 'getAdsReport', request, reply, (account) => {
      const marketplaceId = scopeOf(account, request);
      const report = world.adsReports.find(
        (one) => one.reportId === request.params.reportId && one.marketplaceId === marketplaceId,
      );
      if (report?.sellingPartnerId !== account.sellingPartnerId) throw new AdsError(404, '404', 'Report not found');
      return { body: shapeOf(world, report) };
    }),
  );
  server.get<Download>('/ads-reports/:reportId', async (request, reply) => {
    const { exp = '', sig = '' } = request.query;
    const { reportId } = request.params;
    const report = world.adsReports.find((one) => one.reportId === reportId);
    if (!report || !world.mint.verify(`ads|${reportId}|${exp}`, sig)) return reply.code(403).send('AccessDenied');
    const target: FaultTarget = {
      operation: 'downloadAdsReport',
      reportType: report.reportTypeId,
      path: request.url,
      sellingPartnerId: report.sellingPartnerId,
    };
    const expired = world.throttleClock.now() > Number(exp) || world.faults.strike('documentExpired', target);
    if (expired) return reply.code(403).send('Request has expired');
    return send(world, reply, report, target);
  });
}
