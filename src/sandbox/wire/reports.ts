import type { Region } from '../business/types.ts';
import { iso } from './clock.ts';
import type { ReportCommand } from './command-log.ts';
import { documentPath } from './documents.ts';
import { checkNumber, invalidInput, notFound, notImplemented, SpApiError, unauthorized } from './errors.ts';
import type { Answer, Call, Operation } from './operation.ts';
import { cutPage, openPage } from './paging.ts';
import { instant, integer, list, listOf, parseInstant, text } from './query.ts';
import { type DeskReport, nextReportId, parseDocumentId, reportOf, reportsOf } from './report-desk.ts';
import { isTooSoon } from './report-interval.ts';
import { reportTypes, SETTLEMENT_TYPE } from './report-types.ts';

const DAY_MS = 86_400_000;
const TOKEN_LIFE_MS = 24 * 3_600_000;
const STATUSES = ['CANCELLED', 'DONE', 'FATAL', 'IN_PROGRESS', 'IN_QUEUE'] as const;

function reportShape(report: DeskReport): object {
  return {
    marketplaceIds: report.marketplaceIds,
    reportId: report.reportId,
    reportType: report.reportType,
    dataStartTime: iso(report.dataStart),
    dataEndTime: iso(report.dataEnd),
    createdTime: iso(report.createdAt),
    processingStatus: report.status,
    ...(report.startedAt === undefined ? {} : { processingStartTime: iso(report.startedAt) }),
    ...(report.endedAt === undefined ? {} : { processingEndTime: iso(report.endedAt) }),
    ...(report.documentId === undefined ? {} : { reportDocumentId: report.documentId }),
  };
}

function field(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
}

function textField(body: unknown, name: string): string | undefined {
  const value = field(body, name);
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalidInput(`${name}: must be a text`);
  return value;
}

function marketplacesField(call: Call): string[] {
  const value: unknown = field(call.body, 'marketplaceIds');
  if (!Array.isArray(value) || value.length === 0 || value.length > 25) {
    throw invalidInput('marketplaceIds: between 1 and 25 marketplaces are required');
  }
  return value.map((id: unknown) => {
    if (typeof id !== 'string' || !call.account.marketplaceIds.includes(id)) {
      throw unauthorized(`The seller does not sell in marketplace ${String(id)}`);
    }
    return id;
  });
}

function optionsField(body: unknown): Record<string, string> | undefined {
  const value = field(body, 'reportOptions');
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') throw invalidInput('reportOptions: must be an object');
  const options = Object.entries(value);
  if (options.some(([, one]) => typeof one !== 'string')) throw invalidInput('reportOptions: values must be texts');
  return Object.fromEntries(options.map(([name, one]) => [name, String(one)]));
}

/** A report specification as checked; 400 or 501 when it asks for what cannot be made. */
function specificationOf(
  call: Call,
): Pick<ReportCommand, 'reportType' | 'marketplaceIds' | 'dataStart' | 'dataEnd' | 'reportOptions'> {
  const reportType = textField(call.body, 'reportType');
  if (reportType === undefined) throw invalidInput('reportType: is required');
  if (reportType === SETTLEMENT_TYPE) {
    throw invalidInput(`reportType: ${reportType} cannot be requested; it is generated when a settlement closes`);
  }
  const type = reportTypes[reportType];
  if (!type && /^GET_[A-Z0-9_]+$/.test(reportType)) throw notImplemented(`createReport ${reportType}`);
  if (!type) throw invalidInput(`reportType: '${reportType}' is not a report type`);
  const marketplaceIds = marketplacesField(call);
  if (type.singleMarketplace && marketplaceIds.length > 1) {
    throw invalidInput(`marketplaceIds: ${reportType} covers one marketplace per report`);
  }
  const start = textField(call.body, 'dataStartTime');
  const end = textField(call.body, 'dataEndTime');
  const dataEnd = end === undefined ? call.now : parseInstant('dataEndTime', end);
  const dataStart = start === undefined ? dataEnd : parseInstant('dataStartTime', start);
  if (dataEnd > call.now) throw invalidInput('dataEndTime: must not be in the future');
  if (dataStart > dataEnd) throw invalidInput('dataStartTime: must not be after dataEndTime');
  // The last date counts whole.
  const length = dataEnd - dataStart + (type.byDate ? DAY_MS : 0);
  if (type.maxDays !== undefined && length > type.maxDays * DAY_MS) {
    throw invalidInput(`dataStartTime: ${reportType} covers at most ${type.maxDays} days`);
  }
  const reportOptions = optionsField(call.body);
  type.checkOptions?.(reportOptions ?? {});
  return { reportType, marketplaceIds, dataStart, dataEnd, ...(reportOptions ? { reportOptions } : {}) };
}

function fateOf(call: Call, reportType: string): ReportCommand['fate'] {
  if (call.strike('reportStuck', reportType)) return 'stuck';
  if (call.strike('reportFatal', reportType)) return 'FATAL';
  return call.strike('reportCancelled', reportType) ? 'CANCELLED' : undefined;
}

function createReport(call: Call): Answer {
  const specification = specificationOf(call);
  const { sellingPartnerId, region } = call.account;
  const soon = isTooSoon(call.world, call.account, specification) ? 'CANCELLED' : undefined;
  const fate = fateOf(call, specification.reportType) ?? soon;
  const reportId = nextReportId(call.world);
  call.world.addReport({
    reportId,
    sellingPartnerId,
    region,
    ...specification,
    createdAt: call.now,
    askedAt: call.world.throttleClock.now(),
    ...(fate === undefined ? {} : { fate }),
  });
  return { status: 202, body: { reportId } };
}

