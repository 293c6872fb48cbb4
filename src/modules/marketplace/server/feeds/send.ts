import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { recordFile } from '#kit/server/files.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { listAll } from '../api/list-all.ts';
import { ComeBackLater, type SpApi } from '../api/port.ts';
import { fetchVia } from '../api/proxy.ts';
import { marketplaceNow } from '../settings.ts';
import type { AccountRef } from '../streams.ts';
import { type FeedKind, feedKindOf } from './kinds.ts';
import type { FeedChange, FeedState } from './step.ts';

const CONTENT_TYPE = 'application/json; charset=UTF-8';
const UPLOAD_TIMEOUT_MS = 5 * 60_000;
/** A feed that was handed in shows in the list within so long. */
const SHOWS_AFTER_SEC = 30;
const SLACK_MS = 2 * 60_000;

interface Message {
  message_id: number;
  sku: string;
  body: { patches?: object[] };
}

async function messagesOf(runtime: Runtime, account: AccountRef, row: FeedState): Promise<Message[]> {
  return inTenant(runtime, systemPrincipal(account.companyId), async (ctx) => {
    const { rows } = await sql<Message>`
      SELECT message_id, sku, body FROM marketplace.feed_message
       WHERE company_id = ${ctx.companyId} AND feed_id = ${row.id} AND state = 'waiting' ORDER BY message_id`.execute(
      ctx.db,
    );
    return rows;
  });
}

/** What is said of one SKU goes as one message under the first number: the marketplace promises no order within a feed. */
function bySku(messages: readonly Message[]): Message[] {
  const merged = new Map<string, Message>();
  for (const message of messages) {
    const first = merged.get(message.sku);
    const patches = [...(first?.body.patches ?? []), ...(message.body.patches ?? [])];
    merged.set(message.sku, first ? { ...first, body: { ...first.body, patches } } : message);
  }
  return [...merged.values()];
}

/** The document as the marketplace reads it; the same messages make the same bytes. */
function contentOf(account: AccountRef, messages: readonly Message[]): Buffer {
  const header = { sellerId: account.sellingPartnerId, version: '2.0', issueLocale: 'zh_CN' };
  const numbered = bySku(messages).map(({ message_id: messageId, body }) => ({ messageId, ...body }));
  return Buffer.from(JSON.stringify({ header, messages: numbered }), 'utf8');
}

/** Asks the module whose feed it is, where it is of a kind of its own; undefined for a feed of messages. */
async function asked<T>(
  runtime: Runtime,
  account: AccountRef,
  row: FeedState,
  question: (kind: FeedKind, ctx: Ctx, body: unknown) => Promise<T>,
): Promise<T | undefined> {
  const kind = feedKindOf(runtime.modules, row.feed_type);
  if (!kind) return undefined;
  const [message] = await messagesOf(runtime, account, row);
  return inTenant(runtime, systemPrincipal(account.companyId), (ctx) => question(kind, ctx, message?.body));
}

