import type { Region, SimAccount, SimListing, SimProduct } from '../../business/types.ts';
import type { OfferPatch } from '../feed-messages.ts';

/** Values of an attribute in one marketplace; null where it was taken away. */
export type Attributes = Readonly<Record<string, readonly object[] | null>>;

interface Place {
  sellingPartnerId: string;
  region: Region;
  marketplaceId: string;
  sku: string;
}

/** What the command log holds of listings that sellers write. */
export type EditCommand =
  /** A submission was accepted: what it says holds once its time has come. */
  | ({
      type: 'listingSaid';
      submissionId: string;
      /** Throttle clock, ms: when it was taken in and how long it takes. */
      askedAt: number;
      takesMs: number;
      said: Said;
    } & Place)
  /** What was said holds from `at` (data time) on. */
  | { type: 'listingDone'; submissionId: string; at: number }
  /** How long submissions take from now on, throttle clock. */
  | { type: 'listingDelay'; delayMs: readonly [number, number] };

/** What a submission makes of a listing. */
export interface Said {
  /** A listing that was not there before, or none any more. */
  whole?: 'new' | 'gone';
  productType: string;
  attributes: Attributes;
  /** Of the offer, in the marketplace's currency. */
  price?: string;
  quantity?: number;
  /** What becomes of the offers: applied once it holds, to what they are then. */
  offers?: OfferPatch;
  /** Whether the merchant ships from now on, or Amazon. */
  fulfilment?: 'AFN' | 'MFN';
  /** The product of a new listing. */
  product?: SimProduct;
}

type Open = Extract<EditCommand, { type: 'listingSaid' }>;
interface Done extends Open {
  at: number;
}

const keyOf = (of: Omit<Place, 'sku'>): string => [of.sellingPartnerId, of.region, of.marketplaceId].join('|');

/** A title, brand or picture as the attributes say it; undefined where they say nothing. */
const firstText = (attributes: Attributes, name: string): string | undefined => {
  const value = attributes[name]?.[0];
  return value === undefined ? undefined : String(Reflect.get(value, 'value'));
};

/** Listings as sellers and their helpers have written them since the business began. */
export class ListingEdits {
  #open: Open[] = [];
  readonly #done = new Map<string, Done[]>();
  delayMs: readonly [number, number] | undefined;

  /** Applies a command that is about listings; the one that now holds, if it does. */
  apply(command: { type: string }): Done | undefined {
    const edit = command as EditCommand;
    if (edit.type === 'listingDelay') this.delayMs = edit.delayMs;
    if (edit.type === 'listingSaid') this.#open.push(edit);
    if (edit.type !== 'listingDone') return undefined;
    const said = this.#open.find(({ submissionId }) => submissionId === edit.submissionId);
    if (!said) return undefined;
    this.#open = this.#open.filter((one) => one !== said);
    const done = { ...said, at: edit.at };
    const key = keyOf(said);
    this.#done.set(key, [...(this.#done.get(key) ?? []), done]);
    return done;
  }

  /** Another price or quantity of a listing that sellers made. */
  offer(place: Place, { at, ...said }: { at: number; price?: string; quantity?: number; offers?: OfferPatch }): void {
    const submissionId = `offer${at}`;
    const done = { type: 'listingSaid' as const, submissionId, askedAt: 0, takesMs: 0, ...place, at };
    const key = keyOf(place);
    this.#done.set(key, [
      ...(this.#done.get(key) ?? []),
      { ...done, said: { productType: '', attributes: {}, ...said } },
    ]);
  }

  /** Submissions that do not hold yet, oldest first. */
  open(): readonly Open[] {
    return this.#open;
  }

  /** What was said of one SKU and holds at `now`, oldest first; since the listing was last taken away. */
  of({ sku, ...place }: Place, now: number): readonly Done[] {
    const all = (this.#done.get(keyOf(place)) ?? []).filter((one) => one.sku === sku && one.at <= now);
    return all.slice(all.findLastIndex(({ said }) => said.whole === 'gone') + 1);
  }

  /** Listings of the business with all that was written of them by `now`. */
  shown(account: SimAccount, marketplaceId: string, now: number, listings: SimListing[]): SimListing[] {
    const { sellingPartnerId, region } = account;
    const place = { sellingPartnerId, region, marketplaceId };
    const all = (this.#done.get(keyOf(place)) ?? []).filter(({ at }) => at <= now);
    if (all.length === 0) return listings;
    const touched = new Set(all.map(({ sku }) => sku));
    const known = new Map(listings.map((one) => [one.product.sku, one]));
    const own = [...touched].flatMap((sku) => {
      const ends = all.some((one) => one.sku === sku && one.said.whole === 'gone');
      const since = this.of({ ...place, sku }, now);
      const before = ends ? undefined : known.get(sku);
      const shown = written(since, before, { account, marketplaceId });
      return shown ? [shown] : [];
    });
    return [...listings.filter(({ product }) => !touched.has(product.sku)), ...own];
  }
}

function productWith(product: SimProduct, { attributes, fulfilment }: Said): SimProduct {
  const [title, brand] = [firstText(attributes, 'item_name'), firstText(attributes, 'brand')];
  return {
    ...product,
    ...(title === undefined
      ? {}
      : { titles: Object.fromEntries(['en', 'de', 'fr', 'ja'].map((language) => [language, title])) }),
    ...(brand === undefined ? {} : { brand }),
    ...(fulfilment === undefined ? {} : { fulfilment }),
  };
}

/** A listing after some edits; undefined where there is none. */
function written(
  edits: readonly Done[],
  before: SimListing | undefined,
  of: Pick<SimListing, 'account' | 'marketplaceId'>,
): SimListing | undefined {
  let shown = before;
  for (const { said, at, submissionId } of edits) {
    const base: SimListing | undefined =
      shown ??
      (said.product && {
        ...of,
        product: said.product,
        listingId: submissionId.slice(0, 11),
        price: '',
        status: 'INACTIVE',
        issues: [],
        lastUpdatedAt: at,
      });
    if (!base) continue;
    const quantity = said.quantity ?? base.quantity;
    const price = before === undefined ? (said.price ?? base.price) : base.price;
    const product = productWith(base.product, said);
    shown = {
      ...base,
      product,
      price,
      ...(quantity === undefined ? {} : { quantity }),
      ...(before === undefined
        ? { status: price !== '' && product.fulfilment === 'MFN' && (quantity ?? 0) > 0 ? 'ACTIVE' : 'INACTIVE' }
        : {}),
      lastUpdatedAt: Math.max(base.lastUpdatedAt, at),
    };
  }
  return shown;
}
