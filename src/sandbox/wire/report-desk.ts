import { localMidnight, nextDay } from '../business/marketplaces.ts';
import type { Region, SimAccount, SimSettlement } from '../business/types.ts';
import type { ReportCommand } from './command-log.ts';
import { unitDraw } from './random.ts';
import { settlementTable } from './report-settlement.ts';
import { damageTable, encodeText, type ReportCharset, type ReportTable, tableText } from './report-table.ts';
import { type ReportScope, reportTypes, SETTLEMENT_TYPE } from './report-types.ts';
import { accountKey, type World } from './world.ts';

export type ReportStatus = 'IN_QUEUE' | 'IN_PROGRESS' | 'DONE' | 'CANCELLED' | 'FATAL';

/** A report as the desk knows it, whoever caused it. Times are epoch ms on the data clock. */
export interface DeskReport {
  reportId: string;
  reportType: string;
  marketplaceIds: string[];
  dataStart: number;
  dataEnd: number;
  createdAt: number;
  status: ReportStatus;
  /** Present from IN_PROGRESS on. */
  startedAt?: number;
  /** Present in every final state. */
  endedAt?: number;
  /** DONE, and FATAL with the reason as JSON inside. */
  documentId?: string;
}

const DOCUMENT_PREFIX = 'amzn1.spdoc.1.4';
const TABLE_FAULTS = [
  'duplicateRows',
  'shuffledRows',
  'missingColumn',
  'newColumn',
  'renamedColumn',
  'localisedHeaders',
] as const;

function documentIdOf(account: SimAccount, reportId: string): string {
  return `${DOCUMENT_PREFIX}.${account.region}.${account.sellingPartnerId}.T${reportId}`;
}

/** Which account and report a document id belongs to; undefined when it is none of ours. */
export function parseDocumentId(
  id: string,
): { region: Region; sellingPartnerId: string; reportId: string } | undefined {
  const match = /^amzn1\.spdoc\.1\.4\.(na|eu|fe)\.([A-Za-z0-9]+)\.T(\d+)$/.exec(id);
  const [, region, sellingPartnerId, reportId] = match ?? [];
  if ((region !== 'na' && region !== 'eu' && region !== 'fe') || !sellingPartnerId || !reportId) return undefined;
  return { region, sellingPartnerId, reportId };
}

/** The next free report number of the sandbox. */
export function nextReportId(world: World): string {
  return String(70_000_000_000 + world.reports.length + 1);
}

function requested(world: World, account: SimAccount, report: World['reports'][number]): DeskReport {
  const { reportId, reportType, marketplaceIds, dataStart, dataEnd, createdAt } = report;
  const base = { reportId, reportType, marketplaceIds, dataStart, dataEnd, createdAt };
  const [low, high] = world.settings.reportDelayMs;
  const delay = Math.round(low + (high - low) * unitDraw('report-delay', world.seed, reportId));
  const queue = Math.round(delay * 0.4);
  if (report.cancelled) return { ...base, status: 'CANCELLED', endedAt: createdAt };
  const waited = world.throttleClock.now() - report.askedAt;
  if (waited < queue) return { ...base, status: 'IN_QUEUE' };
  const startedAt = createdAt + queue;
  if (waited < delay || report.fate === 'stuck') return { ...base, status: 'IN_PROGRESS', startedAt };
  const ended = { ...base, startedAt, endedAt: createdAt + delay };
  if (report.fate === 'CANCELLED' || (!report.fate && isEmpty(world, account, report))) {
    return { ...ended, status: 'CANCELLED' };
  }
  const status = report.fate === 'FATAL' || impossible(world, report) !== undefined ? 'FATAL' : 'DONE';
  return { ...ended, status, documentId: documentIdOf(account, reportId) };
}

/** Why a report of this type cannot be made for its period, in Amazon's words; undefined where it can. */
function impossible(world: World, report: ReportCommand): string | undefined {
  return reportTypes[report.reportType]?.impossible?.(world, scopeOf(world, report));
}

/** A report without a row is not delivered but cancelled, as Amazon does. Found out once: it can never change. */
function isEmpty(world: World, account: SimAccount, report: World['reports'][number]): boolean {
  report.empty ??=
    reportTypes[report.reportType]?.table !== undefined && requestedTable(world, account, report).rows.length === 0;
  return report.empty;
}

/** Begin and end of the days, in the marketplace's zone, whose dates two times say. */
function wholeDays(world: World, { marketplaceIds, dataStart, dataEnd }: ReportCommand): { from: number; to: number } {
  const { timeZone } = world.marketplace(marketplaceIds[0] ?? '');
  const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  return {
    from: localMidnight(timeZone, dateOf(dataStart)),
    to: localMidnight(timeZone, nextDay(dateOf(dataEnd))),
  };
}

function scopeOf(world: World, report: ReportCommand): ReportScope {
  const { marketplaceIds, dataStart, dataEnd, createdAt, reportOptions, reportType } = report;
  const period = reportTypes[reportType]?.byDate ? wholeDays(world, report) : { from: dataStart, to: dataEnd };
  const scope = { marketplaceIds, ...period, asOf: createdAt };
  return reportOptions === undefined ? scope : { ...scope, options: reportOptions };
}

