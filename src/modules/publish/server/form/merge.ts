import type { Clash } from '../../contract/draft.ts';
import type { Attributes, FormModel } from '../../contract/form.ts';
import { canonical, changedNames, inFormOrder, labelOf, valueWords } from './values.ts';

/** Attributes that a draft of a listing that exists does not send: price and stock have their own way, the ASIN none. */
export const LOCKED: Readonly<Record<string, string>> = {
  purchasable_offer: '售价请在「调价队列」修改',
  fulfillment_availability: '库存请在「在线商品」修改，配送方式请在卖家后台修改',
};

export function isLocked(name: string): boolean {
  return Object.hasOwn(LOCKED, name);
}

/** Attributes that a draft changes and sends. */
export function ownChanges(base: Attributes, attributes: Attributes): string[] {
  return changedNames(base, attributes).filter((name) => !isLocked(name));
}

/** What somebody else changed since `base`, beside what the draft does to it; price and stock move by themselves. */
export function clashesOf(form: FormModel, base: Attributes, live: Attributes, attributes: Attributes): Clash[] {
  const mine = new Set(ownChanges(base, attributes));
  return inFormOrder(form, ownChanges(base, live))
    .filter((name) => canonical(live[name] ?? []) !== canonical(attributes[name] ?? []))
    .map((name) => ({
      attribute: name,
      label: labelOf(form, name),
      base: valueWords(form, name, base[name]),
      theirs: valueWords(form, name, live[name]),
      mine: mine.has(name) ? valueWords(form, name, attributes[name]) : null,
      both: mine.has(name),
    }));
}

/**
 * The draft on top of what the listing is now. What only they changed is taken over; of what both changed, what was chosen.
 * @returns the attributes, and those that nobody chose a side for
 */
export function rebased(
  { base, live, attributes }: { base: Attributes; live: Attributes; attributes: Attributes },
  take: Readonly<Record<string, 'theirs' | 'mine'>>,
): { attributes: Attributes; undecided: string[] } {
  const mine = ownChanges(base, attributes);
  const theirs = new Set(ownChanges(base, live));
  const next: Record<string, Attributes[string]> = { ...live };
  const undecided: string[] = [];
  for (const name of mine) {
    const same = canonical(live[name] ?? []) === canonical(attributes[name] ?? []);
    const side = !theirs.has(name) || same ? 'mine' : take[name];
    if (side === undefined) undecided.push(name);
    if (side === 'theirs') continue;
    const values = attributes[name];
    if (values) next[name] = values;
    else delete next[name];
  }
  return { attributes: next, undecided };
}

/** One operation of patchListingsItem. */
export interface Patch {
  op: 'replace' | 'delete';
  path: string;
  value: readonly object[];
}

const SELECTORS = ['marketplace_id', 'language_tag'];

/** The patches of a draft: whole attributes that it changed, and no other. */
export function patchesOf(base: Attributes, attributes: Attributes): Patch[] {
  return ownChanges(base, attributes).map((name) => {
    const path = `/attributes/${name}`;
    const values = attributes[name];
    if (values) return { op: 'replace', path, value: values };
    // What is taken away is named by its place alone.
    const places = (base[name] ?? []).map((value) =>
      Object.fromEntries(SELECTORS.flatMap((key) => (value[key] === undefined ? [] : [[key, value[key]]]))),
    );
    return { op: 'delete', path, value: [...new Map(places.map((place) => [canonical(place), place])).values()] };
  });
}
