import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { CA, makeSellerAccount, US } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { VIEW } from '../contract/document.ts';
import { dropShareRule, listShareRules, saveShareRule, shareByRule } from '../contract/share-rule.ts';
import { sharedByRule, shareRules } from '../server/share-rule.ts';

let world: World;
let owner: Person;
let us: string;
let ca: string;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  const { id } = await makeSellerAccount(world, owner, { marketplaceIds: [US, CA] });
  us = `${US}-${id}`;
  ca = `${CA}-${id}`;
});
afterAll(() => world.close());

const rows = () => [
  { store: us, sku: 'A', percent: '33.3333' },
  { store: us, sku: 'B', percent: '33.3333' },
  { store: ca, sku: '', percent: '33.3334' },
];
const save = (change: object = {}, who = owner) =>
  who.call(saveShareRule, { body: { name: '三家平分', rows: rows(), ...change } });
const share = (id: string, amount: string, currency = 'CNY') =>
  owner.call(shareByRule, { body: { id, amount, currency } });

it('shares any amount by its parts, to the last cent, and stays what it was when it is changed', async () => {
  const { id } = await save();
  expect(await share(id, '100')).toEqual([
    { store: us, sku: 'A', amount: '33.33' },
    { store: us, sku: 'B', amount: '33.33' },
    { store: ca, sku: '', amount: '33.34' },
  ]);
  expect((await share(id, '100', 'JPY')).map(({ amount }) => amount)).toEqual(['33', '33', '34']);
  // What comes to nothing is no row.
  expect((await share(id, '0.01')).map(({ amount }) => amount)).toEqual(['0.01']);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 99_999_999 }), async (cents) => {
      const amount = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
      const parts = sum((await share(id, amount)).map((row) => row.amount));
      expect(new Decimal(parts).eq(amount)).toBe(true);
    }),
    { numRuns: 25 },
  );
  const [rule] = await owner.call(listShareRules, {});
  expect(rule).toMatchObject({ name: '三家平分', version: 0, whole: true, rows: rows() });
  await save({ id, version: 0, name: '归一家', rows: [{ store: ca, sku: '', percent: '100' }] });
  expect(await share(id, '8.88')).toEqual([{ store: ca, sku: '', amount: '8.88' }]);
  await expect(save({ id, version: 0 })).rejects.toThrow('409');
  await expect(owner.call(dropShareRule, { body: { id, version: 0 } })).rejects.toThrow('409');
  await owner.call(dropShareRule, { body: { id, version: 1 } });
  await expect(share(id, '1')).rejects.toThrow('404');
  expect(await owner.call(listShareRules, {})).toEqual([]);
});

it('is refused by field, and where a store is not the caller’s to see', async () => {
  const { id } = await save();
  await expect(save()).rejects.toThrow('规则名称【三家平分】已存在');
  await expect(save({ name: '' })).rejects.toThrow('请填写规则名称');
  const others = (change: object) => save({ name: '另一个', ...change });
  await expect(others({ rows: rows().slice(1) })).rejects.toThrow('比例合计须为 100%，现为 66.6667%');
  await expect(others({ rows: [...rows(), { store: ca, sku: '', percent: '1' }] })).rejects.toThrow('只能有一行');
  await expect(others({ rows: [...rows(), { store: ca, sku: 'Z', percent: '0' }] })).rejects.toThrow(
    '第4行比例须大于 0',
  );
  await expect(others({ rows: [{ store: us, sku: '', percent: '-5' }] })).rejects.toThrow('比例须为 0 到 100 的数字');
  await expect(
    others({ rows: [{ store: us.replace(US, 'A1PA6795UKMFR9'), sku: '', percent: '100' }] }),
  ).rejects.toThrow('店铺不存在');
  await expect(share(id, '1.001')).rejects.toThrow('请输入正确的金额');
  const clerk = await world.member(owner, [VIEW]);
  await expect(save({ name: '另一个' }, clerk)).rejects.toThrow('403');
  const stranger = await world.owner('另一家');
  expect(await stranger.call(listShareRules, {})).toEqual([]);
  await expect(stranger.call(shareByRule, { body: { id, amount: '1', currency: 'CNY' } })).rejects.toThrow('404');
  await expect(stranger.call(dropShareRule, { body: { id, version: 0 } })).rejects.toThrow('404');
  // Whoever sees one store of a rule does not use it; a rule of none of his stores he does not see.
  const other = await makeSellerAccount(world, owner, { marketplaceIds: [US] });
  const both = [
    { store: us, sku: '', percent: '50' },
    { store: `${US}-${other.id}`, sku: '', percent: '50' },
  ];
  const { id: mixed } = await save({ name: '两店平分', rows: both });
  await world.as(owner, async (ctx) => {
    const seen = { store: null, account: [other.id] };
    const scoped = { ...ctx, permissions: undefined, dataScope: { read: seen, write: seen } };
    await inTenant(ctx.runtime, scoped, async (one) => {
      expect(await shareRules(one)).toMatchObject([{ name: '两店平分', whole: false, rows: [both[1]] }]);
      await expect(sharedByRule(one, { id: mixed, amount: '1', currency: 'CNY' })).rejects.toThrow('您没有权限的店铺');
      await expect(sharedByRule(one, { id, amount: '1', currency: 'CNY' })).rejects.toThrow('不存在');
    });
  });
});
