import { expect, vi } from 'vitest';
import { type ListingRow, listListings } from '#modules/listing/contract.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import type { Person } from '#test/support/world.ts';
import { type DraftDetail, type DraftState, draftDetail } from '../contract/draft.ts';

/** A company whose store is synchronised, with workers at work. */
export interface Shop {
  world: MarketplaceWorld;
  owner: Person;
  accountId: string;
  /** "marketplaceId-accountId" of the store in the United States. */
  site: string;
  listings: ListingRow[];
}

export const US = 'ATVPDKIKX0DER';

/** Opens such a company; submissions take effect at once unless a story says otherwise. */
export async function openShop(): Promise<Shop> {
  const world = await createMarketplaceWorld();
  const owner = await world.owner();
  await world.work();
  const { accountId } = await connectStore(owner);
  await untilSynced(owner, accountId);
  const { records } = await owner.call(listListings, { body: { pagesize: 50, filter: {} } });
  const listings = records.filter(({ marketplaceId }) => marketplaceId === US);
  expect(listings.length).toBeGreaterThan(3);
  return { world, owner, accountId, site: `${US}-${accountId}`, listings };
}

/** Waits until a draft is in a state, and answers it. */
export function untilState(person: Person, id: string, state: DraftState): Promise<DraftDetail> {
  return vi.waitFor(
    async () => {
      const detail = await person.call(draftDetail, { params: { id } });
      expect(detail.state, detail.problem ?? '').toBe(state);
      return detail;
    },
    { timeout: PATIENCE_MS, interval: 200 },
  );
}

/** What somebody does to a listing at the sandbox: /control/listing. */
export async function inSellerCentral(shop: Shop, body: object): Promise<void> {
  const response = await fetch(`${shop.world.sandbox.url}/control/listing`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sellingPartnerId: 'A1SANDBOX0001', region: 'na', marketplaceId: US, ...body }),
  });
  expect(response.status).toBe(200);
}

/** A value of a text attribute in the United States. */
export const text = (value: string) => ({ value, language_tag: 'en_US', marketplace_id: US });

/** Waits until a task that the owner started is over, and answers what it says of itself. */
export async function untilTask(shop: Shop, id: string): Promise<string> {
  const { world, owner } = shop;
  return vi.waitFor(
    async () => {
      const row = await world.as(owner, (ctx) =>
        ctx.db
          .selectFrom('kit.task')
          .select(['state', 'detail', 'error'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow(),
      );
      expect(row.state, row.error ?? '').toBe('done');
      return row.detail ?? '';
    },
    { timeout: PATIENCE_MS, interval: 100 },
  );
}
