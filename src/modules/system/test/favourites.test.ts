import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { addFavourite, listFavourites, removeFavourite } from '../contract/favourites.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

const star = (path: string, who = owner) => who.call(addFavourite, { body: { path } });

test('stars stay in the order of starring, once each, and belong to one person', async () => {
  expect(await owner.call(listFavourites, {})).toEqual([]);
  await star('/orders/b');
  await star('/orders/a');
  expect(await star('/orders/b')).toEqual(['/orders/b', '/orders/a']);
  const colleague = await world.member(owner, []);
  expect(await colleague.call(listFavourites, {})).toEqual([]);
  expect(await star('/mine', colleague)).toEqual(['/mine']);
  const other = await world.owner('另一家');
  expect(await other.call(listFavourites, {})).toEqual([]);
  expect(await owner.call(removeFavourite, { query: { path: '/orders/b' } })).toEqual(['/orders/a']);
  expect(await owner.call(removeFavourite, { query: { path: '/nothing' } })).toEqual(['/orders/a']);
  expect(await owner.call(listFavourites, {})).toEqual(['/orders/a']);
});

test('only routes of this product are taken', async () => {
  for (const path of [
    'https://evil.example',
    '//evil.example',
    'orders',
    '/a?x=1',
    '/a\\b',
    '',
    `/${'x'.repeat(201)}`,
  ]) {
    expect((await owner.send(addFavourite, { body: { path } })).status, path).toBe(400);
  }
});

test('sixty are the most, also when they come at once', async () => {
  const person = await world.member(owner, []);
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, index) => person.send(addFavourite, { body: { path: `/s/${index}` } })),
  );
  expect(answers.filter((answer) => answer.code === 201)).toHaveLength(60);
  expect(answers.find((answer) => answer.code !== 201)?.msg).toBe('最多收藏60个页面');
  expect(await person.call(listFavourites, {})).toHaveLength(60);
});
