import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { balances, createHouse, type House, productOf, stocked } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import {
  adjustExternal,
  bindExternal,
  checkExternal,
  countExternal,
  listExternal,
  saveExternal,
} from '../contract/external.ts';

let world: World;
let house: House;

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A', 'B', 'C']);
  await world.as(house.owner, (ctx) =>
    sql`UPDATE warehouse.warehouse SET kind = 'THIRD_PARTY' WHERE company_id = ${ctx.companyId} AND id = ${house.overseas}`.execute(
      ctx.db,
    ),
  );
});
afterAll(() => world.close());

async function upload(rows: readonly string[]) {
  const boundary = 'x-boundary';
  const text = ['SKU\t可用\t锁定\t在途', ...rows].join('\n');
  const payload = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="库存.txt"\r\nContent-Type: text/plain\r\n\r\n${text}\n\r\n--${boundary}--\r\n`;
  const response = await world.app.inject({
    method: 'POST',
    url: `/api${checkExternal.path}`,
    headers: { jsessionid: house.owner.session, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload,
  });
  return response.json<{
    data: { rows: number; unknown: number; problems: { line: number; reason: string }[]; lines: object[] };
  }>().data;
}

const rows = async () => {
  const { records } = await house.owner.call(listExternal, { body: { filter: {} } });
  return records.map((row) => `${row.product.code} ${row.available}+${row.reserved} ${row.difference} ${row.match}`);
};

it('reads a list of the other side; one bad row is enough that none is taken', async () => {
  const bad = await upload(['A\t-1\t0\t0', 'A\t1\t0\t0', '\t5\t0\t0']);
  expect(bad.problems.map(({ line, reason }) => [line, reason])).toEqual([
    [2, '数量须为不小于0的整数'],
    [3, '与第 2 行重复'],
    [4, 'SKU不能为空'],
  ]);
  expect(bad.lines).toEqual([]);
  const good = await upload(['a\t7\t1\t', 'THEIRS-B\t4\t\t2']);
  expect(good).toMatchObject({ rows: 2, unknown: 1, problems: [] });
});

it('holds it against the books, and brings these to it by an adjustment', async () => {
  await stocked(world, house, 'A', 10, '2', house.overseas);
  await stocked(world, house, 'B', 3, '5', house.overseas);
  await stocked(world, house, 'C', 6, '1', house.overseas);
  const lines = [
    { sku: 'A', available: 7, locked: 1, inTransit: 0 },
    { sku: 'THEIRS-B', available: 4, locked: 0, inTransit: 2 },
    { sku: 'C', available: 6, locked: 0, inTransit: 0 },
  ];
  const save = () => house.owner.call(saveExternal, { body: { warehouseId: house.overseas, lines } });
  expect(await save()).toEqual({ rows: 3, unknown: 1 });
  expect((await rows()).toSorted()).toEqual([
    'A 10+0 -2 LESS',
    'B 3+0 -3 LESS',
    'C 6+0 0 SAME',
    'THEIRS-B 0+0 4 UNKNOWN',
  ]);
  const head = { warehouseId: house.overseas, sku: 'THEIRS-B' };
  expect((await house.owner.send(bindExternal, { body: { ...head, ownSku: 'X' } })).msg).toBe('产品【X】不存在');
  await house.owner.call(bindExternal, { body: { ...head, ownSku: 'B' } });
  // The next list remembers it.
  expect(await save()).toEqual({ rows: 3, unknown: 0 });
  expect(await rows()).toEqual(['A 10+0 -2 LESS', 'B 3+0 1 MORE', 'C 6+0 0 SAME']);
  expect(await house.owner.call(countExternal, { body: { filter: {} } })).toEqual({
    all: 3,
    LESS: 1,
    MORE: 1,
    SAME: 1,
  });
  const body = {
    clientId: randomUUID(),
    warehouseId: house.overseas,
    productIds: ['A', 'B', 'C'].map((sku) => productOf(house, sku)),
    reason: '月末对账',
  };
  const done = await house.owner.call(adjustExternal, { body });
  expect(done).toMatchObject({ gained: 1, lost: 2, repeated: false });
  expect(await house.owner.call(adjustExternal, { body })).toEqual({ ...done, repeated: true });
  expect(await balances(world, house, 'A', house.overseas)).toEqual({ AVAILABLE: 8 });
  expect(await balances(world, house, 'B', house.overseas)).toEqual({ AVAILABLE: 4 });
  expect(await rows()).toEqual(['A 8+0 0 SAME', 'C 6+0 0 SAME', 'B 4+0 0 SAME']);
  const again = await house.owner.send(adjustExternal, { body: { ...body, clientId: randomUUID() } });
  expect(again.msg).toBe('所选产品没有差异');
});

it('is for warehouses that somebody else runs', async () => {
  const lines = [{ sku: 'A', available: 1, locked: 0, inTransit: 0 }];
  const own = await house.owner.send(saveExternal, { body: { warehouseId: house.main, lines } });
  expect(own.msg).toBe('只有第三方海外仓可以对账');
  expect((await house.chief.send(saveExternal, { body: { warehouseId: house.overseas, lines } })).code).toBe(403);
});
