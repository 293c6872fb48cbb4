import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listAllMessageByUserId } from '#modules/message/contract/messages.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { listRates, rateHistory, saveDayRate } from '../contract/rates.ts';
import { knownRate, rateOn } from '../server/index.ts';
import { readFeed } from '../server/rates/feed/feed.ts';

let world: World;
let owner: Person;
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'erp-rates-'));
  world = await createWorld({ rateFeed: join(home, 'rates.xml') });
});
afterAll(async () => {
  await world.close();
  await rm(home, { recursive: true, force: true });
});
beforeEach(async () => {
  owner = await world.owner();
});

const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(Date.parse(world.clock.today()) - days * DAY_MS).toISOString().slice(0, 10);
const on = (day: string) => world.as(owner, (ctx) => knownRate(ctx, 'USD', day));

/** Has the bank publish so many dollars and yuan for a euro, by day. */
async function publish(days: Record<string, [usd: string, cny: string]>): Promise<void> {
  const cubes = Object.entries(days).map(
    ([day, [usd, cny]]) =>
      `<Cube time="${day}"><Cube currency="USD" rate="${usd}"/><Cube currency="CNY" rate="${cny}"/></Cube>`,
  );
  await writeFile(join(home, 'rates.xml'), `<Envelope><Cube>${cubes.join('')}</Cube></Envelope>`);
  await readFeed(world.runtime);
}

const told = async (person: Person) =>
  (await person.call(listAllMessageByUserId, { body: {} })).records.filter(({ title }) => title === '官方汇率迟到');

test('before anything is published no document is converted; whoever keeps the rates is told once', async () => {
  const clerk = await world.member(owner, ['fin:fx:view']);
  await expect(world.as(owner, (ctx) => rateOn(ctx, 'USD', ago(0)))).rejects.toThrow(
    `缺少 USD ${ago(0)} 汇率，无法折算`,
  );
  await readFeed(world.runtime);
  await readFeed(world.runtime);
  expect(await told(owner)).toHaveLength(1);
  expect(await told(clerk)).toHaveLength(0);
});

test('what is published holds for every company until it enters its own, and is corrected when it is published anew', async () => {
  const stranger = await world.owner();
  await publish({ [ago(3)]: ['1.1000', '7.8500'], [ago(2)]: ['1.0000', '7.2000'] });
  expect(await on(ago(3))).toEqual({ rate: '7.1363636364', from: 'day' });
  expect(await on(ago(0))).toEqual({ rate: '7.2000000000', from: 'day' });
  await owner.call(saveDayRate, { body: { currency: 'USD', day: ago(2), rate: '7.25' } });
  expect(await on(ago(0))).toEqual({ rate: '7.2500000000', from: 'day' });
  expect(await world.as(stranger, (ctx) => rateOn(ctx, 'USD', ago(0)))).toBe('7.2000000000');
  await publish({ [ago(3)]: ['1.1000', '7.8500'], [ago(2)]: ['1.0000', '7.3000'] });
  expect(await world.as(stranger, (ctx) => rateOn(ctx, 'USD', ago(0)))).toBe('7.3000000000');
  expect(await on(ago(0))).toEqual({ rate: '7.2500000000', from: 'day' });

  const days = await owner.call(rateHistory, { body: { currency: 'USD', from: ago(3), to: ago(1) } });
  expect(days.map(({ source, effective }) => [source, effective])).toEqual([
    ['欧洲央行', '7.1363636364'],
    ['手工录入', '7.2500000000'],
    [null, '7.2500000000'],
  ]);
  const filter = { month: ago(2).slice(0, 7), currency: 'USD' };
  const [row] = (await owner.call(listRates, { body: { filter } })).records;
  expect(row?.source).toContain('手工录入');
});

test('a publication that cannot be read changes nothing; a week later its absence is told', async () => {
  await publish({ [ago(1)]: ['1.0000', '7.2000'] });
  expect(await told(owner)).toHaveLength(0);
  await writeFile(join(home, 'rates.xml'), '<html>503</html>');
  await readFeed(world.runtime);
  expect((await on(ago(0)))?.rate).toBe('7.2000000000');
  await world.advance(7 * DAY_MS);
  await readFeed(world.runtime);
  expect(await told(owner)).toHaveLength(1);
  expect(await on(ago(0))).toBeUndefined();
});
