import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteMatches, matchHistory, saveMatches } from '#modules/product/contract/match.ts';
import { listProducts, saveProduct } from '#modules/product/contract/material.ts';
import { saveCost } from '#modules/product/contract.ts';
import { makeAccount, settle, US } from '#test/support/settlement-file.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { fold, rollup } from './support.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

it('a listing that is matched costs what its products cost together, and its own SKU again afterwards', async () => {
  const owner = await world.owner();
  const account = await makeAccount(world, owner);
  const sold = { amountType: 'ItemPrice', amountDescription: 'Principal', amount: '50.00', sku: 'SET', quantity: 2 };
  await settle(world, owner, account, [sold]);
  const cost = async () => {
    await fold(world, owner);
    const rows = (await rollup(world, owner)).map(
      (row) => JSON.parse(row) as { sku: string; cost_cny: number; cost_units: number },
    );
    return rows.filter((row) => row.sku === 'SET').map((row) => [row.cost_cny, row.cost_units]);
  };
  expect(await cost()).toEqual([[0, 0]]);
  await owner.call(saveCost, { body: { sku: 'SET', unitCost: '3' } });
  expect(await cost()).toEqual([[6, 2]]);
  const a = await owner.call(saveProduct, { body: { sku: 'PART-A', name: '甲', unitCost: '10' } });
  const b = await owner.call(saveProduct, { body: { sku: 'PART-B', name: '乙' } });
  const listing = { accountId: account.id, marketplaceId: US, msku: 'SET' };
  const parts = [
    { productId: a.id, qty: 2 },
    { productId: b.id, qty: 1 },
  ];
  await owner.call(saveMatches, { body: { listings: [listing], parts } });
  // One of the products has no cost yet, so the listing has none either.
  expect(await cost()).toEqual([[0, 0]]);
  await owner.call(saveCost, { body: { sku: 'PART-B', unitCost: '5' } });
  expect(await cost()).toEqual([[50, 2]]);
  const [match] = await owner.call(matchHistory, { body: listing });
  await owner.call(deleteMatches, { body: { matchIds: [match?.id ?? ''] } });
  expect(await cost()).toEqual([[6, 2]]);
});

it('what is sold becomes a product of its name, until the company has codes of its own and pairs with them', async () => {
  const owner = await world.owner();
  const account = await makeAccount(world, owner);
  const sold = (sku: string) => ({
    amountType: 'ItemPrice',
    amountDescription: 'Principal',
    amount: '5',
    sku,
    quantity: 1,
  });
  const products = async () => {
    await fold(world, owner);
    return (await owner.call(listProducts, { body: {} })).records.map(({ sku }) => sku).sort();
  };
  await settle(world, owner, account, [sold('MSKU-1')]);
  expect(await products()).toEqual(['MSKU-1']);
  const own = await owner.call(saveProduct, { body: { sku: 'OWN-2', name: '甲' } });
  const listing = { accountId: account.id, marketplaceId: US, msku: 'MSKU-2' };
  await owner.call(saveMatches, { body: { listings: [listing], parts: [{ productId: own.id, qty: 1 }] } });
  await settle(world, owner, account, [sold('MSKU-2'), sold('MSKU-3')]);
  expect(await products()).toEqual(['MSKU-1', 'OWN-2']);
});
