import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import { emit } from '#kit/server/events.ts';
import { recordFile, type StoredBytes } from '#kit/server/files.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { ComeBackLater, type SpApi } from '../api/port.ts';
import { fetchVia } from '../api/proxy.ts';
import type { AccountRef } from '../streams.ts';
import { feedKindOf, flatReport } from './kinds.ts';
import { feedEnded, type MessageResult } from './plan.ts';
import type { FeedState } from './step.ts';

const TIMEOUT_MS = 5 * 60_000;
const MOST_BYTES = 64 * 1024 * 1024;

const Issue = z.object({
  messageId: z.number().int().nullish(),
  code: z.string().default(''),
  severity: z.string().default('ERROR'),
  message: z.string().default(''),
  attributeNames: z.array(z.string()).nullish(),
});
const Report = z.object({ issues: z.array(Issue).default([]) });
export type FeedReport = z.infer<typeof Report>;

/** What the commonest refusals mean; the marketplace's own text follows. */
const WORDS: Readonly<Record<string, string>> = {
  '13013': '该站点没有这个 SKU',
  '8026': 'FBA 商品的数量不能修改',
  '8572': '价格超出亚马逊允许的范围',
  '90111': '数值不符合要求',
  '90220': '缺少必填属性',
  '99022': '币种与站点不符',
  '4000001': '提交内容有误',
  '4000003': '不支持的操作',
  '4000004': '商品类型与亚马逊的不一致',
};

/** An issue in words: what it means where that is known, and what the marketplace wrote. */
export function issueWords({ code, message }: { code: string; message: string }): string {
  const known = WORDS[code];
  return `${known ? `${known}：` : ''}${message}${code ? `（${code}）` : ''}`.slice(0, 500);
}

/** The processing report, stored as it came and read. @throws ComeBackLater where it broke on the way */
export async function fetchResult(
  runtime: Runtime,
  api: SpApi,
  account: AccountRef,
  row: FeedState,
): Promise<{ stored: StoredBytes; report: FeedReport }> {
  const { body } = await api.call<{ url: string; compressionAlgorithm?: string }>({
    operation: 'getFeedDocument',
    method: 'GET',
    path: `/feeds/2021-06-30/documents/${encodeURIComponent(row.result_document_id ?? '')}`,
  });
  try {
    const response = await fetchVia(account.proxyUrl, body.url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok || !response.body) throw new Error(`下载处理报告失败：HTTP ${response.status}`);
    const raw = Readable.fromWeb(response.body as never);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body.compressionAlgorithm === 'GZIP' ? raw.pipe(createGunzip()) : raw) {
      size += (chunk as Buffer).length;
      if (size > MOST_BYTES) throw new Error('处理报告过大');
      chunks.push(chunk as Buffer);
    }
    const bytes = Buffer.concat(chunks);
    const text = bytes.toString('utf8');
    const kind = feedKindOf(runtime.modules, row.feed_type);
    const report = Report.parse(kind ? flatReport(text, kind.words) : JSON.parse(text));
    return { stored: await runtime.files.put(account.companyId, [bytes] as never), report };
  } catch (error) {
    throw new ComeBackLater(runtime.config.retryBaseMs, error instanceof Error ? error.message : String(error));
  }
}

/** Keeps the report as a file of the company. */
export function keepResult(ctx: Ctx, row: FeedState, stored: StoredBytes): Promise<string> {
  const name = `feed-${row.id}-result.json`;
  return recordFile(ctx, stored, { name, mediaType: 'application/json', purpose: 'feed' });
}

/**
 * Writes what became of each message that was sent: refused where an error names it, or where one names the whole feed.
 * Messages about the same SKU went as one, under the first number. Warnings are kept beside what was accepted. Returns the
 * counts.
 */
export async function writeResults(
  ctx: Ctx,
  row: FeedState,
  report: FeedReport,
): Promise<{ accepted: number; refused: number }> {
  const issues = report.issues.map((issue) => ({
    id: issue.messageId ?? 0,
    error: issue.severity === 'ERROR',
    words: issueWords(issue),
  }));
  const { rows } = await sql<{ accepted: number; refused: number }>`
    WITH told AS (
      SELECT id, bool_or(error) AS error, left(string_agg(words, '；'), 1000) AS words
        FROM jsonb_to_recordset(${JSON.stringify(issues)}::jsonb) AS i(id int, error boolean, words text) GROUP BY id
    ), sent AS (
      SELECT message_id, min(message_id) OVER (PARTITION BY sku) AS first FROM marketplace.feed_message
       WHERE company_id = ${ctx.companyId} AND feed_id = ${row.id} AND state = 'waiting'
    ), written AS (
      UPDATE marketplace.feed_message AS m
         SET state = CASE WHEN coalesce(own.error, false) OR coalesce(whole.error, false) THEN 'refused'
                          ELSE 'accepted' END,
             problem = coalesce(own.words, whole.words)
        FROM sent LEFT JOIN told AS own ON own.id = sent.first LEFT JOIN told AS whole ON whole.id = 0
       WHERE m.company_id = ${ctx.companyId} AND m.feed_id = ${row.id} AND m.message_id = sent.message_id
      RETURNING m.state
    )
    SELECT count(*) FILTER (WHERE state = 'accepted')::int AS accepted,
           count(*) FILTER (WHERE state = 'refused')::int AS refused FROM written`.execute(ctx.db);
  return rows[0] ?? { accepted: 0, refused: 0 };
}

/** What was sent and has no answer keeps none: the marketplace is read for it. */
export async function leaveUnknown(
  ctx: Ctx,
  row: Pick<FeedState, 'id'>,
  problem: string,
  sent: boolean,
): Promise<void> {
  await ctx.db
    .updateTable('marketplace.feed_message')
    .set({ state: sent ? 'unknown' : 'dropped', problem })
    .where('company_id', '=', ctx.companyId)
    .where('feed_id', '=', row.id)
    .where('state', '=', 'waiting')
    .execute();
}

/** Tells the origin what became of each message. */
export async function tellEnd(
  ctx: Ctx,
  row: Pick<FeedState, 'id' | 'origin' | 'account_id' | 'marketplace_id'>,
  sent: boolean,
): Promise<void> {
  const results = await ctx.db
    .selectFrom('marketplace.feed_message')
    .select(['message_id as messageId', 'state', 'problem'])
    .where('company_id', '=', ctx.companyId)
    .where('feed_id', '=', row.id)
    .orderBy('message_id')
    .execute();
  await emit(ctx, feedEnded, {
    feedId: row.id,
    origin: row.origin,
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
    sent,
    results: results as MessageResult[],
  });
}
