import { randomUUID } from 'node:crypto';
import type { SimAccount, SimListing, SimProduct } from '../../business/types.ts';
import { invalidInput, SpApiError } from '../errors.ts';
import { offerComplaint, offerOf, offerPatch } from '../feed-messages.ts';
import { marketplacesOf } from '../listings.ts';
import type { Answer, Call, Operation } from '../operation.ts';
import { text } from '../query.ts';
import type { World } from '../world.ts';
import type { Attributes, Said } from './edits.ts';
import { pictureIssues, unfetched } from './fetched.ts';
import { type Issue, issuesOf } from './judge.ts';
import { offersAfter } from './offer.ts';
import { REQUIREMENTS, type Requirements } from './schema.ts';
import { editDelay } from './settle.ts';
import { attributesOf } from './shown.ts';

type Values = Record<string, readonly object[]>;

interface Place {
  account: SimAccount;
  marketplaceId: string;
  sku: string;
  listing: SimListing | undefined;
}

/** Where a write goes: to one marketplace only. Throws 400 or 403. */
function placeOf(call: Call): Place {
  const [marketplaceId, second] = marketplacesOf(call);
  if (marketplaceId === undefined || second !== undefined) {
    throw invalidInput('marketplaceIds: exactly one marketplace is required');
  }
  const { sku = '' } = call.params;
  if (sku.length > 40) throw invalidInput('sku: at most 40 characters are allowed');
  const listings = call.world.listings(call.account, marketplaceId, call.now);
  return { account: call.account, marketplaceId, sku, listing: listings.find(({ product }) => product.sku === sku) };
}

