import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { sql } from 'kysely';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import {
  type AdsStreamRun,
  ApiRefused,
  ComeBackLater,
  FileRefused,
  jsonArrayItems,
  marketplaceNow,
  NotReadyYet,
} from '#modules/marketplace/server/index.ts';
import type { Span } from './days.ts';
import { columnsOf, type Grain } from './grains.ts';
import { parseLossless } from './lossless.ts';

const PRODUCTS = { SP: 'SPONSORED_PRODUCTS', SB: 'SPONSORED_BRANDS', SD: 'SPONSORED_DISPLAY' } as const;
const MEDIA = 'application/vnd.createasyncreportrequest.v3+json';
const DOWNLOAD_MS = 5 * 60_000;
/** Waits between looks, in units of the configured retry base (2 s): 10 s, 30 s, 1, 2, 5, 10, then always 15 minutes. */
const WAITS = [5, 15, 30, 60, 150, 300, 450];
/** A report that takes longer is asked for again. */
const GIVE_UP_HOURS = 6;

/** A row of a report: every value as text, null where the report has none. */
export type ReportLine = Readonly<Record<string, string | null>>;

/** A report that is there: its rows, some at a time and as often as wanted, and what it answers. */
export interface ReadReport {
  requestId: string;
  grain: Grain;
  span: Span;
  /** Marketplace time at which it was asked for. */
  asOf: string;
  lines: () => AsyncGenerator<ReportLine[]>;
}

interface Request {
  id: string;
  remote_id: string;
  polls: number;
  as_of: string;
}

interface Remote {
  reportId: string;
  status: string;
  url?: string | null;
  failureReason?: string | null;
}

const inCompany = <T>({ runtime, account }: AdsStreamRun, work: Parameters<typeof inTenant<T>>[2]): Promise<T> =>
  inTenant(runtime, systemPrincipal(account.companyId), work);

/** The report that is being made for these days already. One that takes too long is given up. */
async function openRequest(run: AdsStreamRun, grain: Grain, span: Span): Promise<Request | undefined> {
  const { companyId } = run.account;
  return inCompany(run, async (ctx) => {
    await sql`
      UPDATE advertising.report_request SET state = 'abandoned', ended_at = kit.now()
       WHERE company_id = ${companyId} AND profile_id = ${run.profile.profileId} AND grain = ${grain.code}
         AND state = 'open' AND asked_at < kit.now() - make_interval(hours => ${GIVE_UP_HOURS})`.execute(ctx.db);
    const { rows } = await sql<Request>`
      UPDATE advertising.report_request SET polls = polls + 1
       WHERE company_id = ${companyId} AND profile_id = ${run.profile.profileId} AND grain = ${grain.code}
         AND from_day = ${span.from} AND to_day = ${span.to} AND state = 'open'
      RETURNING id, remote_id, polls, as_of`.execute(ctx.db);
    return rows[0];
  });
}

/** Amazon refuses a wish that it works on already, and names the report: that one is as good as ours. */
function duplicateOf(error: unknown): string | undefined {
  if (!(error instanceof ApiRefused) || error.status !== 425) return undefined;
  return /[0-9a-f]{8}-[0-9a-f-]{27}/i.exec(error.message)?.[0];
}

/** Everything that a grain is read from, each column once. */
function asked({ dimensions, metrics }: Grain): string[] {
  const figures = metrics.flatMap(({ from, minus }) => (minus === undefined ? [from] : [from, minus]));
  return [...new Set(['date', ...dimensions.flatMap(([column]) => columnsOf(column)), ...figures])];
}

async function askFor(run: AdsStreamRun, grain: Grain, span: Span): Promise<string> {
  const body = {
    name: `${grain.code} ${span.from} ${span.to}`,
    startDate: span.from,
    endDate: span.to,
    configuration: {
      adProduct: PRODUCTS[grain.product],
      reportTypeId: grain.reportTypeId,
      groupBy: [grain.groupBy],
      columns: asked(grain),
      timeUnit: 'DAILY',
      format: 'GZIP_JSON',
    },
  };
  try {
    const { reportId } = await run.api.call<Remote>({
      operation: 'createReport',
      method: 'POST',
      path: '/reporting/reports',
      profileId: run.profile.profileId,
      mediaType: MEDIA,
      body,
    });
    return reportId;
  } catch (error) {
    const known = duplicateOf(error);
    if (known === undefined) throw error;
    return known;
  }
}

