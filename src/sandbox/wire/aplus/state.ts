import type { Region } from '../../business/types.ts';

export type Fields = Record<string, unknown>;

/** Why something is refused, as the API words it; `details` says where in the document. */
export interface Complaint {
  code: string;
  message: string;
  details: string;
}

/** Whose documents, and where. */
export interface Shelf {
  sellingPartnerId: string;
  region: Region;
  marketplaceId: string;
}

/** An A+ document with all that is known of it. */
export interface AplusDocument extends Shelf {
  key: string;
  /** As the API takes and gives it: name, contentType, locale, contentModuleList. */
  content: Fields;
  status: 'APPROVED' | 'DRAFT' | 'REJECTED' | 'SUBMITTED';
  badges: readonly string[];
  /** Data clock, ms. */
  updatedAt: number;
  asins: readonly string[];
  /** Those of `asins` that show it to buyers. */
  live: readonly string[];
  /** Why it was rejected. */
  reasons: readonly Complaint[];
  /** Throttle clock, ms: when it was handed in, and how long its review takes. */
  askedAt?: number;
  takesMs?: number;
  /** A kind of module that this version of the API cannot write down. */
  foreign?: string;
}

/** A picture that somebody may send, or has sent. */
export interface AplusPicture {
  id: string;
  sellingPartnerId: string;
  region: Region;
  contentType: string;
  /** Base64 of the MD5 of its bytes. */
  md5: string;
  /** Base64; absent until it was sent. */
  content?: string;
  width?: number;
  height?: number;
}

/** What the command log holds of A+ content. */
export type AplusCommand =
  | { type: 'aplusDocument'; document: AplusDocument }
  | { type: 'aplusPicture'; picture: AplusPicture }
  /** How long reviews take from now on, throttle clock; and how many of the next ones end with these reasons. */
  | { type: 'aplusReview'; delayMs?: readonly [number, number]; rejectNext?: number; reasons?: readonly Complaint[] }
  | { type: 'aplusBrand'; account: string; registered: boolean }
  /** A key stands for nothing any more, as keys of the API do now and then. */
  | { type: 'aplusKeyGone'; key: string };

const shelfKey = ({ sellingPartnerId, region, marketplaceId }: Shelf): string =>
  [sellingPartnerId, region, marketplaceId].join('|');

/** A+ documents as sellers have written them since the business began, over those that were there from the start. */
export class AplusDesk {
  readonly #documents = new Map<string, AplusDocument>();
  readonly #pictures = new Map<string, AplusPicture>();
  readonly #planted = new Map<string, readonly AplusDocument[]>();
  readonly #gone = new Set<string>();
  readonly #brandless = new Set<string>();
  delayMs: readonly [number, number] | undefined;
  rejectNext = 0;
  reasons: readonly Complaint[] = [];
  #count = 0;

  apply(command: { type: string }): void {
    const one = command as AplusCommand;
    if (one.type === 'aplusDocument') {
      this.#documents.set(one.document.key, one.document);
      this.#count += 1;
    } else if (one.type === 'aplusPicture') {
      this.#pictures.set(one.picture.id, one.picture);
      this.#count += 1;
    } else if (one.type === 'aplusReview') {
      this.delayMs = one.delayMs ?? this.delayMs;
      this.rejectNext = one.rejectNext ?? this.rejectNext;
      this.reasons = one.reasons ?? this.reasons;
    } else if (one.type === 'aplusBrand') {
      if (one.registered) this.#brandless.delete(one.account);
      else this.#brandless.add(one.account);
    } else if (one.type === 'aplusKeyGone') this.#gone.add(one.key);
  }

  /** A number that no earlier call was given. */
  next(): number {
    return this.#count + 1;
  }

  /** Whether the brand of an account (see accountKey) is registered, which it is until somebody says otherwise. */
  hasBrand(account: string): boolean {
    return !this.#brandless.has(account);
  }

  /** All documents of a shelf, the last changed first; `plant` makes those that were there from the start. */
  on(shelf: Shelf, plant: () => readonly AplusDocument[]): AplusDocument[] {
    const key = shelfKey(shelf);
    const planted = this.#planted.get(key) ?? plant();
    this.#planted.set(key, planted);
    const written = [...this.#documents.values()].filter((one) => shelfKey(one) === key);
    const known = new Set(written.map((one) => one.key));
    return [...written, ...planted.filter((one) => !known.has(one.key))]
      .filter((one) => !this.#gone.has(one.key))
      .sort((a, b) => b.updatedAt - a.updatedAt || (a.key < b.key ? -1 : 1));
  }

  /** Documents in review. */
  waiting(): AplusDocument[] {
    return [...this.#documents.values()].filter(({ status }) => status === 'SUBMITTED');
  }

  picture(id: string): AplusPicture | undefined {
    return this.#pictures.get(id);
  }
}
