import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { breakConnection, hang, htmlError } from './breakage.ts';
import { iso } from './clock.ts';
import { checkNumber, invalidInput, notFound, notImplemented, SpApiError, unauthorized } from './errors.ts';
import type { FaultTarget } from './faults.ts';
import { feedDelay } from './feed-effect.ts';
import type { KnownFeed } from './feeds.ts';
import type { Answer, Call, Operation } from './operation.ts';
import { cutPage, openPage } from './paging.ts';
import { instant, integer, list, listOf, text } from './query.ts';
import { REMOVAL_FEED } from './removal-feed.ts';
import { VAT_COUNTRIES } from './vat-documents.ts';
import { VAT_FEED } from './vat-feed.ts';
import type { World } from './world.ts';

const LINK_LIFE_MS = 5 * 60_000;
const TOKEN_LIFE_MS = 24 * 3_600_000;
const LISTINGS_FEED = 'JSON_LISTINGS_FEED';
const STATUSES = ['CANCELLED', 'DONE', 'FATAL', 'IN_PROGRESS', 'IN_QUEUE'] as const;
type Status = (typeof STATUSES)[number];

const resultIdOf = (feed: KnownFeed): string => `amzn1.tortuga.4.${feed.region}.result.T${feed.feedId}`;

/** Where a feed stands; it moves with the throttle clock. */
export function feedStatus(world: World, feed: KnownFeed): Status {
  if (feed.cancelled) return 'CANCELLED';
  if (feed.done) return feed.done.report ? 'DONE' : 'FATAL';
  const waited = world.throttleClock.now() - feed.askedAt;
  return waited < feedDelay(world, feed.feedId) * 0.4 ? 'IN_QUEUE' : 'IN_PROGRESS';
}

/** A feed in the shape of the API. */
export function feedShape(world: World, feed: KnownFeed): Record<string, unknown> {
  const status = feedStatus(world, feed);
  return {
    feedId: feed.feedId,
    feedType: feed.feedType,
    marketplaceIds: feed.marketplaceIds,
    createdTime: iso(feed.createdAt),
    processingStatus: status,
    ...(status === 'IN_QUEUE' || status === 'CANCELLED' ? {} : { processingStartTime: iso(feed.createdAt) }),
    ...(feed.done ? { processingEndTime: iso(feed.done.at) } : {}),
    ...(feed.done?.report ? { resultFeedDocumentId: resultIdOf(feed) } : {}),
  };
}

function linkOf(world: World, documentId: string): string {
  const expiresAt = world.throttleClock.now() + LINK_LIFE_MS;
  const signature = world.mint.sign(`feed|${documentId}|${expiresAt}`);
  return `${world.publicUrl}/feed-docs/${encodeURIComponent(documentId)}?exp=${expiresAt}&sig=${signature}`;
}

function bodyOf({ body }: Call): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

function createFeedDocument(call: Call): Answer {
  const { world, account } = call;
  const { contentType } = bodyOf(call);
  if (typeof contentType !== 'string' || contentType === '') throw invalidInput('contentType: is required');
  const { sellingPartnerId, region } = account;
  const documentId = `amzn1.tortuga.4.${region}.${String(world.feeds.next()).padStart(8, '0')}`;
  world.command({ type: 'feedDocument', document: { documentId, contentType, sellingPartnerId, region } });
  return { status: 201, body: { feedDocumentId: documentId, url: linkOf(world, documentId) } };
}

function isMine({ account }: Call, one: { sellingPartnerId: string; region: string } | undefined): boolean {
  return one?.sellingPartnerId === account.sellingPartnerId && one.region === account.region;
}

/** Invoices are taken of the marketplaces of the VAT programme alone. */
function checkVat(world: World, marketplaceIds: readonly unknown[]): void {
  const isTaken = marketplaceIds.every((id) => VAT_COUNTRIES.has(world.marketplace(String(id)).countryCode));
  if (!isTaken) throw invalidInput('marketplaceIds: UPLOAD_VAT_INVOICE is not available in this marketplace');
}

function optionsOf(given: unknown): Record<string, string> | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given !== 'object') throw invalidInput('feedOptions: must be an object');
  const options = Object.entries(given);
  if (options.some(([, value]) => typeof value !== 'string')) throw invalidInput('feedOptions: values must be texts');
  return Object.fromEntries(options.map(([name, value]) => [name, String(value)]));
}

