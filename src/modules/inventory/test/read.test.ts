import { expect, it } from 'vitest';
import { ApiRefused, type ApiRequest, type SpApi } from '#modules/marketplace/server/index.ts';
import { readStock } from '../server/stream.ts';
import { US } from './support.ts';

/** A marketplace of three pages, the middle one empty, whose tokens die `deaths` times. */
function pages(deaths: number): SpApi & { calls: number } {
  let left = deaths;
  const api = {
    calls: 0,
    async call<T>({ query = {} }: ApiRequest) {
      api.calls += 1;
      const page = Number(query.nextToken ?? 0);
      if (page === 2 && left > 0) {
        left -= 1;
        throw new ApiRefused(400, 'InvalidInput', 'nextToken: the token has expired');
      }
      const inventorySummaries =
        page === 1
          ? []
          : [
              {
                sellerSku: `SKU-${page}`,
                condition: 'NewItem',
                totalQuantity: 3,
                inventoryDetails: { fulfillableQuantity: 3 },
              },
            ];
      const pagination = page < 2 ? { nextToken: String(page + 1) } : undefined;
      return { body: { payload: { inventorySummaries }, pagination } as T, requestId: undefined };
    },
  };
  return api;
}

it('begins anew when a token died, and hands over whole snapshots only', async () => {
  const api = pages(2);
  const facts = await readStock(api, US);
  expect(facts.map((fact) => [fact.sellerSku, fact.condition, fact.fulfillable])).toEqual([
    ['SKU-0', 'New', 3],
    ['SKU-2', 'New', 3],
  ]);
  expect(api.calls).toBe(9);
});

it('gives up for now when the tokens keep dying, and passes on any other refusal', async () => {
  await expect(readStock(pages(99), US)).rejects.toThrow('库存分页令牌反复失效');
  const refusing: SpApi = {
    call: async () => {
      throw new ApiRefused(400, 'InvalidInput', 'marketplaceIds');
    },
  };
  await expect(readStock(refusing, US)).rejects.toThrow(ApiRefused);
});
