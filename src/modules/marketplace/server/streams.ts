import type { Config } from '#kit/server/config.ts';
import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint } from '#kit/server/extension.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import type { Region } from '../contract/marketplaces.ts';
import type { SpApi } from './api/port.ts';
import type { RowRefused } from './files/reader.ts';

/** The selling account that a stream reads: one sellingPartnerId in one region. */
export interface AccountRef {
  companyId: string;
  id: string;
  storeId: string;
  sellingPartnerId: string;
  region: Region;
  /** Enabled marketplaces. */
  marketplaceIds: readonly string[];
  /** Application that it consented to; limits are counted by it. Undefined: the one of this installation. */
  applicationId?: string | undefined;
  /** "http://host:port" of the store's usual network; every call goes that way. */
  proxyUrl?: string | undefined;
}

export interface LandCounts {
  rowsIn: number;
  inserted: number;
  updated: number;
  unchanged: number;
  quarantined?: number;
  /** Lines of a report that could not be taken over; whoever loads it keeps them in the quarantine. */
  refused?: readonly RowRefused[];
}

export interface StreamRun {
  runtime: Runtime;
  account: AccountRef;
  /** Set for streams of scope 'marketplace'. */
  marketplaceId: string | undefined;
  /** [from, to) in marketplace time, ISO instants; overlap and safety lag are already in it. */
  window: { from: string; to: string };
  api: SpApi;
}

/**
 * What a run fetched, ready to be written. `land` runs in the one transaction that also moves the watermark, so a
 * window is written whole or not at all; it must be repeatable. A stream whose rows may land in any order and number may
 * land what would not fit in memory before, in transactions of its own.
 */
export interface Fetched {
  land: (ctx: Ctx) => Promise<LandCounts>;
}

/** How far back the first reading reaches, in the unit of its field; for some the installation says it. */
export type Reach = number | ((config: Config) => number);

/** A reach in this installation. */
export function reachOf(reach: Reach, { config }: Pick<Runtime, 'config'>): number {
  return typeof reach === 'number' ? reach : reach(config);
}

/** One kind of data that the engine keeps fresh for every account (or every marketplace of it). */
export interface StreamDef {
  code: string;
  title: string;
  scope: 'account' | 'marketplace';
  /** Pause between two runs. */
  cadenceSec: number;
  /** Read again before the watermark, for late rows. */
  overlapSec: number;
  /** The marketplace answers nothing younger than this. */
  safetyLagSec: number;
  /** One run never reads more than this. */
  maxWindowSec: number;
  /** How far back the first run begins; 0 for a stream that shows only the present. */
  historySec: Reach;
  /** Smaller runs earlier. */
  priority: number;
  /** Promised freshness in minutes: beyond it the stream counts as late. */
  sloMin: number;
  /** Goes on while the marketplace has restricted the account: money, and the account's own state. */
  whileSuspended?: boolean;
  /** Notifications of these types make it run early. */
  wokenBy?: readonly string[];
  /**
   * Seconds between a success and a run that a notification asks for: as often as that goes on all day without using up the
   * calls that Amazon allows. A minute where left out.
   */
  wakeRestSec?: number;
  /** Code of the report plan that brings the past of this stream; left out: its own calls do. */
  backfillBy?: string;
  fetch: (run: StreamRun) => Promise<Fetched>;
}

export const streams = extensionPoint<StreamDef>('marketplace.streams');

/** A decoded report, wherever it came from: the marketplace or a user's upload. */
export interface ReportSource {
  account: AccountRef;
  reportType: string;
  /** Marketplaces that the report was asked for; for an upload the one that the user chose. */
  marketplaceIds: readonly string[];
  /** Bytes as downloaded, already unzipped. */
  open: () => AsyncIterable<Uint8Array>;
  /** As the download declared it. */
  charset: string | undefined;
  sha256: string;
  /** Row of marketplace.report_document. */
  documentId: string;
  fileName: string;
  /** What was asked for, where the marketplace made it at our wish; absent for an upload. */
  asked?: AskedPeriod | undefined;
  /** Somebody has it read once more: it is, even where its bytes are known. */
  afresh?: boolean;
  /** People put lines of it right: `open` gives other bytes than those of `sha256`. */
  corrected?: boolean;
}

