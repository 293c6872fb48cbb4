import type { RemovalSaid, SimAccount } from '../business/types.ts';
import type { KnownFeed } from './feeds.ts';
import { unitDraw } from './random.ts';
import type { World } from './world.ts';

/**
 * Removal orders by flat file. Sellers tell of the head of the report, of "No removal order was created" and of ineligible
 * liquidation, so that a file is taken whole or not at all. Assumed is all else: the codes and words of the other refusals, the
 * summary of a file that was taken, which fields of the address Amazon insists on, that goods are sent within the marketplace's
 * own country (EU: the EU), where it liquidates, how long it takes, and that more than a dozen pieces go in two parcels.
 */
export const REMOVAL_FEED = 'POST_FLAT_FILE_FBA_CREATE_REMOVAL';

const TYPES: Readonly<Record<string, RemovalSaid['type']>> = {
  return: 'Return',
  disposal: 'Disposal',
  liquidate: 'Liquidations',
};
const LIQUIDATING = ['US', 'GB', 'DE', 'FR', 'IT', 'ES'];
const EU = ['DE', 'FR', 'IT', 'ES', 'NL', 'PL', 'SE', 'BE', 'IE', 'AT'];
const ADDRESS = ['AddressName', 'AddressFieldOne', 'AddressCity', 'AddressCountryCode', 'AddressPostalCode'];
const COLUMNS = ['MerchantSKU', 'SellableQuantity', 'UnsellableQuantity'];
const LONGEST_ID = 50;
const ONE_PARCEL = 12;
const DAY_MS = 86_400_000;

interface Refusal {
  code: string;
  message: string;
  sku?: string;
}
interface Read {
  head: Map<string, string>;
  columns: string[];
  lines: string[][];
}

type Judged = { refusal?: Refusal; line?: RemovalSaid['lines'][number] };

const refusal = (code: string, message: string, sku?: string): Refusal => ({ code, message, ...(sku && { sku }) });

/** Pairs up to the empty line, then a table. */
function read(content: string): Read {
  const all = content.split(/\r?\n/).map((line) => line.split('\t'));
  const gap = all.findIndex((cells) => cells.every((cell) => cell.trim() === ''));
  const [columns = [], ...lines] = gap < 0 ? [] : all.slice(gap + 1);
  const head = all.slice(0, gap < 0 ? all.length : gap).map(([key = '', value = '']) => [key, value.trim()] as const);
  return { head: new Map(head), columns, lines: lines.filter((cells) => cells.some((cell) => cell.trim() !== '')) };
}

function headRefusals(world: World, feed: KnownFeed, { head }: Read): Refusal[] {
  const [marketplaceId = ''] = feed.marketplaceIds;
  const { countryCode } = world.marketplace(marketplaceId);
  const id = head.get('MerchantRemovalOrderID') ?? '';
  const disposition = (head.get('RemovalDisposition') ?? '').toLowerCase();
  const found: Refusal[] = [];
  if (id === '') found.push(refusal('4', 'MerchantRemovalOrderID is required.'));
  if (id.length > LONGEST_ID) found.push(refusal('5', 'MerchantRemovalOrderID exceeds 50 characters.'));
  if (world.feeds.removals(feed).some(({ orderId }) => orderId === id)) {
    found.push(refusal('6', `MerchantRemovalOrderID ${id} is a duplicate of an existing removal order.`));
  }
  if (!TYPES[disposition]) found.push(refusal('2', `RemovalDisposition ${disposition} is not valid.`));
  if (disposition === 'liquidate' && !LIQUIDATING.includes(countryCode)) {
    found.push(refusal('1', 'RemovalDisposition liquidate is ineligible in your marketplace.'));
  }
  return disposition === 'return' ? [...found, ...addressRefusals(head, countryCode)] : found;
}

function addressRefusals(head: Read['head'], countryCode: string): Refusal[] {
  const country = head.get('AddressCountryCode') ?? '';
  const missing = ADDRESS.filter((name) => !head.get(name)).map((name) => refusal('7', `${name} is required.`));
  if (country === 'US' && !head.get('AddressStateOrRegion')) {
    missing.push(refusal('7', 'AddressStateOrRegion is required.'));
  }
  const isNear = country === countryCode || (EU.includes(country) && EU.includes(countryCode));
  if (country !== '' && !isNear) {
    missing.push(refusal('8', `AddressCountryCode ${country} is not supported in your marketplace.`));
  }
  return missing;
}

