import { randomBytes } from 'node:crypto';
import { createCanvas } from '@napi-rs/canvas';
import { expect, vi } from 'vitest';
import { type ListingRow, listListings } from '#modules/listing/contract.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { uploadAs } from '#test/support/upload.ts';
import type { Person } from '#test/support/world.ts';
import type { Content, ImageValue } from '../contract/content.ts';
import {
  type AplusDetail,
  type AplusRow,
  aplusDetail,
  createAplus,
  listAplus,
  saveAplus,
  syncAplus,
  uploadPicture,
} from '../contract/documents.ts';

export const US = 'ATVPDKIKX0DER';
export const SELLER = 'A1SANDBOX0001';

/** A company whose store is synchronised, with workers at work. */
export interface Shop {
  world: MarketplaceWorld;
  owner: Person;
  accountId: string;
  /** "marketplaceId-accountId" of the store in the United States. */
  site: string;
  asins: string[];
}

/** What somebody does to A+ content at the sandbox: /control/aplus. */
export async function inSellerCentral({ world }: Pick<Shop, 'world'>, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${world.sandbox.url}/control/aplus`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sellingPartnerId: SELLER, region: 'na', marketplaceId: US, ...body }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

/** Opens such a company; reviews are over at once unless a story says otherwise. */
export async function openShop(): Promise<Shop> {
  const world = await createMarketplaceWorld();
  const owner = await world.owner();
  await world.work();
  const { accountId } = await connectStore(owner);
  await untilSynced(owner, accountId);
  const { records } = await owner.call(listListings, { body: { pagesize: 50, filter: {} } });
  const here = records.filter(({ marketplaceId }: ListingRow) => marketplaceId === US);
  const asins = [...new Set(here.flatMap(({ asin }) => asin ?? []))].sort();
  expect(asins.length).toBeGreaterThan(5);
  const shop = { world, owner, accountId, site: `${US}-${accountId}`, asins };
  await inSellerCentral(shop, { action: 'settings', delayMs: [0, 0] });
  return shop;
}

export const detailOf = (person: Person, id: string): Promise<AplusDetail> =>
  person.call(aplusDetail, { params: { id } });

/** Documents of the store in the United States, by the name in them. */
export async function documentsOf({ owner, site }: Shop, keyword?: string): Promise<AplusRow[]> {
  const filter = { sites: [site], ...(keyword === undefined ? {} : { keyword }) };
  return (await owner.call(listAplus, { body: { pagesize: 100, filter } })).records;
}

/** Waits until a document is as somebody expects, reading the store again meanwhile, and answers it. */
export function until(shop: Shop, id: string, fits: (detail: AplusDetail) => void): Promise<AplusDetail> {
  return vi.waitFor(
    async () => {
      const detail = await detailOf(shop.owner, id);
      fits(detail);
      return detail;
    },
    { timeout: PATIENCE_MS, interval: 200 },
  );
}

/** Waits until no step of a document is under way, and insists that none failed. */
export function untilDone(shop: Shop, id: string): Promise<AplusDetail> {
  return until(shop, id, ({ step, problem }) => expect([step, problem]).toEqual([null, null]));
}

/** As `until`, but what Amazon has is read anew each time. */
export function untilSeen(shop: Shop, id: string, fits: (detail: AplusDetail) => void): Promise<AplusDetail> {
  return vi.waitFor(
    async () => {
      await shop.owner.call(syncAplus, { body: {} });
      const detail = await detailOf(shop.owner, id);
      fits(detail);
      return detail;
    },
    { timeout: PATIENCE_MS, interval: 500 },
  );
}

/** Uploads a PNG of that size for a document; answers it as a module holds it. */
export async function picture(
  { world, owner }: Shop,
  id: string,
  [width, height]: readonly [number, number],
): Promise<ImageValue> {
  const canvas = createCanvas(width, height);
  const paint = canvas.getContext('2d');
  paint.fillStyle = `#${randomBytes(3).toString('hex')}`;
  paint.fillRect(0, 0, width, height);
  const { data, msg, status } = await uploadAs(
    world,
    owner,
    uploadPicture,
    { id },
    { name: 'a.png', bytes: canvas.toBuffer('image/png') },
  );
  expect(status, msg).toBe(200);
  return { picture: data.id, width, height, alt: 'Picture', crop: { x: 0, y: 0, width, height } };
}

/** A text module. */
export const words = (id: string, ...texts: string[]): Content['modules'][number] => ({
  id,
  type: 'STANDARD_TEXT',
  values: { body: { lines: texts.map((text) => ({ text })) } },
});

/** A new document with those modules, saved here. */
export async function written(shop: Shop, name: string, modules: Content['modules']): Promise<AplusDetail> {
  const { id, version } = await shop.owner.call(createAplus, { body: { site: shop.site, name, locale: 'en-US' } });
  await shop.owner.call(saveAplus, { body: { id, version, content: { name, locale: 'en-US', modules } } });
  return detailOf(shop.owner, id);
}