/** The period of a report that we asked for. */
export interface AskedPeriod {
  /** [from, to) in marketplace time, ISO instants; the same instant twice for a report of the present. */
  from: string;
  to: string;
  /** When it was asked for, ISO: of two reports about the same day the one that was asked for later knows better. */
  at: string;
  /**
   * When its end was fixed, ISO, where that was earlier: of a last day that is cut off there it knows what happened until
   * then, however long it had to wait before it was asked for.
   */
  plannedAt?: string | undefined;
  /** Asked for by the engine, whose periods begin and end with business days (or end in the present). */
  wholeDays: boolean;
  /** What it was asked about beside its sites, as `ReportPlan.subjects` gave it; absent where that is everything. */
  subject?: string | undefined;
}

/** What a report would change, for the check before an upload is committed. */
export interface ReportCheck {
  rows: number;
  /** Business days or instants that it covers, ISO. */
  from: string | null;
  to: string | null;
  /** e.g. "结算编号 12345678901 · 合计 $1,016.08 · 差额 $0.00". */
  summary: string;
  warnings: string[];
}

/** How one report type becomes facts; each domain registers its own. Both calls refuse a bad file with FileRefused. */
export interface ReportLoader {
  reportTypes: readonly string[];
  title: string;
  /** Reads the whole file and writes nothing. */
  check: (source: ReportSource) => Promise<ReportCheck>;
  /** Writes it inside the caller's transaction; a repeated load of the same bytes changes nothing. */
  load: (ctx: Ctx, source: ReportSource) => Promise<LandCounts>;
}

export const reportLoaders = extensionPoint<ReportLoader>('marketplace.reportLoaders');

/** A report that the engine asks for by itself: history first, then regularly. */
export interface ReportPlan {
  code: string;
  title: string;
  reportType: string;
  /**
   * 'request': createReport for the history; 'list': Amazon makes it, we look for new ones; 'snapshot': createReport of
   * the present state, again and again; 'window': createReport for the history, then again and again for the last days.
   */
  how: 'request' | 'list' | 'snapshot' | 'window';
  /**
   * One report for all marketplaces of the account, one per marketplace, or one per stock that they share (the Union is one):
   * the rows of many FBA reports do not say which marketplace they are of. 'account' where left out.
   */
  per?: 'account' | 'stock' | 'site';
  /** Marketplaces of these countries only ("DE"); all where left out. */
  countries?: readonly string[];
  /** Those of its marketplaces that it is asked for at all: a report that needs a role of its own is for who wants it. */
  sites?: (ctx: Ctx, account: AccountRef) => Promise<string[]>;
  /** 'window': days that are read again each time, because rows come late or are corrected. */
  overlapDays?: number;
  /** 'window': each report is about one calendar month; `overlapDays` then says how far back the months reach. */
  byMonth?: boolean;
  /** 'window': the same for weeks from Sunday to Saturday. */
  byWeek?: boolean;
  /** 'window': the day that is not over is left out, as Amazon makes no report of it. */
  wholeDays?: boolean;
  /**
   * 'window': what a report must name beside its site and period, in the words of Amazon's option: ASINs with blanks between.
   * There is one report for each, asked for until it was read, and only so many a turn (see `reports/subjects.ts`).
   */
  subjects?: (ctx: Ctx, account: AccountRef, marketplaceIds: readonly string[]) => Promise<string[]>;
  /** Days per report. */
  windowDays: number;
  /** How far back the first requests reach. */
  historyDays: Reach;
  priority: number;
  /** Pause between two looks or snapshots. */
  cadenceSec: number;
  sloMin: number;
  /** As of a stream. */
  whileSuspended?: boolean;
  /** Notifications of these types make it be looked for, or asked for, early. */
  wokenBy?: readonly string[];
  /** The first synchronisation counts as done without it: nobody waits for it. */
  inBackground?: boolean;
}

/** A plan whose reach in this installation is known, days. */
export type ReachingPlan = ReportPlan & { historyDays: number };

/** A plan with its reach in this installation. */
export function reaching(plan: ReportPlan, runtime: Pick<Runtime, 'config'>): ReachingPlan {
  return { ...plan, historyDays: reachOf(plan.historyDays, runtime) };
}

export const reportPlans = extensionPoint<ReportPlan>('marketplace.reportPlans');