const wholeOf = (text: string | undefined): number | undefined =>
  /^\d{1,7}$/.test(text?.trim() ?? '') ? Number(text) : undefined;

/** The lines of a file, each with what is wrong with it. */
function linesOf(world: World, account: SimAccount, feed: KnownFeed, { lines }: Read): Judged[] {
  const [marketplaceId = ''] = feed.marketplaceIds;
  const seen = new Set<string>();
  return lines.map(([sku = '', good, bad]) => {
    const [sellable, unsellable] = [wholeOf(good), wholeOf(bad)];
    const wrong = (code: string, message: string) => ({ refusal: refusal(code, message, sku) });
    if (seen.has(sku)) return wrong('9', 'MerchantSKU is listed more than once.');
    seen.add(sku);
    const free = world.business.removable(account, marketplaceId, sku, world.now());
    if (!free) return wrong('10', `MerchantSKU ${sku} was not found in your inventory.`);
    if (sellable === undefined) return wrong('11', 'SellableQuantity must be a whole number.');
    if (unsellable === undefined) return wrong('11', 'UnsellableQuantity must be a whole number.');
    if (sellable + unsellable === 0) return wrong('12', 'At least one quantity must be greater than 0.');
    if (sellable > free.sellable) {
      return wrong('13', `SellableQuantity ${sellable} exceeds the available quantity ${free.sellable}.`);
    }
    if (unsellable > free.unsellable) {
      return wrong('13', `UnsellableQuantity ${unsellable} exceeds the available quantity ${free.unsellable}.`);
    }
    return { line: { sku, sellable, unsellable } };
  });
}

/** The processing report: a summary, and a table of what was wrong. */
function reportOf(records: number, refusals: readonly Refusal[]): { flat: string } {
  const none = 'An error prevented this feed from being processed. No removal order was created.';
  const rows = refusals.map(({ code, message, sku = '-' }, nth) => [100_002 + nth, sku, code, 'Error', message]);
  const table = [
    ['original-record-number', 'sku', 'error-code', 'error-type', 'error-message'],
    [100_001, '-', 3, 'Info', none],
    ...rows,
  ].map((cells) => cells.join('\t'));
  const done = refusals.length === 0 ? records : 0;
  return {
    flat: [
      'Feed Processing Summary:',
      `\tNumber of records processed\t\t${done}`,
      `\tNumber of records successful\t\t${done}`,
      '',
      ...(refusals.length === 0 ? [] : table),
      '',
    ].join('\n'),
  };
}

/** When the parts of an order are done: what is destroyed on the next day, what is sent after two days or three. */
function timesOf(world: World, feedId: string, said: Omit<RemovalSaid, 'doneAt'>): number[] {
  const at = world.now() + Math.round(unitDraw('removal', world.seed, feedId) * 0.5 * DAY_MS);
  if (said.type === 'Disposal') return [at + DAY_MS];
  const pieces = said.lines.reduce((sum, { sellable, unsellable }) => sum + sellable + unsellable, 0);
  const first = at + 1.5 * DAY_MS;
  return said.type === 'Return' && pieces > ONE_PARCEL ? [first, first + DAY_MS] : [first];
}

/** The end of a file that asks for a removal order: the order where nothing is wrong with any part of it. */
export function settleRemoval(world: World, feed: KnownFeed): { report: object; removal?: RemovalSaid } {
  const account = world.account(feed.sellingPartnerId, feed.region);
  const file = read(world.feeds.document(feed.inputDocumentId)?.content ?? '');
  if (!account || COLUMNS.some((name, at) => file.columns[at]?.trim() !== name)) {
    return { report: reportOf(0, [refusal('14', 'The file does not have the columns of a removal order.')]) };
  }
  const lines = linesOf(world, account, feed, file);
  const refusals = [...headRefusals(world, feed, file), ...lines.flatMap(({ refusal: one }) => one ?? [])];
  if (lines.length === 0) refusals.push(refusal('15', 'The file has no items.'));
  const report = reportOf(lines.length, refusals);
  if (refusals.length > 0) return { report };
  const said = {
    orderId: file.head.get('MerchantRemovalOrderID') ?? '',
    type: TYPES[(file.head.get('RemovalDisposition') ?? '').toLowerCase()] ?? 'Return',
    lines: lines.flatMap(({ line }) => line ?? []),
  };
  return { report, removal: { ...said, doneAt: timesOf(world, feed.feedId, said) } };
}