function existing(call: Call): DeskReport {
  const reportId = call.params.reportId ?? '';
  checkNumber(reportId, 'reportId');
  const report = reportOf(call.world, call.account, reportId);
  if (!report) throw notFound(`report ${reportId}`);
  return report;
}

function getReport(call: Call): Answer {
  return { body: reportShape(existing(call)) };
}

function cancelReport(call: Call): Answer {
  const report = existing(call);
  if (report.status !== 'IN_QUEUE') throw invalidInput('Only a report that is IN_QUEUE can be cancelled');
  const command = call.world.reports.find((r) => r.reportId === report.reportId);
  if (command) call.world.cancelReport(command);
  return { body: {} };
}

interface Filter {
  types: string[];
  statuses: string[];
  marketplaceIds: string[];
  since: number;
  until: number;
  size: number;
}

/**
 * The filter of getReports. The token of a further page must come alone, so it carries the filter of the first page
 * inside: `token` is the outer text, sealed together with the filter.
 */
function filterOf(call: Call): { filter: Filter; inner?: string } {
  const token = text(call.query, 'nextToken');
  const retainedFrom = call.now - call.world.settings.reportRetentionDays * DAY_MS;
  if (token !== undefined) {
    if (Object.keys(call.query).some((name) => name !== 'nextToken')) {
      throw invalidInput('nextToken: must be the only parameter');
    }
    const opened = call.world.mint.open(token);
    if (!isPageToken(opened)) throw invalidInput('nextToken: the token is not valid');
    return opened;
  }
  const types = list(call.query, 'reportTypes', 10);
  if (types.length === 0) throw invalidInput('Either reportTypes or nextToken is required');
  const filter = {
    types,
    statuses: listOf(call.query, 'processingStatuses', STATUSES),
    marketplaceIds: list(call.query, 'marketplaceIds', 10),
    since: Math.max(instant(call.query, 'createdSince') ?? retainedFrom, retainedFrom),
    until: instant(call.query, 'createdUntil') ?? call.now,
    size: integer(call.query, 'pageSize', { min: 1, max: 100, fallback: 10 }),
  };
  return { filter };
}

function isPageToken(value: unknown): value is { filter: Filter; inner: string } {
  return typeof value === 'object' && value !== null && 'filter' in value && 'inner' in value;
}

function getReports(call: Call): Answer {
  const { filter, inner } = filterOf(call);
  // The inner token is bound to a call without parameters, the only kind that may carry a token.
  const bare: Call = { ...call, query: {} };
  const open = openPage(bare, 'nextToken', inner, TOKEN_LIFE_MS);
  const { types, since, until } = filter;
  const known = reportsOf(call.world, call.account, { types, since, until: Math.min(until, open.asOf) });
  const fits = known.filter(
    (report) =>
      (filter.statuses.length === 0 || filter.statuses.includes(report.status)) &&
      (filter.marketplaceIds.length === 0 || report.marketplaceIds.some((id) => filter.marketplaceIds.includes(id))),
  );
  const { page, nextToken } = cutPage(bare, open, fits, filter.size);
  return {
    body: {
      reports: page.map(reportShape),
      ...(nextToken === undefined ? {} : { nextToken: call.world.mint.seal({ filter, inner: nextToken }) }),
    },
  };
}

function getReportDocument(call: Call): Answer {
  const id = call.params.reportDocumentId ?? '';
  const parsed = parseDocumentId(id);
  const own = parsed && isOwn(call, parsed) ? reportOf(call.world, call.account, parsed.reportId) : undefined;
  const retainedFrom = call.now - call.world.settings.reportRetentionDays * DAY_MS;
  if (own?.documentId === undefined) throw new SpApiError(400, 'InvalidInput', 'Invalid reportDocumentId');
  if (own.createdAt < retainedFrom) throw notFound(`report document ${id}`);
  const url = `${call.world.publicUrl}${documentPath(call.world, id)}`;
  return { body: { reportDocumentId: id, url, compressionAlgorithm: 'GZIP' } };
}

function isOwn(call: Call, parsed: { region: Region; sellingPartnerId: string }): boolean {
  const { sellingPartnerId, region } = call.account;
  return parsed.sellingPartnerId === sellingPartnerId && parsed.region === region;
}

function noSchedules(call: Call): Answer {
  throw new SpApiError(501, 'NotImplemented', 'The sandbox marketplace does not simulate schedules.', call.operation);
}

const SLOW = { rate: 0.0222, burst: 10 };
const REPORTS = '/reports/2021-06-30/reports';
const SCHEDULES = '/reports/2021-06-30/schedules';

/** Reports API 2021-06-30. */
export const reportOperations: Operation[] = [
  { name: 'createReport', method: 'POST', path: REPORTS, plan: { rate: 0.0167, burst: 15 }, handle: createReport },
  { name: 'getReports', method: 'GET', path: REPORTS, plan: SLOW, handle: getReports },
  {
    name: 'getReport',
    method: 'GET',
    path: `${REPORTS}/:reportId`,
    plan: { rate: 2, burst: 15 },
    handle: getReport,
  },
  { name: 'cancelReport', method: 'DELETE', path: `${REPORTS}/:reportId`, plan: SLOW, handle: cancelReport },
  {
    name: 'getReportDocument',
    method: 'GET',
    path: '/reports/2021-06-30/documents/:reportDocumentId',
    plan: { rate: 0.0167, burst: 15 },
    handle: getReportDocument,
  },
  { name: 'getReportSchedules', method: 'GET', path: SCHEDULES, plan: SLOW, handle: noSchedules },
  { name: 'createReportSchedule', method: 'POST', path: SCHEDULES, plan: SLOW, handle: noSchedules },
];
