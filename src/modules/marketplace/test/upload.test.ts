import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { myTasks } from '#modules/system/contract.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  commitUpload,
  readMapping,
  rejectUpload,
  reportTypeList,
  saveMapping,
  uploadCounts,
  uploadDetail,
  uploadErrors,
  uploadList,
} from '../contract/uploads.ts';
import { encode } from './fixtures/build.ts';
import { DE, fakeOrderLists, IN, manualStore, send, traces, US } from './fixtures/upload.ts';

let world: World;
let owner: Person;
let shop: string;
const lists = fakeOrderLists();
const body = { currentpage: 1, pagesize: 20 };

/** The company's own list: an ordinary German spreadsheet export. */
function orderList(rows: string[][], head = 'Auftrag;Tag;Stück;Artikel;Summe;Währung'): Buffer {
  return encode([head, ...rows.map((row) => row.join(';'))].map((line) => `${line}\r\n`).join(''));
}
const GOOD = [
  ['A-1', '2026-01-15', '2', 'KD-1', '19,98', 'EUR'],
  ['A-2', '2026-01-16', '1', 'KD-2', '1.005,10', 'EUR'],
];
const MAPPING = {
  orderNumber: 'Auftrag',
  date: 'Tag',
  quantity: 'Stück',
  sku: 'Artikel',
  amount: 'Summe',
  currency: 'Währung',
};

beforeAll(async () => {
  world = await createWorld();
  world.runtime.modules = [lists.module, ...world.runtime.modules];
  owner = await world.owner();
  shop = await manualStore(owner, '手工店', US);
});
afterAll(() => world.close());