/** Puts bytes where the marketplace says; answers the id of the document. */
async function putDocument(api: SpApi, account: AccountRef, contentType: string, content: Buffer): Promise<string> {
  const { body } = await api.call<{ feedDocumentId: string; url: string }>({
    operation: 'createFeedDocument',
    method: 'POST',
    path: '/feeds/2021-06-30/documents',
    body: { contentType },
  });
  const response = await fetchVia(account.proxyUrl, body.url, {
    method: 'PUT',
    headers: { 'content-type': contentType },
    body: new Uint8Array(content),
    signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`上传提交文件失败：HTTP ${response.status}`);
  return body.feedDocumentId;
}

/** Builds the document, keeps it, and puts it where the marketplace says. A second time leaves the first one unused. */
export async function upload(runtime: Runtime, api: SpApi, account: AccountRef, row: FeedState): Promise<FeedChange> {
  const messages = await messagesOf(runtime, account, row);
  if (messages.length === 0) return { status: 'cancelled', error: '全部修改已被新的修改取代' };
  const own = await asked(runtime, account, row, async (kind, ctx, body) => ({
    ...kind,
    bytes: await kind.content(ctx, body),
  }));
  if (own) {
    const documentId = await putDocument(api, account, own.contentType, own.bytes);
    return { status: 'uploaded', input_document_id: documentId, attempts: 0, error: null };
  }
  const content = contentOf(account, messages);
  const documentId = await putDocument(api, account, CONTENT_TYPE, content);
  const stored = await runtime.files.put(account.companyId, [content] as never);
  const fileId = await inTenant(runtime, systemPrincipal(account.companyId), (ctx) =>
    recordFile(ctx, stored, { name: `feed-${row.id}.json`, mediaType: 'application/json', purpose: 'feed' }),
  );
  return {
    status: 'uploaded',
    input_document_id: documentId,
    input_file_id: fileId,
    attempts: 0,
    error: null,
  };
}

/** What is noted before the call that may be made only once: from when on to look for it. */
export async function announced(runtime: Runtime): Promise<FeedChange> {
  const since = new Date((await marketplaceNow(runtime)).getTime() - SLACK_MS);
  return { status: 'submitting', submitting_since: since, submitting_at: sql`kit.now()` };
}

/** Hands it in, once. A refusal says that nothing was taken; whatever else goes wrong leaves that open. */
export async function handIn(runtime: Runtime, api: SpApi, account: AccountRef, row: FeedState): Promise<FeedChange> {
  const feedOptions = await asked(runtime, account, row, (kind, ctx, body) => kind.options(ctx, body));
  const { body } = await api.call<{ feedId: string }>({
    operation: 'createFeed',
    method: 'POST',
    path: '/feeds/2021-06-30/feeds',
    body: {
      feedType: row.feed_type,
      marketplaceIds: [row.marketplace_id],
      inputFeedDocumentId: row.input_document_id,
      ...(feedOptions ? { feedOptions } : {}),
    },
    once: true,
  });
  return { status: 'submitted', feed_id: body.feedId, submitted_at: sql`kit.now()`, attempts: 0, error: null };
}

interface Listed {
  feeds: { feedId: string; marketplaceIds?: string[]; createdTime: string }[];
  nextToken?: string;
}

async function listed(api: SpApi, row: FeedState): Promise<Listed['feeds']> {
  const createdSince = new Date(row.submitting_since ?? 0).toISOString();
  const query = { feedTypes: [row.feed_type], createdSince, pageSize: 100 };
  const found = await listAll<Listed, Listed['feeds'][number]>(
    api,
    { operation: 'getFeeds', path: '/feeds/2021-06-30/feeds', query },
    ({ feeds }) => feeds,
  );
  return found.filter(({ marketplaceIds }) => !marketplaceIds || marketplaceIds.includes(row.marketplace_id));
}

async function notOurs(runtime: Runtime, account: AccountRef, ids: readonly string[]): Promise<string[]> {
  const known = await inTenant(runtime, systemPrincipal(account.companyId), (ctx) =>
    ctx.db
      .selectFrom('marketplace.feed')
      .select('feed_id')
      .where('company_id', '=', ctx.companyId)
      .where('account_id', '=', account.id)
      .where('feed_id', 'in', [...ids, ''])
      .execute(),
  );
  return ids.filter((id) => !known.some(({ feed_id }) => feed_id === id));
}

/**
 * Nobody knows whether the feed was handed in: the marketplace's list says. One that no other row of ours holds is it;
 * none means that it never arrived, once the list has had time to show it. Several leave it to people.
 */
export async function lookForIt(
  runtime: Runtime,
  api: SpApi,
  account: AccountRef,
  row: FeedState,
): Promise<FeedChange> {
  const ids = (await listed(api, row)).map(({ feedId }) => feedId);
  const strangers = await notOurs(runtime, account, ids);
  const [only] = strangers;
  if (strangers.length > 1) {
    return { status: 'failed', error: '无法确认亚马逊是否已收到：同期有多个未知的提交，请在卖家后台核实后重试' };
  }
  if (only !== undefined) {
    return { status: 'submitted', feed_id: only, submitted_at: sql`kit.now()`, attempts: 0, error: null };
  }
  const patience = Math.min(SHOWS_AFTER_SEC, runtime.config.leaseSec);
  if (row.submitting_for_sec < patience) {
    throw new ComeBackLater((patience - row.submitting_for_sec) * 1000, '等待亚马逊确认是否已收到');
  }
  return { status: 'planned', submitting_since: null, submitting_at: null, attempts: 0 };
}