function createFeed(call: Call): Answer {
  const { world, account } = call;
  const { feedType, marketplaceIds, inputFeedDocumentId, feedOptions } = bodyOf(call);
  if (typeof feedType !== 'string' || feedType === '') throw invalidInput('feedType: is required');
  // The feeds of flat files and XML about listings were switched off in July 2025; those about FBA orders stayed.
  if (/^POST_/.test(feedType) && feedType !== REMOVAL_FEED)
    throw invalidInput(`feedType: '${feedType}' is no longer a feed type`);
  if (![LISTINGS_FEED, VAT_FEED, REMOVAL_FEED].includes(feedType)) throw notImplemented(`createFeed ${feedType}`);
  if (!Array.isArray(marketplaceIds) || marketplaceIds.length === 0 || marketplaceIds.length > 25) {
    throw invalidInput('marketplaceIds: between 1 and 25 marketplaces are required');
  }
  if (marketplaceIds.length > 1) {
    throw invalidInput("Too many 'marketplaceIds' values provided. Expected a maximum of 1.");
  }
  const foreign = marketplaceIds.find((id) => !account.marketplaceIds.includes(id));
  if (foreign !== undefined) throw unauthorized(`The seller does not sell in marketplace ${String(foreign)}`);
  if (feedType === VAT_FEED) checkVat(world, marketplaceIds);
  const options = optionsOf(feedOptions);
  const document = world.feeds.document(String(inputFeedDocumentId));
  if (!isMine(call, document) || document?.content === undefined) {
    throw invalidInput('inputFeedDocumentId: no document was uploaded under this id');
  }
  const { sellingPartnerId, region } = account;
  const feedId = String(50_000_000_000 + world.feeds.next());
  const fate = call.strike('feedStuck', feedType) ? 'stuck' : call.strike('feedFatal', feedType) ? 'FATAL' : undefined;
  world.command({
    type: 'feed',
    feed: {
      feedId,
      feedType,
      marketplaceIds,
      inputDocumentId: document.documentId,
      ...(options === undefined ? {} : { options }),
      sellingPartnerId,
      region,
      createdAt: call.now,
      askedAt: world.throttleClock.now(),
      ...(fate === undefined ? {} : { fate }),
    },
  });
  return { status: 202, body: { feedId } };
}

function existing(call: Call): KnownFeed {
  checkNumber(call.params.feedId ?? '', 'feedId');
  const feed = call.world.feeds.feed(call.params.feedId ?? '');
  if (!feed || !isMine(call, feed)) throw notFound(`feed ${call.params.feedId}`);
  return feed;
}

function cancelFeed(call: Call): Answer {
  const feed = existing(call);
  if (feedStatus(call.world, feed) !== 'IN_QUEUE') throw invalidInput('Only a feed that is IN_QUEUE can be cancelled');
  const { feedId, sellingPartnerId, region } = feed;
  call.world.command({ type: 'cancelFeed', feedId, sellingPartnerId, region });
  return { body: {} };
}

interface Filter {
  types: string[];
  statuses: string[];
  since: number;
  until: number;
  size: number;
}

/** The filter of getFeeds; the token of a further page comes alone and carries it inside. */
function filterOf(call: Call): { filter: Filter; inner?: string } {
  const token = text(call.query, 'nextToken');
  if (token !== undefined) {
    if (Object.keys(call.query).some((name) => name !== 'nextToken')) {
      throw invalidInput('nextToken: must be the only parameter');
    }
    const opened = call.world.mint.open(token);
    if (typeof opened !== 'object' || opened === null || !('filter' in opened)) {
      throw invalidInput('nextToken: the token is not valid');
    }
    return opened as { filter: Filter; inner: string };
  }
  const types = list(call.query, 'feedTypes', 10);
  if (types.length === 0) throw invalidInput('Either feedTypes or nextToken is required');
  const filter = {
    types,
    statuses: listOf(call.query, 'processingStatuses', STATUSES),
    since: instant(call.query, 'createdSince') ?? call.now - 90 * 86_400_000,
    until: instant(call.query, 'createdUntil') ?? call.now,
    size: integer(call.query, 'pageSize', { min: 1, max: 100, fallback: 10 }),
  };
  return { filter };
}

function getFeeds(call: Call): Answer {
  const { world } = call;
  const { filter, inner } = filterOf(call);
  const bare: Call = { ...call, query: {} };
  const open = openPage(bare, 'nextToken', inner, TOKEN_LIFE_MS);
  const fits = world.feeds
    .all()
    .filter((feed) => isMine(call, feed) && filter.types.includes(feed.feedType))
    .filter((feed) => feed.createdAt >= filter.since && feed.createdAt <= Math.min(filter.until, open.asOf))
    .filter((feed) => filter.statuses.length === 0 || filter.statuses.includes(feedStatus(world, feed)));
  const { page, nextToken } = cutPage(bare, open, fits, filter.size);
  return {
    body: {
      feeds: page.map((feed) => feedShape(world, feed)),
      ...(nextToken === undefined ? {} : { nextToken: world.mint.seal({ filter, inner: nextToken }) }),
    },
  };
}

function getFeedDocument(call: Call): Answer {
  const id = call.params.feedDocumentId ?? '';
  if (contentOf(call, id) === undefined) throw new SpApiError(400, 'InvalidInput', 'Invalid feedDocumentId');
  return { body: { feedDocumentId: id, url: linkOf(call.world, id), compressionAlgorithm: 'GZIP' } };
}