describe("a company's own order list", () => {
  let id: string;

  it('waits for a mapping where its headers say nothing', async () => {
    const sent = await send(
      world,
      owner,
      orderList(GOOD),
      { amazonauthid: shop, requesttype: 'ORDER_LIST' },
      'liste.csv',
    );
    expect(sent).toMatchObject({
      code: 201,
      data: { state: 'uploaded', duplicate: false, number: expect.stringMatching(/^UP\d{6}0001$/) },
    });
    expect(sent.data.message).toMatch(/请为以下字段选择列：订单号/);
    id = sent.data.id ?? '';
    const mapping = await owner.call(readMapping, { query: { id } });
    expect(mapping).toMatchObject({
      headers: ['Auftrag', 'Tag', 'Stück', 'Artikel', 'Summe', 'Währung'],
      remembered: false,
      sample: GOOD,
    });
    const early = await owner.send(commitUpload, { params: { id } });
    expect([early.status, early.msg]).toEqual([409, expect.stringContaining('请为以下字段选择列')]);
  });

  it('passes its check with one, and says what it would bring', async () => {
    const half = await owner.call(saveMapping, { body: { id, mapping: { orderNumber: 'Auftrag' } } });
    expect(half).toMatchObject({ state: 'uploaded', error: expect.stringContaining('下单日期') });
    const foreign = await owner.send(saveMapping, { body: { id, mapping: MAPPING, options: { marketplaceId: DE } } });
    expect(foreign.msg).toContain('没有启用所选站点');
    expect(await owner.call(saveMapping, { body: { id, mapping: MAPPING } })).toEqual({
      id,
      state: 'checked',
      error: null,
    });
    const detail = await owner.call(uploadDetail, { params: { id } });
    expect(detail).toMatchObject({ state: 'checked', rows: 2, badRows: 0, period: '2026-01-15 至 2026-01-16' });
    expect(detail.check?.summary).toBe('2 行订单 · 3 件 · EUR 1025.08（2 行）');
    expect(detail.actions.map((action) => action.name)).toEqual(['commit', 'reject']);
  });

  it('is loaded whole by one of two simultaneous clicks, and the other one learns the same', async () => {
    const answers = await Promise.all([1, 2].map(() => owner.call(commitUpload, { params: { id } })));
    expect(answers[0]).toMatchObject({ id, state: 'loaded', taskId: null, rows: 2, inserted: 2 });
    expect(answers[1]).toEqual(answers[0]);
    expect(await owner.call(commitUpload, { params: { id } })).toEqual(answers[0]);
    expect(lists.state.loads).toBe(1);
    expect(lists.state.lines.map((line) => line.amount)).toEqual(['19.98', '1005.10']);
    const detail = await owner.call(uploadDetail, { params: { id } });
    expect(detail.actions.map((action) => action.name)).toEqual(['revert']);
    expect(detail.timeline.map((entry) => entry.title)).toEqual(['确认入库', '预检', '上传']);
  });

  it('changes nothing when it comes again, packed or under another name', async () => {
    const before = await traces(world, owner);
    expect(before).toMatchObject({ batches: 1, documents: 1, files: 1, attachments: 1, stored: 1 });
    for (const bytes of [orderList(GOOD), gzipSync(orderList(GOOD))]) {
      const again = await send(
        world,
        owner,
        bytes,
        { amazonauthid: `${US}-${shop}`, requesttype: 'ORDER_LIST' },
        'andere.csv',
      );
      expect(again).toMatchObject({ code: 201, data: { id, state: 'loaded', duplicate: true } });
      expect(again.data.message).toMatch(/^该文件已上传（\d{4}-\d\d-\d\d，UP\d{10}），内容一致，未重复处理$/);
    }
    expect(await traces(world, owner)).toEqual(before);
    expect(lists.state.loads).toBe(1);
  });

  it('needs no questions the next month: the mapping is remembered by its headers', async () => {
    const next = orderList([['A-3', '2026-02-01', '1', 'KD-1', '9,99', 'EUR']]);
    const sent = await send(world, owner, next, { amazonauthid: shop, requesttype: 'ORDER_LIST' });
    expect(sent.data).toMatchObject({ state: 'checked' });
    const overlapping = orderList([['A-9', '2026-01-16', '1', 'KD-1', '9,99', 'EUR']]);
    const second = await send(world, owner, overlapping, { amazonauthid: shop, requesttype: 'ORDER_LIST' });
    const { check } = await owner.call(uploadDetail, { params: { id: second.data.id ?? '' } });
    expect(check?.warnings.join()).toMatch(/与已入库的 UP\d{10}（liste.csv）重叠/);
  });

  it('is all or nothing: bad lines are named and stop the load', async () => {
    const rows = Array.from({ length: 250 }, (_, n) => [`B-${n}`, '2026-03-01', 'zwei', 'KD-1', '1,00', 'EUR']);
    const sent = await send(world, owner, orderList([...GOOD, ...rows]), {
      amazonauthid: shop,
      requesttype: 'ORDER_LIST',
    });
    const bad = sent.data.id ?? '';
    const { check, badRows, actions } = await owner.call(uploadDetail, { params: { id: bad } });
    expect([badRows, check?.badCount, check?.badRows.length]).toEqual([250, 250, 200]);
    expect(check?.badRows[0]).toEqual({
      line: 4,
      column: 'Stück',
      value: 'zwei',
      reason: '第 4 行，列 Stück：“zwei”不是有效的数量',
    });
    expect([sent.data.state, actions.map((action) => action.name)]).toEqual(['uploaded', ['reject']]);
    const refused = await owner.send(commitUpload, { params: { id: bad } });
    expect([refused.status, refused.msg]).toEqual([409, expect.stringContaining('有 250 行错误')]);
    expect(lists.state.loads).toBe(1);
    const file = await owner.send(uploadErrors, { params: { id: bad } });
    expect(file.raw.toString('utf8').trim().split('\r\n')).toHaveLength(251);
    await owner.call(rejectUpload, { params: { id: bad }, body: { reason: '数量列填错' } });
    expect(await owner.call(uploadDetail, { params: { id: bad } })).toMatchObject({ state: 'rejected', actions: [] });
    expect((await owner.send(rejectUpload, { params: { id: bad }, body: {} })).status).toBe(409);
  });

  it('asks for the order of day and month where the file proves none', async () => {
    const unclear = orderList([['C-1', '03/04/2026', '1', 'KD-1', '1,00', 'EUR']]);
    const sent = await send(world, owner, unclear, { amazonauthid: shop, requesttype: 'ORDER_LIST' });
    expect(sent.data.state).toBe('uploaded');
    const target = sent.data.id ?? '';
    await owner.call(saveMapping, { body: { id: target, mapping: MAPPING, options: { dayOrder: 'day-first' } } });
    expect(await owner.call(uploadDetail, { params: { id: target } })).toMatchObject({
      state: 'checked',
      period: '2026-04-03 至 2026-04-03',
    });
    await owner.call(saveMapping, { body: { id: target, mapping: MAPPING, options: { dayOrder: 'month-first' } } });
    expect(await owner.call(uploadDetail, { params: { id: target } })).toMatchObject({
      period: '2026-03-04 至 2026-03-04',
    });
  });

  it('of another site is warned of at the check, by its currency and its channel', async () => {
    const foreign = orderList(
      [
        ['I-1', '2026-04-30', '1', 'KD-1', '647,62', 'INR', 'Amazon.in'],
        ['I-2', '2026-04-30', '1', 'KD-1', '406,00', 'INR', 'Amazon.in'],
      ],
      'Order ID;Date;Qty;SKU;Amount;Currency;Sales Channel',
    );
    const warningsAt = async (account: string) => {
      const sent = await send(world, owner, foreign, { amazonauthid: account, requesttype: 'ORDER_LIST' });
      const { state, check } = await owner.call(uploadDetail, { params: { id: sent.data.id ?? '' } });
      expect(state).toBe('checked');
      return check?.warnings;
    };
    expect(await warningsAt(shop)).toEqual([
      '文件中的金额为 INR，而美国站的币种是 USD，请确认所选站点',
      '文件中的销售渠道为 Amazon.in，不属于美国站，请确认所选站点',
    ]);
    expect(await warningsAt(await manualStore(owner, '印度店', IN))).toEqual([]);
  });

  it('needs a site where the account has several', async () => {
    const both = await manualStore(owner, '双站点店', DE, IN);
    const bare = await send(world, owner, orderList(GOOD), { amazonauthid: both, requesttype: 'ORDER_LIST' });
    expect(bare).toMatchObject({ code: 400, msg: '请选择订单列表所属的站点' });
    const named = await send(world, owner, orderList(GOOD), {
      amazonauthid: `${IN}-${both}`,
      requesttype: 'ORDER_LIST',
    });
    expect(named).toMatchObject({ code: 201, data: { duplicate: false } });
  });

  it('stays checked when its load fails, shows why, and can be tried again', async () => {
    const sent = await send(world, owner, orderList([['D-1', '2026-05-01', '1', 'KD-1', '1,00', 'EUR']]), {
      amazonauthid: shop,
      requesttype: 'ORDER_LIST',
    });
    const target = sent.data.id ?? '';
    const marks = () =>
      world.as(owner, (ctx) =>
        ctx.db.selectFrom('marketplace.store').select('sort_index').where('company_id', '=', ctx.companyId).execute(),
      );
    const before = await marks();
    lists.state.fail = 'disk full';
    const failed = await owner.send(commitUpload, { params: { id: target } });
    expect([failed.status, failed.msg]).toEqual([500, '系统繁忙，请稍后重试']);
    expect(failed.msg).not.toContain('disk');
    expect(await marks()).toEqual(before);
    const detail = await owner.call(uploadDetail, { params: { id: target } });
    expect(detail).toMatchObject({ state: 'checked', error: '系统繁忙，请稍后重试', loadedAt: null });
    expect(detail.timeline[0]?.title).toBe('入库失败，已全部回退');
    lists.state.fail = '';
    expect(await owner.call(commitUpload, { params: { id: target } })).toMatchObject({ state: 'loaded', rows: 1 });
    expect(await owner.call(uploadDetail, { params: { id: target } })).toMatchObject({ error: null });
  });

  it('of many lines loads in the background', async () => {
    const rows = Array.from({ length: 50_001 }, (_, n) => [`E-${n}`, '2026-06-01', '1', 'KD-1', '1,00', 'EUR']);
    const sent = await send(world, owner, orderList(rows), { amazonauthid: shop, requesttype: 'ORDER_LIST' });
    const target = sent.data.id ?? '';
    const [first, second] = await Promise.all([1, 2].map(() => owner.call(commitUpload, { params: { id: target } })));
    expect(first?.taskId).toMatch(/^[0-9a-f-]{36}$/);
    expect(second?.taskId).toBe(first?.taskId);
    await world.work();
    await expect
      .poll(async () => (await owner.call(uploadDetail, { params: { id: target } })).state, { timeout: PATIENCE_MS })
      .toBe('loaded');
    expect(lists.state.lines).toHaveLength(50_001);
    await expect
      .poll(async () => (await owner.call(myTasks, {}))[0], { timeout: PATIENCE_MS })
      .toMatchObject({ state: 'done', progress: 100, title: expect.stringContaining('报表入库 UP') });
  });
});

