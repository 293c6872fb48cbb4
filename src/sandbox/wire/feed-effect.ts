import { attributesOf } from './catalogue/shown.ts';
import { type Complaint, type FeedMessage, messageComplaint, offerOf } from './feed-messages.ts';
import type { KnownFeed, OfferSaid } from './feeds.ts';
import { unitDraw } from './random.ts';
import { REMOVAL_FEED, settleRemoval } from './removal-feed.ts';
import { settleVat, VAT_FEED } from './vat-feed.ts';
import type { World } from './world.ts';

/** So long a feed takes, ms of the throttle clock. */
export function feedDelay(world: World, feedId: string): number {
  const [low, high] = world.settings.reportDelayMs;
  return Math.round(low + (high - low) * unitDraw('feed-delay', world.seed, feedId));
}

/**
 * Ends every feed whose time has come, in the order in which they were handed in: what its messages say of offers holds
 * from now on. Written down as a command, so that a sandbox that starts again finds the same offers.
 */
export function settleFeeds(world: World): void {
  for (const feed of world.feeds.open()) {
    if (world.throttleClock.now() - feed.askedAt >= feedDelay(world, feed.feedId)) settle(world, feed);
  }
}

function settle(world: World, feed: KnownFeed): void {
  const { feedId, sellingPartnerId, region } = feed;
  const done = { type: 'feedDone' as const, feedId, sellingPartnerId, region, at: world.now() };
  if (feed.feedType === VAT_FEED) {
    world.command({ ...done, offers: [], ...(feed.fate === 'FATAL' ? {} : settleVat(world, feed)) });
    return;
  }
  if (feed.feedType === REMOVAL_FEED) {
    // What a broken feed has made by then is there, and nobody says so.
    const { report, removal } = settleRemoval(world, feed);
    const told = feed.fate === 'FATAL' ? {} : { report };
    world.command({ ...done, offers: [], ...told, ...(removal && { removal }) });
    return;
  }
  const read = messagesOf(world, feed);
  const results = Array.isArray(read) ? read.map((message) => judged(world, feed, message)) : [];
  if (feed.fate === 'FATAL') {
    // What a broken feed has done by then stays done, and nobody says how much that is.
    const half = results.slice(0, Math.ceil(results.length / 2));
    world.command({ ...done, offers: half.flatMap(({ offer }) => offer ?? []) });
    return;
  }
  if (!Array.isArray(read)) {
    world.command({ ...done, report: reportOf(feed, 0, [read]), offers: [] });
    return;
  }
  const complaints = results.flatMap(({ complaint }) => complaint ?? []);
  const offers = results.flatMap(({ offer }) => offer ?? []);
  world.command({ ...done, report: reportOf(feed, results.length, complaints), offers });
}

/** What a feed is made of, or why it cannot be read. */
function messagesOf(world: World, feed: KnownFeed): FeedMessage[] | Complaint {
  const whole = (message: string): Complaint => ({ messageId: 0, code: '4000001', severity: 'ERROR', message });
  let parsed: unknown;
  try {
    parsed = JSON.parse(world.feeds.document(feed.inputDocumentId)?.content ?? '');
  } catch {
    return whole('The feed content is not valid JSON.');
  }
  const { header, messages } = (parsed ?? {}) as {
    header?: { sellerId?: string; version?: string };
    messages?: unknown;
  };
  if (header?.version !== '2.0') return whole('The header must state version 2.0.');
  if (header.sellerId !== feed.sellingPartnerId)
    return whole('The seller of the header is not the seller of the feed.');
  if (!Array.isArray(messages) || messages.length === 0) return whole('The feed has no messages.');
  const ids = new Set(messages.map(({ messageId }) => messageId));
  return ids.size === messages.length ? messages : whole('Every messageId must be unique in the feed.');
}

function judged(world: World, feed: KnownFeed, message: FeedMessage): { complaint?: Complaint; offer?: OfferSaid[] } {
  const account = world.account(feed.sellingPartnerId, feed.region);
  const [marketplaceId = ''] = feed.marketplaceIds;
  const listing = account && listingOf(world, account, marketplaceId, message.sku);
  const offers = (listing && attributesOf(world, listing, world.now()).purchasable_offer) ?? [];
  const complaint = messageComplaint(message, { marketplace: world.marketplace(marketplaceId), listing, offers });
  return complaint ? { complaint } : { offer: [{ marketplaceId, sku: message.sku, ...offerOf(message) }] };
}

function listingOf(world: World, account: Parameters<World['business']['listings']>[0], id: string, sku: string) {
  const key = ['feed listings', account.sellingPartnerId, account.region, id, world.now()].join('|');
  const all = world.cachedList(key, () => world.listings(account, id, world.now()));
  return all.find((one) => one.product.sku === sku);
}

/** A listings feed processing report, version 2.0. */
function reportOf({ feedId, sellingPartnerId }: KnownFeed, processed: number, issues: Complaint[]): object {
  const invalid = new Set(issues.map(({ messageId }) => messageId)).size;
  return {
    header: { sellerId: sellingPartnerId, version: '2.0', feedId },
    issues: issues.map(({ messageId, ...issue }) => (messageId === 0 ? issue : { messageId, ...issue })),
    summary: {
      errors: issues.length,
      warnings: 0,
      messagesProcessed: processed,
      messagesAccepted: Math.max(0, processed - invalid),
      messagesInvalid: Math.min(processed, invalid),
    },
  };
}