/** A processing report as it is downloaded: JSON, or for uploaded invoices and removals a table. */
function reportText(report: object): string {
  return 'flat' in report && typeof report.flat === 'string' ? report.flat : JSON.stringify(report);
}

/** What lies under an id of this seller: what was sent, or a processing report. */
function contentOf(call: Call, id: string): string | undefined {
  const document = call.world.feeds.document(id);
  if (document) return isMine(call, document) ? document.content : undefined;
  const feed = call.world.feeds.all().find((one) => isMine(call, one) && resultIdOf(one) === id);
  return feed?.done?.report && reportText(feed.done.report);
}

const FEEDS = '/feeds/2021-06-30/feeds';
const DOCUMENTS = '/feeds/2021-06-30/documents';
const SLOW = { rate: 0.0222, burst: 10 };

/** Feeds API 2021-06-30. */
export const feedOperations: Operation[] = [
  {
    name: 'createFeedDocument',
    method: 'POST',
    path: DOCUMENTS,
    plan: { rate: 0.5, burst: 15 },
    handle: createFeedDocument,
  },
  { name: 'createFeed', method: 'POST', path: FEEDS, plan: { rate: 0.0083, burst: 15 }, handle: createFeed },
  { name: 'getFeeds', method: 'GET', path: FEEDS, plan: SLOW, handle: getFeeds },
  {
    name: 'getFeed',
    method: 'GET',
    path: `${FEEDS}/:feedId`,
    plan: { rate: 2, burst: 15 },
    handle: (call) => ({ body: feedShape(call.world, existing(call)) }),
  },
  { name: 'cancelFeed', method: 'DELETE', path: `${FEEDS}/:feedId`, plan: { rate: 2, burst: 15 }, handle: cancelFeed },
  { name: 'getFeedDocument', method: 'GET', path: `${DOCUMENTS}/:feedDocumentId`, plan: SLOW, handle: getFeedDocument },
];

interface DocumentRequest {
  Params: { documentId: string };
  Querystring: { exp?: string; sig?: string };
  Body: Buffer;
}

/** Refuses as a storage does, in XML; false where the link may be used. */
function refused(world: World, request: FastifyRequest<DocumentRequest>, reply: FastifyReply, operation: string) {
  const { documentId } = request.params;
  const { exp = '', sig = '' } = request.query;
  const target: FaultTarget = { operation, path: request.url };
  const xml = (status: number, code: string) =>
    reply.code(status).type('application/xml').send(`<?xml version="1.0"?>\n<Error><Code>${code}</Code></Error>`);
  if (!world.mint.verify(`feed|${documentId}|${exp}`, sig)) return xml(403, 'SignatureDoesNotMatch');
  if (world.throttleClock.now() > Number(exp) || world.faults.strike('documentExpired', target)) {
    return xml(403, 'AccessDenied');
  }
  const timeout = world.faults.strike('timeoutBefore', target);
  if (timeout) return hang(reply, timeout.ms);
  const broken = world.faults.strike('serverError', target);
  return broken ? htmlError(reply, broken.status ?? 503) : undefined;
}

const MOST_BYTES = 64 * 1024 * 1024;

/** The storage behind feed documents: PUT what is sent, GET what came of it. No token, only the signature of the link. */
export function registerFeedDocuments(server: FastifyInstance, world: World): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.put<DocumentRequest>('/feed-docs/:documentId', { bodyLimit: MOST_BYTES }, async (request, reply) => {
      const no = refused(world, request, reply, 'uploadFeedDocument');
      if (no) return no;
      const { documentId } = request.params;
      // What is no text is kept as base64: the memory of the sandbox is JSON.
      const isText = world.feeds.document(documentId)?.contentType !== 'application/pdf';
      const content = request.body.toString(isText ? 'utf8' : 'base64');
      world.command({ type: 'feedContent', documentId, content });
      const late = world.faults.strike('timeoutAfter', { operation: 'uploadFeedDocument', path: request.url });
      return late ? hang(reply, late.ms) : reply.code(200).send();
    });
    scope.get<DocumentRequest>('/feed-docs/:documentId', async (request, reply) => {
      const no = refused(world, request, reply, 'downloadFeedDocument');
      if (no) return no;
      const { documentId } = request.params;
      const feed = world.feeds.all().find((one) => resultIdOf(one) === documentId);
      const content = world.feeds.document(documentId)?.content ?? reportText(feed?.done?.report ?? {});
      const zipped = gzipSync(content);
      const target = { operation: 'downloadFeedDocument', path: request.url };
      if (world.faults.strike('connectionReset', target)) return breakConnection(reply, zipped, 'application/json');
      const cut = world.faults.strike('truncatedGzip', target) !== undefined;
      const body = cut ? zipped.subarray(0, Math.floor(zipped.length * 0.6)) : zipped;
      return reply.header('content-type', 'application/json; charset=UTF-8').send(body);
    });
  });
}