/** The preview judges and changes nothing. Throws 400 for any other mode. */
function isPreview({ query }: Call): boolean {
  const mode = text(query, 'mode');
  if (mode !== undefined && mode !== 'VALIDATION_PREVIEW') throw invalidInput(`mode: '${mode}' is not known`);
  return mode !== undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values of one marketplace out of an attribute as it was sent. Throws 400 where it is no array of objects. */
function valuesHere(name: string, value: unknown, marketplaceId: string): object[] {
  if (!Array.isArray(value) || !value.every(isRecord)) throw invalidInput(`${name}: an array of objects is expected`);
  return value.filter(({ marketplace_id: id }) => id === undefined || id === marketplaceId);
}

function codeOf(productType: unknown): string {
  if (typeof productType !== 'string' || productType === '') throw invalidInput('productType: is required');
  return productType;
}

/** A product that exists since somebody listed it. */
function productOf(place: Place, productType: string, values: Values, world: World): SimProduct {
  const say = (name: string): unknown => Reflect.get(values[name]?.[0] ?? {}, 'value');
  const title = String(say('item_name') ?? place.sku);
  const suggested = say('merchant_suggested_asin');
  const mark = Buffer.from(`${world.seed}|${place.sku}`).toString('hex').toUpperCase().slice(-8).padStart(8, '0');
  return {
    sku: place.sku,
    asin: typeof suggested === 'string' ? suggested : `B0${mark}`,
    fnsku: `X00${mark.slice(1)}`,
    titles: { en: title, de: title, fr: title, ja: title },
    brand: String(say('brand') ?? 'Generic'),
    productType,
    imageKey: 'parcel-blue',
    fulfilment: channelOf(values) ?? 'MFN',
    condition: 'New',
    lengthCm: 20,
    widthCm: 15,
    heightCm: 10,
    weightKg: 0.5,
    pack: 1,
    openedAt: world.now(),
  };
}

function channelOf(values: Values): 'AFN' | 'MFN' | undefined {
  const code: unknown = Reflect.get(values.fulfillment_availability?.[0] ?? {}, 'fulfillment_channel_code');
  return code === undefined ? undefined : code === 'DEFAULT' ? 'MFN' : 'AFN';
}

function offerSaid(values: Values): Pick<Said, 'price' | 'quantity' | 'fulfilment'> {
  const patches = Object.entries(values).map(([name, value]) => ({
    op: 'replace',
    path: `/attributes/${name}`,
    value: [...value],
  }));
  const fulfilment = channelOf(values);
  return { ...offerOf({ messageId: 1, sku: '', patches }), ...(fulfilment === undefined ? {} : { fulfilment }) };
}

/** The answer to a submission; one that is accepted holds once its time has come, whatever the answer's reader thinks. */
function answered(call: Call, place: Place, judged: readonly Issue[], said: Said): Answer {
  const { world } = call;
  const issues = [...judged, ...pictureIssues(call.found, isChinese(call))];
  const { account, marketplaceId, sku } = place;
  const submissionId = randomUUID().replaceAll('-', '');
  const isBad = issues.some(({ severity }) => severity === 'ERROR');
  const preview = isPreview(call);
  if (!isBad && !preview) {
    const { sellingPartnerId, region } = account;
    world.command({
      type: 'listingSaid',
      submissionId,
      sellingPartnerId,
      region,
      marketplaceId,
      sku,
      askedAt: world.throttleClock.now(),
      takesMs: editDelay(world, submissionId),
      said,
    });
  }
  const status = isBad ? 'INVALID' : preview ? 'VALID' : 'ACCEPTED';
  return { body: { sku, status, submissionId, issues } };
}

const isChinese = ({ query }: Call): boolean => (text(query, 'issueLocale') ?? '').startsWith('zh');

function put(call: Call): Answer {
  const place = placeOf(call);
  if (!isRecord(call.body) || !isRecord(call.body.attributes)) throw invalidInput('attributes: is required');
  const productType = codeOf(call.body.productType);
  const requirements = (call.body.requirements ?? 'LISTING') as Requirements;
  if (!REQUIREMENTS.includes(requirements)) throw invalidInput('requirements: is not known');
  const after: Values = Object.fromEntries(
    Object.entries(call.body.attributes).map(([name, value]) => [name, valuesHere(name, value, place.marketplaceId)]),
  );
  const before = place.listing ? attributesOf(call.world, place.listing, call.now) : {};
  const touched = new Set([...Object.keys(after), ...Object.keys(before)]);
  const marketplace = call.world.marketplace(place.marketplaceId);
  const judged = { marketplace, productType, requirements, listing: place.listing, before, after, touched };
  const gone = Object.fromEntries(Object.keys(before).flatMap((name) => (after[name] ? [] : [[name, null]])));
  return answered(call, place, issuesOf({ ...judged, chinese: isChinese(call) }), {
    productType,
    attributes: { ...gone, ...after },
    ...offerSaid(after),
    ...(place.listing ? {} : { whole: 'new' as const, product: productOf(place, productType, after, call.world) }),
  });
}

interface Patch {
  op?: unknown;
  path?: unknown;
  value?: unknown;
}

const OPERATIONS = ['add', 'replace', 'merge', 'delete'];

/** Values after a merge: those of the same selectors give way to the new ones key by key, others stay. */
function merged(before: readonly object[], values: readonly object[], selectors: readonly string[]): object[] {
  const keyOf = (one: object): string => JSON.stringify(selectors.map((name) => Reflect.get(one, name) ?? null));
  const next = new Map(before.map((one) => [keyOf(one), one]));
  for (const one of values) next.set(keyOf(one), { ...next.get(keyOf(one)), ...one });
  return [...next.values()];
}

const SELECTORS = ['marketplace_id', 'language_tag', 'currency', 'audience', 'fulfillment_channel_code'];

function applied(
  before: Values,
  patch: Patch,
  marketplaceId: string,
): { name: string; value: readonly object[] | null } {
  const name = /^\/attributes\/([a-z0-9_]+)$/.exec(String(patch.path))?.[1];
  if (name === undefined) throw invalidInput(`patches: the path '${String(patch.path)}' is not one of an attribute`);
  const op = String(patch.op);
  if (!OPERATIONS.includes(op)) throw invalidInput(`patches: the operation '${op}' is not known`);
  if (name === 'purchasable_offer' && patch.value !== undefined) {
    const values = valuesHere(name, patch.value, marketplaceId);
    return { name, value: offersAfter(before[name] ?? [], op === 'add' ? 'replace' : op, values) };
  }
  if (op === 'delete') return { name, value: null };
  const values = valuesHere(name, patch.value, marketplaceId);
  return { name, value: op === 'merge' ? merged(before[name] ?? [], values, SELECTORS) : values };
}

function patch(call: Call): Answer {
  const place = placeOf(call);
  const { listing, marketplaceId, sku } = place;
  const { body, world } = call;
  if (!isRecord(body) || !Array.isArray(body.patches) || body.patches.length === 0) {
    throw invalidInput('patches: at least one is required');
  }
  const productType = codeOf(body.productType);
  if (!listing) throw new SpApiError(400, 'InvalidInput', `SKU '${sku}' not found in marketplace ${marketplaceId}`);
  const before: Values = { ...attributesOf(world, listing, call.now) };
  const changes: Record<string, readonly object[] | null> = {};
  for (const one of body.patches as Patch[]) {
    const { name, value } = applied({ ...before, ...present(changes) }, one, marketplaceId);
    changes[name] = value;
  }
  const after = { ...before, ...present(changes) };
  for (const name of Object.keys(changes)) if (changes[name] === null) delete after[name];
  const marketplace = world.marketplace(marketplaceId);
  const judged = { marketplace, productType, requirements: 'LISTING' as const, listing, before, after };
  const issues = issuesOf({ ...judged, touched: new Set(Object.keys(changes)), chinese: isChinese(call) });
  const message = { messageId: 1, sku, patches: body.patches as { op?: string; path?: string; value?: unknown[] }[] };
  const offers = before.purchasable_offer ?? [];
  const offer = offerComplaint(message, { marketplace, listing, offers, chinese: isChinese(call) });
  const all = offer ? [...issues, { ...offer, messageId: undefined, categories: ['INVALID_PRICE'] }] : issues;
  return answered(
    call,
    place,
    all.map(({ code, message: words, severity, attributeNames, categories }) => ({
      code,
      message: words,
      severity,
      ...(attributeNames ? { attributeNames } : {}),
      categories,
    })),
    patchSaid(productType, changes, message),
  );
}

/** What a patch says; of offers the patch itself, for others may change them before it holds. */
function patchSaid(productType: string, changes: Attributes, message: Parameters<typeof offerOf>[0]): Said {
  const { purchasable_offer: _, ...others } = changes;
  const isPatched = offerPatch(message)?.values.length !== 0;
  const attributes = isPatched ? others : changes;
  const { fulfilment } = offerSaid(present(attributes));
  return { productType, attributes, ...offerOf(message), ...(fulfilment === undefined ? {} : { fulfilment }) };
}

function present(changes: Readonly<Record<string, readonly object[] | null>>): Values {
  return Object.fromEntries(Object.entries(changes).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

function remove(call: Call): Answer {
  const place = placeOf(call);
  const { listing, sku, marketplaceId } = place;
  if (!listing) throw new SpApiError(400, 'InvalidInput', `SKU '${sku}' not found in marketplace ${marketplaceId}`);
  const said: Said = { whole: 'gone', productType: listing.product.productType, attributes: {} };
  return answered(call, place, [], said);
}

const ITEM = '/listings/2021-08-01/items/:sellerId/:sku';

/** What writes a listing, of Listings Items 2021-08-01. */
export const submitOperations: Operation[] = [
  { name: 'putListingsItem', method: 'PUT', path: ITEM, plan: { rate: 5, burst: 10 }, before: unfetched, handle: put },
  {
    name: 'patchListingsItem',
    method: 'PATCH',
    path: ITEM,
    plan: { rate: 5, burst: 5 },
    before: unfetched,
    handle: patch,
  },
  { name: 'deleteListingsItem', method: 'DELETE', path: ITEM, plan: { rate: 5, burst: 5 }, handle: remove },
];