function requestedTable(world: World, account: SimAccount, report: ReportCommand): ReportTable {
  const type = reportTypes[report.reportType];
  if (!type?.table) throw new Error(`No such flat file: ${report.reportType}`);
  return type.table(world, account, scopeOf(world, report));
}

function ofSettlement(account: SimAccount, settlement: SimSettlement): DeskReport {
  return {
    reportId: settlement.reportId,
    reportType: SETTLEMENT_TYPE,
    marketplaceIds: [settlement.marketplaceId],
    dataStart: settlement.startAt,
    dataEnd: settlement.endAt,
    createdAt: settlement.endAt,
    startedAt: settlement.endAt,
    endedAt: settlement.endAt,
    status: 'DONE',
    documentId: documentIdOf(account, settlement.reportId),
  };
}

/**
 * The reports of an account of some types, created in [since, until], newest first: those asked for and those that
 * closed settlements brought.
 */
export function reportsOf(
  world: World,
  account: SimAccount,
  query: { types: readonly string[]; since: number; until: number },
): DeskReport[] {
  const { types, since, until } = query;
  // Narrowed before the states are worked out: finding out whether a report is empty means making it.
  const own = world.reports
    .filter((report) => accountKey(report) === accountKey(account) && types.includes(report.reportType))
    .filter((report) => report.createdAt >= since && report.createdAt <= until)
    .map((report) => requested(world, account, report));
  const closed = types.includes(SETTLEMENT_TYPE) ? world.business.settlements(account, world.now()) : [];
  const settlements = closed
    .filter((settlement) => settlement.endAt >= since && settlement.endAt <= until)
    .map((settlement) => ofSettlement(account, settlement));
  return [...own, ...settlements].sort((a, b) => b.createdAt - a.createdAt || b.reportId.localeCompare(a.reportId));
}

/** One report of an account, or undefined. */
export function reportOf(world: World, account: SimAccount, reportId: string): DeskReport | undefined {
  const own = world.reports.find((r) => r.reportId === reportId && accountKey(r) === accountKey(account));
  if (own) return requested(world, account, own);
  const settlement = settlementOf(world, account, reportId);
  return settlement && ofSettlement(account, settlement);
}

function settlementOf(world: World, account: SimAccount, reportId: string): SimSettlement | undefined {
  return world.business.settlements(account, world.now()).find((s) => s.reportId === reportId);
}

/** A document's bytes, uncompressed, with the charset they are in. */
export interface DocumentContent {
  bytes: Buffer;
  charset: ReportCharset;
}

/**
 * What lies behind a report's document: the same bytes on every call, as of the report's creation, unless a standing
 * fault rule has struck the document.
 */
export function documentContent(world: World, account: SimAccount, report: DeskReport): DocumentContent {
  if (report.status === 'FATAL') {
    const command = world.reports.find((one) => one.reportId === report.reportId);
    const why = command && command.fate !== 'FATAL' ? impossible(world, command) : undefined;
    const reasonKey = (why && reportTypes[report.reportType]?.reasonKey) ?? 'errorDetails';
    const reason = why ?? 'An internal error prevented the report from being generated.';
    return { bytes: Buffer.from(JSON.stringify({ [reasonKey]: reason })), charset: 'UTF-8' };
  }
  const json = jsonOf(world, account, report);
  if (json) return { bytes: Buffer.from(JSON.stringify(json)), charset: 'UTF-8' };
  const documentId = documentIdOf(account, report.reportId);
  const target = {
    operation: 'downloadDocument',
    reportType: report.reportType,
    sellingPartnerId: account.sellingPartnerId,
  };
  let table = tableOf(world, account, report.reportId);
  for (const kind of TABLE_FAULTS) {
    const fault = world.faults.strikeDocument(kind, target, documentId);
    if (fault) table = damageTable(table, fault, report.reportId);
  }
  const charset = world.marketplace(report.marketplaceIds[0] ?? '').reportCharset;
  const encoded = encodeText(tableText(table), charset);
  const bom = world.faults.strikeDocument('bom', target, documentId) !== undefined;
  return { bytes: bom ? Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), encoded]) : encoded, charset };
}

/** What a report that is a JSON document says; undefined for flat files. */
function jsonOf(world: World, account: SimAccount, { reportId, reportType }: DeskReport): object | undefined {
  const command = world.reports.find((r) => r.reportId === reportId && accountKey(r) === accountKey(account));
  if (!command) return undefined;
  return reportTypes[reportType]?.json?.(world, account, scopeOf(world, command));
}

function tableOf(world: World, account: SimAccount, reportId: string): ReportTable {
  const own = world.reports.find((r) => r.reportId === reportId && accountKey(r) === accountKey(account));
  if (own) return requestedTable(world, account, own);
  const settlement = settlementOf(world, account, reportId);
  if (!settlement) throw new Error(`No such report: ${reportId}`);
  return settlementTable(settlement, world.marketplace(settlement.marketplaceId));
}
