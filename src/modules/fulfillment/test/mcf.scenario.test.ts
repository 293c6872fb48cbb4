import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { listWrites, retryWrite, writeDetail } from '#modules/marketplace/contract/writes.ts';
import { getRemind } from '#modules/message/contract/messages.ts';
import { asOperator } from '#test/faults/story.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import { callsOf } from '#test/support/order-acts.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { uploadAs } from '#test/support/upload.ts';
import type { Person } from '#test/support/world.ts';
import * as create from '../contract/create.ts';
import { importMcf } from '../contract/import.ts';
import * as orders from '../contract/orders.ts';
import { forgetRecipients } from '../server/address.ts';

const US = 'ATVPDKIKX0DER';
const HOUR = 3_600_000;
const TO = {
  name: 'Ada Lovelace',
  line1: '500 Pine St',
  city: 'Seattle',
  region: 'WA',
  postalCode: '98101',
  country: 'US',
};

let world: MarketplaceWorld;
let owner: Person;
let site: string;
let sku: string;
let worker: { stop(): Promise<void> };

beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner();
  worker = await world.work();
  const { accountId } = await connectStore(owner);
  site = `${US}-${accountId}`;
  sku = await vi.waitFor(
    async () => {
      const [most] = await owner.call(create.mcfGoods, { body: { site } });
      if (!most || most.fulfillable < 20) throw new Error('no stock yet');
      return most.product.code;
    },
    { timeout: PATIENCE_MS, interval: 300 },
  );
});
afterAll(() => world.close());

const wish = (orderNo: string, more: object = {}) => ({
  site,
  platform: 'SHOPIFY' as const,
  orderNo,
  ...TO,
  speed: 'STANDARD' as const,
  policy: 'FillOrKill' as const,
  hold: false,
  blankBox: false,
  lines: [{ sku, quantity: 2 }],
  ...more,
});
const make = async (orderNo: string, more: object = {}) =>
  (await owner.call(create.createMcf, { body: wish(orderNo, more) })).id;
const detail = (id: string) => owner.call(orders.mcfDetail, { params: { id } });
const stands = (id: string) => expect.poll(async () => (await detail(id)).state, { timeout: PATIENCE_MS });
const refresh = (id: string) => owner.call(create.refreshMcf, { body: { id } });
const later = (hours: number) => world.sandbox.world.commandClock({ advanceMs: hours * HOUR });
const thereOf = async (id: string) => {
  const { number } = await detail(id);
  return world.sandbox.world.outbound.all().filter((one) => one.id === number);
};
const writeOf = async (id: string) => {
  const { records } = await owner.call(listWrites, { body: { filter: { subject: (await detail(id)).number } } });
  return owner.call(writeDetail, { params: { id: records[0]?.id ?? '' } });
};

