import type { Region, RemovalSaid } from '../business/types.ts';
import type { OfferPatch } from './feed-messages.ts';
import type { VatOutcome } from './vat-feed.ts';

interface Owned {
  sellingPartnerId: string;
  region: Region;
}

/** A place for what a seller is going to send. */
export interface FeedDocument extends Owned {
  documentId: string;
  contentType: string;
}

/** A feed that somebody handed in. */
export interface FeedOrder extends Owned {
  feedId: string;
  feedType: string;
  marketplaceIds: string[];
  inputDocumentId: string;
  /** `feedOptions` as they came. */
  options?: Record<string, string>;
  /** Epoch ms, data clock. */
  createdAt: number;
  /** Epoch ms, throttle clock: processing takes real time even when the business stands still. */
  askedAt: number;
  /** Set by a fault at the moment of handing in. */
  fate?: 'stuck' | 'FATAL';
}

/** What a feed made of one offer. */
export interface OfferSaid {
  marketplaceId: string;
  sku: string;
  /** Decimal text in the marketplace's currency. */
  price?: string;
  quantity?: number;
  /** More than a price, or a price in the place of all else. */
  offers?: OfferPatch;
}

/** What the command log holds of feeds. */
export type FeedCommand =
  | { type: 'feedDocument'; document: FeedDocument }
  | { type: 'feedContent'; documentId: string; content: string }
  | { type: 'feed'; feed: FeedOrder }
  | ({ type: 'cancelFeed'; feedId: string } & Owned)
  | ({
      type: 'feedDone';
      feedId: string;
      /** Data time of the end, epoch ms. */
      at: number;
      /** The processing report; absent after a fatal error. */
      report?: object;
      offers: OfferSaid[];
      /** What became of an uploaded invoice. */
      vat?: VatOutcome;
      /** The removal order that it made. */
      removal?: RemovalSaid;
    } & Owned);

/** A feed with what became of it. */
export interface KnownFeed extends FeedOrder {
  cancelled?: true;
  done?: { at: number; report?: object; vat?: VatOutcome; removal?: RemovalSaid };
}

/** Feeds and their documents as the commands have left them. */
export class Feeds {
  readonly #documents = new Map<string, FeedDocument & { content?: string }>();
  readonly #feeds = new Map<string, KnownFeed>();

  /** Applies a command that is about them; others change nothing. */
  apply(command: { type: string }): void {
    const known = command as FeedCommand;
    if (known.type === 'feedDocument') this.#documents.set(known.document.documentId, { ...known.document });
    else if (known.type === 'feedContent') {
      const document = this.#documents.get(known.documentId);
      if (document) document.content = known.content;
    } else if (known.type === 'feed') this.#feeds.set(known.feed.feedId, { ...known.feed });
    else if (known.type === 'cancelFeed') {
      const feed = this.#feeds.get(known.feedId);
      if (feed) feed.cancelled = true;
    } else if (known.type === 'feedDone') {
      const feed = this.#feeds.get(known.feedId);
      const { at, report, vat, removal } = known;
      if (feed) feed.done = { at, ...(report && { report }), ...(vat && { vat }), ...(removal && { removal }) };
    }
  }

  document(id: string): (FeedDocument & { content?: string }) | undefined {
    return this.#documents.get(id);
  }

  feed(id: string): KnownFeed | undefined {
    return this.#feeds.get(id);
  }

  /** Newest first. */
  all(): KnownFeed[] {
    return [...this.#feeds.values()].reverse();
  }

  /** Handed in and not over, oldest first. */
  open(): KnownFeed[] {
    return [...this.#feeds.values()].filter((feed) => !feed.done && !feed.cancelled && feed.fate !== 'stuck');
  }

  /** What became of a seller's uploaded invoices until an instant, oldest first. */
  vatOutcomes({ sellingPartnerId, region }: Owned, asOf = Number.POSITIVE_INFINITY): VatOutcome[] {
    return [...this.#feeds.values()].flatMap(({ done, ...feed }) =>
      done?.vat && done.at <= asOf && feed.sellingPartnerId === sellingPartnerId && feed.region === region
        ? [done.vat]
        : [],
    );
  }

  /** Removal orders that a seller's feeds made, oldest first. */
  removals({ sellingPartnerId, region }: Owned): RemovalSaid[] {
    return [...this.#feeds.values()].flatMap(({ done, ...feed }) =>
      done?.removal && feed.sellingPartnerId === sellingPartnerId && feed.region === region ? [done.removal] : [],
    );
  }

  /** A number that no document and no feed has yet. */
  next(): number {
    return this.#documents.size + this.#feeds.size + 1;
  }
}