async function newRequest(run: AdsStreamRun, grain: Grain, span: Span): Promise<Request> {
  const asOf = (await marketplaceNow(run.runtime)).toISOString();
  const remoteId = await askFor(run, grain, span);
  const { account, profile } = run;
  return inCompany(run, async (ctx) => {
    const row = await ctx.db
      .insertInto('advertising.report_request')
      .values({
        company_id: account.companyId,
        account_id: account.id,
        profile_id: profile.profileId,
        grain: grain.code,
        from_day: span.from,
        to_day: span.to,
        remote_id: remoteId,
        as_of: asOf,
      })
      .returning(['id', 'remote_id', 'polls', 'as_of'])
      .executeTakeFirstOrThrow();
    return row;
  });
}

async function end(run: AdsStreamRun, request: Request, state: 'failed' | 'abandoned', error: string): Promise<void> {
  await inCompany(run, async (ctx) => {
    await ctx.db
      .updateTable('advertising.report_request')
      .set({ state, error, ended_at: sql`kit.now()` })
      .where('company_id', '=', run.account.companyId)
      .where('id', '=', request.id)
      .execute();
  });
}

function waitOf(run: AdsStreamRun, { polls }: Request): number {
  return run.runtime.config.retryBaseMs * (WAITS[Math.min(polls, WAITS.length - 1)] ?? 0);
}

function later(run: AdsStreamRun, request: Request, reason: string): ComeBackLater {
  return new ComeBackLater(waitOf(run, request), reason);
}

/** The file behind the link, packed as it came, a twentieth of its rows; a torn one counts as not come. */
async function download(run: AdsStreamRun, request: Request, url: string): Promise<Buffer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_MS) });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const packed = Buffer.from(await response.arrayBuffer());
    await pipeline(Readable.from([packed]), createGunzip(), async (plain) => {
      for await (const _ of plain);
    });
    return packed;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw later(run, request, `广告报告下载失败：${why}`);
  }
}

/** The rows of a packed report. @throws Error for what is no report of the grain */
async function* linesOf(grain: Grain, packed: Buffer): AsyncGenerator<ReportLine[]> {
  const needed = [['date'], ...grain.dimensions.map(([column]) => columnsOf(column))];
  const named = (row: ReportLine | null) => needed.every((some) => some.some((one) => typeof row?.[one] === 'string'));
  const wrong = () => new Error(`${grain.title}：亚马逊返回的报告格式异常`);
  try {
    for await (const texts of jsonArrayItems(() => Readable.from([packed]).pipe(createGunzip()))) {
      const rows = texts.map((one) => parseLossless(one) as ReportLine | null);
      if (!rows.every(named)) throw wrong();
      yield rows as ReportLine[];
    }
  } catch (error) {
    throw error instanceof FileRefused || error instanceof SyntaxError ? wrong() : error;
  }
}

/**
 * A report of some days, asked for where it is not being made yet. Costs one call where it is ready.
 * @throws ComeBackLater while Amazon makes it, or when it has to be asked for again
 */
export async function readReport(run: AdsStreamRun, grain: Grain, span: Span): Promise<ReadReport> {
  const request = (await openRequest(run, grain, span)) ?? (await newRequest(run, grain, span));
  const { profileId } = run.profile;
  const remote = await run.api
    .call<Remote>({
      operation: 'getReport',
      method: 'GET',
      path: `/reporting/reports/${request.remote_id}`,
      profileId,
    })
    .catch(async (error: unknown) => {
      if (!(error instanceof ApiRefused) || error.status !== 404) throw error;
      await end(run, request, 'abandoned', error.message);
      throw later(run, request, `${grain.title}已不存在，重新申请`);
    });
  if (remote.status === 'FAILED') {
    await end(run, request, 'failed', remote.failureReason ?? '');
    throw new Error(`${grain.title}生成失败：${remote.failureReason ?? '未说明原因'}`);
  }
  if (remote.status !== 'COMPLETED' || !remote.url) {
    throw new NotReadyYet(waitOf(run, request), `${grain.title}生成中`);
  }
  const packed = await download(run, request, remote.url);
  return { requestId: request.id, grain, span, asOf: request.as_of, lines: () => linesOf(grain, packed) };
}