describe('an order of a buyer from elsewhere', () => {
  it('costs and arrives by its speed, as Amazon says beforehand', async () => {
    const preview = (recipient: object, lines = [{ sku, quantity: 2 }]) =>
      owner.call(create.previewMcf, { body: { site, recipient: { ...TO, ...recipient }, lines } });
    const offers = await preview({});
    expect(offers.map(({ speed, fulfillable, currency }) => [speed, fulfillable, currency])).toEqual([
      ['STANDARD', true, 'USD'],
      ['EXPEDITED', true, 'USD'],
      ['PRIORITY', true, 'USD'],
    ]);
    const fees = offers.map(({ fee }) => new Decimal(fee ?? 0));
    expect(fees[0]?.gt(0)).toBe(true);
    expect(fees).toEqual(fees.toSorted((a, b) => a.comparedTo(b)));
    expect((await preview({ postalCode: '1' })).map(({ problems }) => problems)).toEqual(
      offers.map(() => ['收件地址无效']),
    );
    const [lacking] = await preview({}, [
      { sku, quantity: 1 },
      { sku: 'NOBODY', quantity: 1 },
    ]);
    expect(lacking).toMatchObject({ fulfillable: false, problems: ['NOBODY 没有 FBA 库存，缺 1 件'] });
  });

  it('goes from the desk to the door, and its parcel is told to where it was bought', async () => {
    const shop = await world.as(owner, async (ctx) => {
      const { companyId: company_id } = ctx;
      const { id } = await ctx.db
        .insertInto('channel.shop')
        .values({ company_id, platform: 'SHOPIFY', name: '官网' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const order = { company_id, shop_id: id, day: '2026-07-15', country: 'US', updated_by_name: '' };
      const numbers = ['#2001', '#2099'];
      const values = numbers.map((order_no) => ({ ...order, order_no }));
      await ctx.db.insertInto('channel.platform_order').values(values).execute();
      return id;
    });
    const id = await make('#2001');
    await stands(id).toBe('RECEIVED');
    const taken = await detail(id);
    expect(taken).toMatchObject({
      units: 2,
      postal: '981',
      region: 'WA',
      currency: 'USD',
      fromErp: true,
      problem: null,
    });
    const [standard] = await owner.call(create.previewMcf, {
      body: { site, recipient: TO, lines: [{ sku, quantity: 2 }] },
    });
    expect(new Decimal(taken.fee ?? 0)).toEqual(new Decimal(standard?.fee ?? Number.NaN));
    expect(JSON.stringify(taken)).not.toMatch(/Lovelace|Pine/);
    later(26);
    await refresh(id);
    const left = await detail(id);
    expect([left.state, left.packages, left.tracking, left.parcels[0]?.tracking]).toEqual([
      'COMPLETE',
      1,
      expect.any(String),
      left.tracking,
    ]);
    expect(left.parcels[0]?.status).toBe('IN_TRANSIT');
    const told = await world.as(owner, (ctx) =>
      ctx.db
        .selectFrom('channel.platform_order')
        .select(['order_no', 'tracking_number'])
        .where('company_id', '=', ctx.companyId)
        .where('shop_id', '=', shop)
        .orderBy('order_no')
        .execute(),
    );
    expect(told).toEqual([
      { order_no: '#2001', tracking_number: left.tracking },
      { order_no: '#2099', tracking_number: null },
    ]);
    later(6 * 24);
    await refresh(id);
    const there = await detail(id);
    expect([there.parcels[0]?.status, there.parcels[0]?.events[0]?.words]).toEqual(['DELIVERED', '已送达']);
    expect(there.deliveredAt).not.toBeNull();
    expect(world.sandbox.business.audit(world.sandbox.clock.now())).toEqual([]);
  });

  it('is held and let go', async () => {
    const id = await make('#2002', { hold: true });
    await stands(id).toBe('HELD');
    later(24);
    await refresh(id);
    expect((await detail(id)).state).toBe('HELD');
    await owner.call(create.releaseMcf, { body: { id } });
    await stands(id).toBe('RECEIVED');
    expect((await owner.send(create.releaseMcf, { body: { id } })).msg).toBe('只有暂存的订单可以放行');
  });

  it('is cancelled when Amazon agrees, and goes on where picking has begun', async () => {
    const early = await make('#2003');
    await stands(early).toBe('RECEIVED');
    await owner.call(create.cancelMcf, { body: { id: early } });
    await stands(early).toBe('CANCELLED');
    expect((await detail(early)).cancelledUnits).toBe(2);
    const late = await make('#2004');
    await stands(late).toBe('RECEIVED');
    // Picking begins, and nobody here has heard of it.
    later(4);
    await owner.call(create.cancelMcf, { body: { id: late } });
    await stands(late).toBe('PROCESSING');
    expect((await detail(late)).problem).toMatch(/^订单：已开始拣货或已结束，不能取消（/);
    expect((await owner.send(create.cancelMcf, { body: { id: late } })).msg).toBe('已开始拣货或已结束，不能取消');
    const told = (await owner.call(getRemind, { body: {} })).records.map(({ title }) => title);
    expect(told.filter((title) => title.startsWith('取消多渠道订单未成功'))).toHaveLength(1);
  });

  it.each(['timeoutAfter', 'timeoutBefore'] as const)(
    'is one order at Amazon after a lost answer (%s)',
    async (kind) => {
      const before = callsOf(world, 'createFulfillmentOrder');
      world.sandbox.world.faults.add({ kind, operation: 'createFulfillmentOrder', ms: 50, count: 1 });
      const id = await make(`#30-${kind}`);
      await stands(id).toBe('RECEIVED');
      // A call that was cut on its way was never counted there; one that arrived was not made again.
      expect(callsOf(world, 'createFulfillmentOrder') - before).toBe(1);
      expect(await thereOf(id)).toHaveLength(1);
    },
  );

  it('that a worker left half-way is found at Amazon, and not made again', async () => {
    await worker.stop();
    const id = await make('#31');
    const { number } = await detail(id);
    await asOperator(
      world,
      `UPDATE marketplace.write SET state = 'sending', sent_at = kit.now() - interval '10 minutes' WHERE subject = $1`,
      [number],
    );
    worker = await world.work();
    await stands(id).toBe('RECEIVED');
    expect(await thereOf(id)).toHaveLength(1);
  });

  it('that Amazon cannot send is not made, says why, and goes once it can', async () => {
    const id = await make('#2005', { postalCode: '1' });
    await stands(id).toBe('REFUSED');
    expect((await detail(id)).problem).toBe('亚马逊不能配送：收件地址无效');
    expect(await thereOf(id)).toEqual([]);
    expect((await writeOf(id)).state).toBe('refused');
    await owner.call(create.submitMcf, { body: { ids: [id] } });
    await stands(id).toBe('REFUSED');
    await owner.call(create.cancelMcf, { body: { id } });
    expect((await detail(id)).state).toBe('CANCELLED');
    expect((await owner.send(retryWrite, { params: { id: (await writeOf(id)).id } })).status).toBe(409);
  });

  it('is found where it was made elsewhere, with its recipient at Amazon alone', async () => {
    const account = world.sandbox.business.accounts.find(({ region }) => region === 'na');
    if (!account) throw new Error('nobody sells there');
    const [known] = world.sandbox.world.outbound.all();
    if (!known) throw new Error('no order is there');
    const at = world.sandbox.clock.now();
    const { way: _, cancelledAt: __, ...plain } = known;
    const order = {
      ...plain,
      id: 'SHOP-77',
      displayableOrderId: 'SHOP-77',
      at,
      items: known.items.map((one) => ({ ...one, filled: 0 })),
    };
    world.sandbox.world.command({ type: 'outbound', at, order: { ...order, verdict: 'INVALID' } });
    later(1);
    const found = () => owner.call(orders.listMcf, { body: { filter: { numbers: ['SHOP-77'] } } });
    // The next look is due within half an hour; sessions that lie idle live longer.
    await world.advance(0.7 * HOUR);
    await expect.poll(async () => (await found()).records[0]?.state, { timeout: PATIENCE_MS }).toBe('INVALID');
    const [row] = (await found()).records;
    const to = await owner.call(create.mcfRecipient, { body: { id: row?.id ?? '' } });
    expect([to.name, row?.createdBy]).toEqual([TO.name, '']);
  });
});

describe('whose it is', () => {
  it('nobody else’s to see or to change, and its recipient is for those who may make orders', async () => {
    const id = await make('#2006', { draft: true });
    const stranger = await world.owner('别的公司');
    expect((await stranger.call(orders.listMcf, { body: { filter: {} } })).records).toEqual([]);
    for (const call of [create.releaseMcf, create.cancelMcf, create.refreshMcf, create.mcfRecipient] as const) {
      expect((await stranger.send(call, { body: { id } })).status).toBe(404);
    }
    expect((await stranger.send(create.createMcf, { body: wish('#1') })).status).toBe(400);
    const viewer = await world.member(owner, ['amz:mcf:view']);
    expect((await viewer.call(orders.mcfDetail, { params: { id } })).orderNo).toBe('#2006');
    expect((await viewer.send(create.mcfRecipient, { body: { id } })).status).toBe(403);
    expect((await viewer.send(create.createMcf, { body: wish('#1') })).status).toBe(403);
    expect((await owner.call(create.mcfRecipient, { body: { id } })).name).toBe(TO.name);
  });

  it('rests sealed, stands in no log and in no write, and goes thirty days after the delivery', async () => {
    const rows = await world.as(owner, (ctx) =>
      ctx.db.selectFrom('fulfillment.mcf_order').select(['address']).where('company_id', '=', ctx.companyId).execute(),
    );
    const written = await world.as(owner, async (ctx) => [
      ...rows,
      ...(await ctx.db
        .selectFrom('marketplace.write')
        .select(['request', 'answer'])
        .where('company_id', '=', ctx.companyId)
        .execute()),
      ...(await ctx.db
        .selectFrom('kit.audit')
        .select(['before', 'after'])
        .where('company_id', '=', ctx.companyId)
        .execute()),
    ]);
    expect(rows.filter(({ address }) => address?.startsWith('v1.')).length).toBeGreaterThan(3);
    expect(JSON.stringify(written)).not.toMatch(/Lovelace|Pine St/);
    const kept = () =>
      world.as(owner, async (ctx) => {
        const query = ctx.db.selectFrom('fulfillment.mcf_order').select('order_no').where('address', 'is not', null);
        return (await query.where('company_id', '=', ctx.companyId).execute()).map((row) => row.order_no);
      });
    const delivered = world.sandbox.clock.now();
    const daysOn = (days: number) => new Date(delivered + days * 24 * HOUR).toISOString();
    expect(await kept()).toContain('#2001');
    await world.as(owner, (ctx) => forgetRecipients(ctx, daysOn(20)));
    expect(await kept()).toContain('#2001');
    await world.as(owner, (ctx) => forgetRecipients(ctx, daysOn(31)));
    expect(await kept()).not.toContain('#2001');
    expect(await kept()).toContain('#2006');
  });
});

it('what is wrong is refused with its field', async () => {
  const refusal = async (more: object) => {
    const answer = await owner.send(create.createMcf, { body: wish('#9', more) });
    return [answer.status, answer.msg];
  };
  expect(await refusal({ lines: [{ sku: 'NOBODY', quantity: 1 }] })).toEqual([400, 'NOBODY 在该站点没有 FBA 库存']);
  expect(await refusal({ number: 'x'.repeat(41) })).toEqual([400, expect.stringContaining('履约单号最多 40 个')]);
  expect(await refusal({ lines: [{ sku, quantity: 251 }] })).toEqual([
    400,
    expect.stringContaining('数量不能超过 250'),
  ]);
  expect(await refusal({ country: 'USA' })).toEqual([400, expect.stringContaining('国家应为两位字母代码')]);
  await make('#10', { number: 'OWN-1', draft: true });
  expect(await refusal({ number: 'OWN-1' })).toEqual([400, '该店铺已有这个履约单号']);
});

it('the list is found by number and SKU, counted by view, and taken along as a file', async () => {
  const of = async (filter: object) => {
    const { records } = await owner.call(orders.listMcf, { body: { filter } });
    return records.map(({ orderNo }) => orderNo);
  };
  expect(await of({ numbers: ['#2001'] })).toEqual(['#2001']);
  expect(await of({ skus: ['NOBODY'] })).toEqual([]);
  expect(await of({ skus: [sku], tab: 'draft' })).toEqual(['#10', '#2006']);
  const counts = await owner.call(orders.countMcf, { body: { filter: {} } });
  const { all = 0, ...views } = counts;
  expect(Object.values(views).reduce((sum, n) => sum + n, 0)).toBe(all);
  expect(counts).toMatchObject({ draft: 2, shipped: expect.any(Number) });
  const file = await owner.send(orders.exportMcf, { body: { filter: { numbers: ['#2001'] }, format: 'csv' } });
  expect(file.raw.toString('utf8')).toContain('#2001');
});

describe('a sheet of orders', () => {
  const HEAD = '店铺,站点,平台,平台订单号,MSKU,数量,收件人,地址1,城市,州/省,邮政编码,国家,配送速度';
  const lineOf = (orderNo: string, more: Partial<Record<'store' | 'sku' | 'qty' | 'country' | 'speed', string>> = {}) =>
    [
      more.store ?? `店铺 A1SANDBOX0001 ${US}`,
      'US',
      '独立站',
      orderNo,
      more.sku ?? sku,
      more.qty ?? '1',
      'Ada Lovelace',
      '500 Pine St',
      'Seattle',
      'WA',
      '98101',
      more.country ?? 'US',
      more.speed ?? '加急',
    ].join(',');
  const send = (commit: 'true' | 'false', ...lines: string[]) =>
    uploadAs(world, owner, importMcf, { commit }, { name: 'orders.csv', bytes: [HEAD, ...lines].join('\n') });
  const drafts = async () => {
    const { records } = await owner.call(orders.listMcf, { body: { pagesize: 100, filter: { tab: 'draft' } } });
    return records.map(({ orderNo }) => orderNo);
  };

  it('becomes drafts as a whole, lines of one number being one order', async () => {
    const second = (await owner.call(create.mcfGoods, { body: { site } })).find(({ id }) => id !== sku)?.id ?? '';
    const lines = [lineOf('S-1', { qty: '2' }), lineOf('S-1', { sku: second }), lineOf('S-2', { speed: '' })];
    const checked = await send('false', ...lines);
    expect(checked.data).toMatchObject({ rows: 3, orders: 2, problems: [], written: false });
    expect(await drafts()).not.toContain('S-1');
    expect((await send('true', ...lines)).data).toMatchObject({ written: true });
    expect(await drafts()).toEqual(expect.arrayContaining(['S-1', 'S-2']));
    const { records } = await owner.call(orders.listMcf, { body: { filter: { numbers: ['S-1', 'S-2'] } } });
    expect(records.map(({ orderNo, units, speed }) => [orderNo, units, speed]).sort()).toEqual([
      ['S-1', 3, 'EXPEDITED'],
      ['S-2', 1, 'STANDARD'],
    ]);
  });

  it('is refused as a whole, each error with its line and its column', async () => {
    const before = await drafts();
    const { data } = await send(
      'true',
      lineOf('T-1'),
      lineOf('T-2', { store: '没有的店' }),
      lineOf('T-3', { sku: 'NOBODY' }),
      lineOf('T-4', { qty: 'x' }),
      lineOf('T-5', { country: 'USA' }),
      lineOf('T-6', { speed: '飞快' }),
    );
    expect(data.written).toBe(false);
    expect(data.problems.map(({ line, column, reason }) => [line, column, reason])).toEqual([
      [3, '店铺', '店铺不存在，或没有授权这个站点'],
      [4, 'MSKU', '在该站点没有 FBA 库存'],
      [5, '数量', '数量填写不正确'],
      [6, '国家', '国家应为两位字母代码，如 US'],
      [7, '配送速度', '配送速度填写不正确'],
    ]);
    expect(await drafts()).toEqual(before);
    const short = await uploadAs(world, owner, importMcf, {}, { name: 'x.csv', bytes: '店铺,站点\na,US' });
    expect(short.data.problems.map(({ reason }) => reason)).toContain('缺少列「MSKU」，请使用导入模板的表头');
  });
});
