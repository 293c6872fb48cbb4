import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountRef, ReportSource } from '#modules/marketplace/server/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { settlementLoader } from '../server/loader.ts';
import { E1_LINES, E1_SHOP, makeAccount, source, v2File } from './support.ts';

let world: World;
let owner: Person;
let account: AccountRef;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  account = await makeAccount(world, owner);
});
afterAll(() => world.close());

const lines = [...E1_LINES, ...E1_SHOP];

async function load(content: string, more: Partial<ReportSource> = {}) {
  const whole = { ...source(account, content), ...more };
  let opened = 0;
  const open = () => {
    opened += 1;
    return whole.open();
  };
  const counts = await world.as(owner, (ctx) => settlementLoader.load(ctx, { ...whole, open }));
  return { ...counts, opened };
}

test('bytes that are a version of a settlement already are not even opened', async () => {
  const file = v2File({ total: '10.79' }, lines);
  expect(await load(file)).toMatchObject({ rowsIn: 14, inserted: 14 });
  expect(await load(file)).toEqual({ opened: 0, rowsIn: 14, inserted: 0, updated: 0, unchanged: 14 });
  // Somebody wishes it read, e.g. by a new reader: it is, and is the same version still.
  const replayed = await load(file, { afresh: true });
  expect(replayed).toMatchObject({ inserted: 0, updated: 0, unchanged: 14 });
  expect(replayed.opened).toBeGreaterThan(0);
});

test('a version that another one has replaced does not come back', async () => {
  const later = v2File({ total: '10.79' }, lines.toReversed());
  expect(await load(later)).toMatchObject({ inserted: 0, updated: 14 });
  expect(await load(v2File({ total: '10.79' }, lines))).toMatchObject({ opened: 0, updated: 0, unchanged: 14 });
});

test('a version that was taken back may come again', async () => {
  await world.as(owner, (ctx) =>
    sql`UPDATE settlement.source_doc SET state = 'SUPERSEDED', superseded_why = 'REVERTED', superseded_at = kit.now()
         WHERE company_id = ${ctx.companyId} AND kind = 'SETTLEMENT' AND state = 'ACTIVE'`.execute(ctx.db),
  );
  const again = await load(v2File({ total: '10.79' }, lines.toReversed()));
  expect(again.opened).toBeGreaterThan(0);
  expect(again.inserted + again.updated).toBe(14);
});

test('the settlement of another account is refused, whatever is known of its bytes', async () => {
  const other = await makeAccount(world, owner, { name: '别家' });
  await expect(load(v2File({ total: '10.79' }, lines), { account: other })).rejects.toThrow('不属于所选店铺');
});