describe('the list of uploads', () => {
  it('shows every batch with its state, counts them and finds them again', async () => {
    const page = await owner.call(uploadList, { body });
    const counts = await owner.call(uploadCounts, { body: {} });
    expect(page.total).toBe(counts.all);
    expect(new Set(page.records.map((row) => row.number)).size).toBe(page.records.length);
    expect(page.records[0]?.createdAt.localeCompare(page.records.at(-1)?.createdAt ?? '')).toBe(1);
    const rejected = await owner.call(uploadList, { body: { ...body, filter: { state: ['rejected'] } } });
    expect([rejected.total, counts.rejected]).toEqual([1, 1]);
    const found = await owner.call(uploadList, { body: { ...body, filter: { keyword: 'liste' } } });
    expect(found.records).toMatchObject([
      { fileName: 'liste.csv', store: { name: '手工店', country: 'US' }, reportTitle: '订单列表' },
    ]);
    expect((await owner.call(uploadList, { body: { ...body, filter: { keyword: '%' } } })).total).toBe(0);
  });

  it('is for those who may see it, and the buttons for those who may press them', async () => {
    const viewer = await world.member(owner, ['amz:report:view']);
    const clerk = await world.member(owner, ['amz:report:import', 'amz:report:view']);
    const nobody = await world.member(owner, []);
    const [row] = (await viewer.call(uploadList, { body: { ...body, filter: { state: ['uploaded', 'checked'] } } }))
      .records;
    const id = row?.id ?? '';
    expect((await viewer.call(uploadDetail, { params: { id } })).actions).toEqual([]);
    expect((await clerk.call(uploadDetail, { params: { id } })).actions.map((action) => action.name)).toContain(
      'reject',
    );
    expect((await viewer.send(commitUpload, { params: { id } })).status).toBe(403);
    expect((await viewer.send(rejectUpload, { params: { id }, body: {} })).status).toBe(403);
    expect(await send(world, viewer, orderList(GOOD), { amazonauthid: shop })).toMatchObject({ status: 403 });
    expect((await nobody.send(uploadList, { body })).status).toBe(403);
    expect((await nobody.send(reportTypeList, {})).status).toBe(403);
    expect((await viewer.call(reportTypeList, {})).map((type) => type.value)).toContain('ORDER_LIST');
  });

  it('knows nothing of another company', async () => {
    const other = await world.owner('别家公司');
    const [row] = (await owner.call(uploadList, { body })).records;
    const id = row?.id ?? '';
    expect((await other.call(uploadList, { body })).total).toBe(0);
    for (const answer of [
      await other.send(uploadDetail, { params: { id } }),
      await other.send(commitUpload, { params: { id } }),
      await other.send(rejectUpload, { params: { id }, body: {} }),
      await other.send(readMapping, { query: { id } }),
      await other.send(saveMapping, { body: { id, mapping: MAPPING } }),
      await other.send(uploadErrors, { params: { id } }),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect(await send(world, other, orderList(GOOD), { amazonauthid: shop })).toMatchObject({ status: 404 });
    const own = await manualStore(other, '手工店', US);
    const sent = await send(world, other, orderList(GOOD), { amazonauthid: own, requesttype: 'ORDER_LIST' });
    expect(sent.data).toMatchObject({ duplicate: false, number: expect.stringMatching(/0001$/) });
  });
});
