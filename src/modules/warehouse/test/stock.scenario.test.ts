import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOnce } from '#kit/server/made.ts';
import { learnProducts } from '#modules/product/server/index.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import * as base from '../contract/base.ts';
import * as inventory from '../contract/inventory.ts';
import * as opening from '../contract/opening.ts';
import { demoStock, post } from '../server/index.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  await world.as(owner, (ctx) =>
    learnProducts(ctx, [
      { sku: 'LAMP-01', name: '台灯' },
      { sku: 'CUP-02', name: '水杯' },
    ]),
  );
});
afterAll(() => world.close());

const listOf = async () => (await owner.call(base.listWarehouses, { body: { filter: {} } })).records;

async function uploadOpening(rows: readonly string[]) {
  const boundary = 'x-boundary';
  const text = ['SKU\t仓库\t数量\t单位成本(CNY)\t入库日期', ...rows].join('\n');
  const payload = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="期初.txt"\r\nContent-Type: text/plain\r\n\r\n${text}\n\r\n--${boundary}--\r\n`;
  const response = await world.app.inject({
    method: 'POST',
    url: `/api${opening.checkOpening.path}`,
    headers: { jsessionid: owner.session, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload,
  });
  return response.json<{ code: number; msg: string; data: opening.OpeningCheck }>();
}

describe('a company that begins with its warehouses', () => {
  it('makes a warehouse with 仓位 by quality, one of them the default', async () => {
    const form = { kind: 'LOCAL' as const, group: '深圳仓', country: 'CN' };
    const { id } = await owner.call(base.saveWarehouse, { body: { ...form, name: '正品', code: 'SZ-A' } });
    await owner.call(base.saveWarehouse, { body: { ...form, name: '次品', code: 'SZ-B', quality: 'DEFECTIVE' } });
    await owner.call(base.setDefaultWarehouse, { body: { id } });
    expect(await listOf()).toMatchObject([
      { code: 'SZ-A', group: '深圳仓', quality: 'GOOD', isDefault: true, onHand: 0 },
      { code: 'SZ-B', group: '深圳仓', quality: 'DEFECTIVE', isDefault: false },
    ]);
    const twice = await owner.send(base.saveWarehouse, { body: { ...form, name: '又一个', code: 'SZ-A' } });
    expect(twice.msg).toBe('仓位编码【SZ-A】已存在');
  });

  it('makes its locations in one go, and prints their labels', async () => {
    const [house] = await listOf();
    const body = { warehouseId: house?.id ?? '', area: 'A-B', rack: '1-2', shelf: '1-3', bin: '1-2' };
    expect(await owner.call(base.addLocations, { body })).toEqual({ made: 24, known: 0 });
    expect(await owner.call(base.addLocations, { body })).toEqual({ made: 0, known: 24 });
    const found = await owner.call(base.listLocations, { body: { pagesize: 100, filter: { keyword: 'A-2-3-' } } });
    expect(found.records.map((row) => [row.code, row.path])).toEqual([
      ['A-2-3-1', 'A/A-2/A-2-3/A-2-3-1'],
      ['A-2-3-2', 'A/A-2/A-2-3/A-2-3-2'],
    ]);
    const tree = await owner.call(base.locationTree, { query: { warehouseId: house?.id ?? '' } });
    expect(tree.filter((node) => node.type === 'AREA' && node.parentId === null).map((node) => node.code)).toEqual([
      'A',
      'B',
    ]);
    const labels = await owner.send(base.locationLabels, { body: { ids: found.records.map((row) => row.id) } });
    expect(labels.raw.subarray(0, 5).toString()).toBe('%PDF-');
    expect(labels.raw.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
  });

  it('imports its opening stock: every bad row is named, and good files are written once', async () => {
    const bad = await uploadOpening([
      'LAMP-01\tSZ-A\t0\t10\t',
      'NOBODY\tSZ-A\t1\t10\t',
      'CUP-02\tSZ-B\t1\tx\t',
      'CUP-02\tSZ-A\t1\t1\t2026-02-30',
    ]);
    expect(bad.data.id).toBeNull();
    expect(bad.data.problems.map((problem) => [problem.line, problem.column, problem.reason])).toEqual([
      [2, '数量', '数量必须为正整数'],
      [3, 'SKU', 'SKU【NOBODY】不存在'],
      [4, '仓库', '正品仓位【SZ-B】不存在或已停用'],
      [5, '入库日期', '请输入日期，例如 2026-01-31'],
    ]);
    const good = await uploadOpening(['lamp-01\tSZ-A\t100\t12.5\t2026-01-10', 'CUP-02\t正品\t40\t3.3333\t']);
    expect(good.data).toMatchObject({ rows: 2, good: 2, problems: [] });
    const commit = () => owner.call(opening.commitOpening, { params: { id: good.data.id ?? '' }, body: {} });
    expect(await commit()).toMatchObject({ rows: 2, pieces: 140 });
    await commit();
    const { records, totals } = await owner.call(inventory.listStock, { body: { filter: {} } });
    expect(records.map((row) => [row.product.code, row.available, row.value])).toEqual([
      ['CUP-02', 40, '133.3320'],
      ['LAMP-01', 100, '1250.0000'],
    ]);
    expect(totals).toMatchObject({ available: 140, total: 140, value: '1383.3320' });
  });
});

describe('what happened to the stock', () => {
  it('stands in the ledger with opening, movements and closing that agree', async () => {
    const [house] = await listOf();
    const { records: stock } = await owner.call(inventory.listStock, { body: { filter: { skus: ['LAMP-01'] } } });
    const product = stock[0]?.productId ?? '';
    const place = { warehouse: house?.id ?? '', status: 'AVAILABLE' as const };
    await world.as(owner, (ctx) =>
      post(ctx, {
        source: { type: 'test', id: '1', event: 'ship', number: 'CK1' },
        moves: [{ product, qty: 30, from: place, to: 'CUSTOMER' }],
      }),
    );
    const { records } = await owner.call(inventory.listRecords, { body: { filter: { sku: 'lamp-01' } } });
    expect(
      records.map((row) => [row.number.slice(0, 2), row.action, row.before, row.qty, row.after, row.amount]),
    ).toEqual([
      ['CK', 'ship', 100, -30, 70, '-375.0000'],
      ['QC', '期初·入库', 0, 100, 100, '1250.0000'],
    ]);
    expect(await owner.call(inventory.recordSummary, { body: { filter: { sku: 'lamp-01' } } })).toEqual({
      opening: 0,
      in: 100,
      out: 30,
      closing: 70,
      difference: 0,
    });
    const later = await owner.call(inventory.recordSummary, { body: { filter: { period: { from: '2999-01-01' } } } });
    expect(later).toEqual({ opening: 110, in: 0, out: 0, closing: 110, difference: 0 });
    const timeline = await owner.call(inventory.stockTimeline, { query: { productId: product, days: 7 } });
    expect(timeline.days.map((day) => day.total)).toEqual([0, 0, 0, 0, 0, 0, 70]);
    expect(timeline.records).toHaveLength(2);
  });

  it('E6: ages are told in buckets that add up', async () => {
    const { buckets, total } = await owner.call(inventory.ageSummary, { body: { filter: {} } });
    expect(buckets.reduce((sum, one) => sum + one.qty, 0)).toBe(total);
    expect(buckets.find((one) => one.bucket === 'D30')?.qty).toBe(40);
    expect(total).toBe(110);
    const { records, totals } = await owner.call(inventory.listLayers, { body: { filter: {} } });
    expect(records.map((row) => [row.product.code, row.originalDate, row.qtyLeft])[0]).toEqual([
      'LAMP-01',
      '2026-01-10',
      70,
    ]);
    expect(totals).toMatchObject({ qtyLeft: 110, amountLeft: '1008.3320' });
    expect(records[0]?.composition).toBe('采购成本 1250.00');
  });

  it('costs are not told to whoever may not see them, neither in rows nor in totals nor in files', async () => {
    const keeper = await world.member(owner, ['erp:inv:view', 'erp:inv:export']);
    const answers = [
      await keeper.send(inventory.listStock, { body: { filter: {} } }),
      await keeper.send(inventory.listRecords, { body: { filter: {} } }),
      await keeper.send(inventory.listLayers, { body: { filter: {} } }),
      await keeper.send(inventory.exportRecords, { body: { filter: {}, format: 'csv' } }),
      await keeper.send(inventory.exportLayers, { body: { filter: {}, format: 'csv' } }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.raw.toString('utf8')).not.toMatch(
        /375\.0|1250\.0|12\.50|1008\.33|133\.33|unitCost|amountLeft|"value"/,
      );
    }
    const sorted = await keeper.send(inventory.listLayers, { body: { sort: 'amountLeft', filter: {} } });
    expect(sorted.msg).toContain('不支持按');
  });

  it('somebody of another warehouse sees nothing of it, and the account still agrees', async () => {
    const colleague = await world.member(owner, ['erp:inv:view', 'erp:wh:view']);
    await world.as(owner, async (ctx) => {
      await ctx.client.query(
        `INSERT INTO identity.member_scope (company_id, member_id, dimension, mode) VALUES ($1, $2, 'warehouse', 'LIST')`,
        [owner.companyId, colleague.userId],
      );
    });
    expect((await colleague.call(inventory.listStock, { body: { filter: {} } })).total).toBe(0);
    expect((await colleague.call(inventory.listRecords, { body: { filter: {} } })).total).toBe(0);
    expect((await colleague.call(base.listWarehouses, { body: { filter: {} } })).total).toBe(0);
    expect(await colleague.call(inventory.recordSummary, { body: { filter: {} } })).toMatchObject({
      closing: 0,
      difference: 0,
    });
  });
});

describe('locations', () => {
  it('are frozen for every posting, merged with what lies there, and deleted only when empty', async () => {
    const { records } = await owner.call(base.listLocations, { body: { filter: { keyword: 'B-1-1-' } } });
    const [first, second] = records;
    const place = (location: string) => ({
      warehouse: first?.warehouseId ?? '',
      status: 'AVAILABLE' as const,
      location,
    });
    const { records: stock } = await owner.call(inventory.listStock, { body: { filter: { skus: ['CUP-02'] } } });
    const product = stock[0]?.productId ?? '';
    const shelve = (id: string, location: string) =>
      world.as(owner, (ctx) =>
        post(ctx, {
          source: { type: 'test', id, event: 'shelve', number: id },
          moves: [{ product, qty: 5, from: place(first?.warehouseId ?? ''), to: place(location) }],
        }),
      );
    await owner.call(base.freezeLocations, { body: { ids: [first?.id ?? ''], frozen: true } });
    await expect(shelve('s1', first?.id ?? '')).rejects.toThrow('库位【B-1-1-1】已冻结，暂不支持库存操作');
    await owner.call(base.freezeLocations, { body: { ids: [first?.id ?? ''], frozen: false } });
    await shelve('s2', first?.id ?? '');
    const full = await owner.send(base.deleteLocations, { body: { ids: [first?.id ?? ''] } });
    expect(full.msg).toBe('库位【B-1-1-1】仍有库存，不能删除');
    expect(await owner.call(base.mergeLocation, { body: { from: first?.id ?? '', into: second?.id ?? '' } })).toEqual({
      moved: 5,
    });
    const after = await owner.call(base.listLocations, { body: { filter: { keyword: 'B-1-1-' } } });
    expect(after.records.map((row) => [row.code, row.qty])).toEqual([['B-1-1-2', 5]]);
  });

  it('are given a size and say how much of it is used, where the products have one as well', async () => {
    const { records } = await owner.call(base.listLocations, { body: { filter: { keyword: 'B-1-1-2' } } });
    const id = records[0]?.id ?? '';
    const form = { type: 'PICK' as const, pickSequence: 3, lengthCm: 100, widthCm: 50, heightCm: 40 };
    const used = async () => {
      await owner.call(base.modifyLocation, { body: { id, ...form } });
      const found = await owner.call(base.listLocations, { body: { filter: { keyword: 'B-1-1-2' } } });
      const { type, size, volume, pickSequence, used: share } = found.records[0] ?? {};
      return { type, size, volume, pickSequence, share };
    };
    const shape = { type: 'PICK', size: '100×50×40', volume: '0.200', pickSequence: 3 };
    expect(await used()).toEqual({ ...shape, share: null });
    await world.as(owner, (ctx) =>
      ctx.client.query(
        `INSERT INTO product.dimension (company_id, product_id, role, length, width, height)
         SELECT company_id, id, 'packed', 20, 20, 10 FROM product.local_product WHERE company_id = $1 AND sku = 'CUP-02'`,
        [owner.companyId],
      ),
    );
    // Five cups of 4 litres in 200.
    expect(await used()).toEqual({ ...shape, share: '0.1000' });
    const [house] = await listOf();
    const staging = await owner.send(base.modifyLocation, { body: { id: house?.id ?? '', ...form } });
    expect(staging.msg).toBe('暂存位和区域不能修改');
  });

  it('a warehouse with stock keeps its kind and stays in use', async () => {
    const [house] = await listOf();
    const refusal = await owner.send(base.disableWarehouse, { body: { id: house?.id ?? '', disabled: true } });
    expect(refusal.msg).toBe('仓库仍有库存，不能修改类型或停用');
  });

  it('is deleted only where nothing ever was', async () => {
    const [house] = await listOf();
    const full = await owner.send(base.deleteWarehouse, { body: { id: house?.id ?? '' } });
    expect(full.msg).toBe('仓库【正品】仍有库存，不能删除');
    const form = { kind: 'LOCAL' as const, country: 'CN', name: '误建', code: 'ERR' };
    const { id } = await owner.call(base.saveWarehouse, { body: form });
    await owner.call(base.addLocations, { body: { warehouseId: id, area: 'A', rack: '1', shelf: '1', bin: '1' } });
    await owner.call(base.deleteWarehouse, { body: { id } });
    expect((await listOf()).some((row) => row.code === 'ERR')).toBe(false);
  });
});

describe('the report of a day in the past', () => {
  it('is what the ledger says of its end, with its value; plans are of now only', async () => {
    const { rows } = await world.as(owner, (ctx) =>
      ctx.client.query<{ day: string }>('SELECT (warehouse.today() - 1)::text AS day'),
    );
    const filter = { skus: ['LAMP-01'] };
    const now = await owner.call(inventory.listStock, { body: { filter } });
    const todays = worldClock().today();
    const same = await owner.call(inventory.listStock, { body: { filter: { ...filter, asOf: todays } } });
    expect(same.records[0]).toEqual({ ...now.records[0], planned: null, promisable: null });
    expect(same.totals).toEqual(now.totals);
    const before = await owner.call(inventory.listStock, { body: { filter: { ...filter, asOf: rows[0]?.day } } });
    expect(before.records).toMatchObject([{ available: 0, total: 0, value: null }]);
    expect(before.totals).toMatchObject({ total: 0, value: null });
  });
});

describe('the self-check and the demo', () => {
  it('proves every law over the stock of a demo company', async () => {
    const demo = await world.owner('演示公司');
    await world.as(demo, (ctx) =>
      learnProducts(
        ctx,
        Array.from({ length: 20 }, (_, n) => ({ sku: `D-${n}`, name: `演示 ${n}` })),
      ),
    );
    const stocked = () => world.as(demo, (ctx) => makeOnce(ctx, 'demo.stock', () => demoStock(ctx)));
    expect([await stocked(), await stocked()]).toEqual([true, true]);
    const health = await demo.call(inventory.latestHealth, {});
    expect(health?.broken).toBe(0);
    expect(health?.results.length).toBeGreaterThanOrEqual(10);
    const { records, totals } = await demo.call(inventory.listReservations, { body: { filter: { state: 'OPEN' } } });
    expect(totals).toEqual({ held: records.reduce((sum, row) => sum + row.held, 0) });
    await demo.call(inventory.releaseReservation, { body: { id: records[0]?.id ?? '', reason: '客户取消' } });
    expect(await demo.call(inventory.runHealthNow, { body: {} })).toMatchObject({ broken: 0 });
    const timeline = await demo.call(inventory.stockTimeline, {
      query: { productId: records[1]?.productId ?? '', days: 7 },
    });
    const last = timeline.days.at(-1);
    expect(last?.total).toBe(
      (last?.available ?? 0) + (last?.reserved ?? 0) + (last?.inTransit ?? 0) + (last?.other ?? 0),
    );
    expect(timeline.days.filter((day) => day.total > 0)).toHaveLength(4);
  });
});
