import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buyerAddresses,
  cancelTrade,
  confirmTrade,
  finishConsent,
  listBuyers,
  listTrades,
  matchOffer,
  orderTrades,
  payUrl,
  placeTrade,
  previewTrade,
  pullTrades,
  removeBuyer,
  saveLink,
} from '#modules/alibaba/contract/index.ts';
import { sign } from '#modules/alibaba/server/sign.ts';
import { resolveTrade } from '#modules/alibaba/server/sync.ts';
import { instantOf, stampOf } from '#modules/alibaba/server/times.ts';
import { listCalls } from '#modules/marketplace/contract/api-log.ts';
import { flushCalls } from '#modules/marketplace/server/api/log.ts';
import { orderSteps } from '#modules/purchase/contract/order-calls.ts';
import {
  type Buyers,
  balances,
  createBuyers,
  createSupplier,
  detailOf,
  draftOrder,
  productOf,
  receive,
  type Wanted,
} from '#modules/purchase/test/support.ts';
import { type Sandbox, startSandbox } from '#sandbox/index.ts';
import { sandboxAlibaba } from '#src/app/sandbox.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { agreeAs, bindBuyer, controlOf, tolerate } from './support.ts';

const CREATE = 'alibaba.trade.fastCreateOrder';
const CUP = '610947572360';

let sandbox: Sandbox;
let world: World;
let buyers: Buyers;
let buyerId: string;

beforeAll(async () => {
  sandbox = await startSandbox({ scenario: 'tiny' });
  world = await createWorld({ alibaba: sandboxAlibaba(sandbox.url), retryBaseMs: 60 });
  buyers = await createBuyers(world, ['CUP', 'BOWL', 'SET', 'TURNER']);
  buyerId = (await bind('b2b-2200657714')).id;
  await tolerate(buyers, '0.1');
  const link = { supplierId: buyers.supplier, subject: '保温杯', spec: '黑色' };
  await buyers.owner.call(saveLink, {
    body: { ...link, productId: productOf(buyers, 'CUP'), offerId: CUP, specId: 'spec-cup-black', piecesPerUnit: 2 },
  });
});
afterAll(async () => {
  await world.close();
  await sandbox.close();
});

const agree = (memberId: string) => agreeAs(buyers.owner, memberId);
const bind = (memberId: string) => bindBuyer(buyers.owner, memberId);
const control = (body: object) => controlOf(sandbox, body);

async function approved(lines: readonly Wanted[], head: object = {}) {
  const { id, number } = await draftOrder(buyers, lines, head);
  await buyers.buyer.call(orderSteps.submit, { body: { id } });
  await buyers.chief.call(orderSteps.approve, { body: { id } });
  return { id, number };
}

const asked = (orderId: string) => ({ orderId, buyerId, addressId: '900001' });
const place = (orderId: string, total: string) => buyers.owner.call(placeTrade, { body: { ...asked(orderId), total } });
async function tradeOf(number: string) {
  const { records } = await buyers.owner.call(listTrades, { body: { filter: { keyword: number } } });
  const [row] = records;
  if (!row) throw new Error(`no trade for ${number}`);
  return row;
}
const look = (tradeId: string, tries: number) =>
  resolveTrade(world.runtime, { companyId: buyers.owner.companyId, tradeId, tries });

describe('1688', () => {
  it('signs as the platform documents it, and reads its instants', () => {
    const signed = sign('param2/1/system/currentTime/1000000', { b: '2', a: '1' }, 'test123');
    // HMAC-SHA1("test123", "param2/1/system/currentTime/1000000a1b2")
    expect(signed).toBe('33E54F4F7B989E3E0E912D3FBD2F1A03CA7CCE88');
    expect(instantOf('20261122101500123+0800')).toBe('2026-11-22T02:15:00.123Z');
    expect(stampOf('2026-11-22T02:15:00.123Z')).toBe('20261122101500123+0800');
    expect(instantOf('yesterday')).toBeUndefined();
  });

  it("an account is bound by consent, once per page, and never by somebody else's page", async () => {
    const once = await agree('b2b-2200657715');
    const { id } = await buyers.owner.call(finishConsent, { body: once });
    await expect(buyers.owner.call(finishConsent, { body: once })).rejects.toThrow('授权链接已失效');
    const stranger = await world.owner('另一家');
    await expect(stranger.call(finishConsent, { body: await agree('b2b-2200657715') })).rejects.toThrow(
      '授权链接已失效',
    );
    expect((await buyers.owner.call(listBuyers, {})).map((row) => [row.loginId, row.state])).toEqual([
      ['沙箱采购一号', 'active'],
      ['沙箱采购二号', 'active'],
    ]);
    expect(await stranger.call(listBuyers, {})).toEqual([]);
    await buyers.owner.call(removeBuyer, { body: { id } });
    await expect(buyers.owner.call(buyerAddresses, { body: { buyerId: id } })).rejects.toThrow('1688授权已失效');
  });

  it('offers and addresses are read; an expired token is renewed without anybody noticing', async () => {
    await control({ expire: 'access' });
    const offer = await buyers.owner.call(matchOffer, { body: { buyerId, offerId: CUP } });
    expect(offer).toMatchObject({ unit: '个', minimum: 10 });
    expect(offer.skus[0]).toMatchObject({ specId: 'spec-cup-black', price: '18.6', stock: 20000 });
    expect((await buyers.owner.call(buyerAddresses, { body: { buyerId } }))[0]).toMatchObject({ standard: true });
    await expect(buyers.owner.call(matchOffer, { body: { buyerId, offerId: '99999' } })).rejects.toThrow(
      '1688：商品不存在',
    );
  });

  it('is ordered after a preview, paid, sent and followed; the difference to the purchase order is told to the cent', async () => {
    // 200 pieces are 100 units of two; 9.30 a piece is 18.60 a unit, and 1,860.00 travels free.
    const { id, number } = await approved([{ sku: 'CUP', qty: 200, unitPrice: '9.30' }]);
    const preview = await buyers.owner.call(previewTrade, { body: asked(id) });
    expect(preview).toMatchObject({ goods: '1860', freight: '0', total: '1860', orderAmount: '1860', difference: '0' });
    expect(preview.lines[0]).toMatchObject({ qty: 200, units: 100, ordered: '1860', offered: '1860' });
    await expect(place(id, '1800')).rejects.toThrow('平台金额1860与确认的1800不一致');
    expect((await place(id, '1860')).status).toBe('waitbuyerpay');
    expect((await detailOf(buyers, id)).order.stage).toBe('ordered');
    expect(await balances(world, buyers, 'CUP')).toEqual({ EXPECTED: 200 });
    await expect(place(id, '1860')).rejects.toThrow('只有待下单的采购单');
    const placed = await tradeOf(number);
    const { url } = await buyers.owner.call(payUrl, { body: { id: placed.id } });
    const page = new URL(url);
    await fetch(url, { method: 'POST', body: new URLSearchParams(page.searchParams) });
    // The seller takes ten yuan off, and gives five back later.
    const orderId = placed.platformId ?? '';
    await control({ orderId, discount: 1000, status: 'waitbuyerreceive' });
    await buyers.owner.call(pullTrades, {});
    const sent = await tradeOf(number);
    expect(sent).toMatchObject({ status: 'waitbuyerreceive', total: '1850.0000', difference: '-10', problem: '' });
    expect(sent.trackingNo).toMatch(/^YT\d+/);
    expect(sent.paidAt).not.toBeNull();
    await control({ orderId, refund: 500, status: 'success' });
    expect(await buyers.owner.call(pullTrades, {})).toEqual({ changed: 1 });
    expect(await tradeOf(number)).toMatchObject({ status: 'success', refund: '5.0000', difference: '-15' });
    // What was read before is read again with the overlap, and changes nothing.
    expect(await buyers.owner.call(pullTrades, {})).toEqual({ changed: 0 });
    await expect(buyers.owner.call(cancelTrade, { body: { id: sent.id } })).rejects.toThrow('只有待付款');
    const differing = await buyers.owner.call(listTrades, { body: { filter: { differs: true } } });
    expect(differing.records.map((row) => row.orderNumber)).toContain(number);
  });

  it('a purchase order is not given up while its order there lives', async () => {
    const order = await approved([{ sku: 'CUP', qty: 20, unitPrice: '18.6' }]);
    const { total } = await buyers.owner.call(previewTrade, { body: asked(order.id) });
    const { id } = await place(order.id, total ?? '0');
    const giveUp = () => buyers.chief.send(orderSteps.cancel, { body: { id: order.id, reason: '不要了' } });
    const { platformId } = await tradeOf(order.number);
    expect((await giveUp()).msg).toBe(`1688订单 ${platformId} 仍在进行，请先在1688取消`);
    await buyers.owner.call(cancelTrade, { body: { id } });
    expect((await giveUp()).code).toBe(201);
    expect((await detailOf(buyers, order.id)).order.state).toBe('void');
  });

  it('the goods are confirmed by a person, after something was received, and once', async () => {
    const { id, number } = await approved([{ sku: 'CUP', qty: 60, unitPrice: '9.30' }]);
    const { total } = await buyers.owner.call(previewTrade, { body: asked(id) });
    const { id: trade } = await place(id, total ?? '');
    const confirm = () => buyers.owner.call(confirmTrade, { body: { id: trade } });
    await expect(confirm()).rejects.toThrow('只有待收货的1688订单可以确认收货');
    await control({ orderId: (await tradeOf(number)).platformId ?? '', status: 'waitsellersend' });
    await control({ orderId: (await tradeOf(number)).platformId ?? '', status: 'waitbuyerreceive' });
    await buyers.owner.call(pullTrades, {});
    await expect(confirm()).rejects.toThrow('采购单登记到货后才能确认收货');
    await receive(buyers, id, 'CUP', 10);
    await expect(buyers.buyer.call(confirmTrade, { body: { id: trade } })).rejects.toThrow();
    await confirm();
    expect((await tradeOf(number)).status).toBe('success');
    await expect(confirm()).rejects.toThrow('只有待收货的1688订单可以确认收货');
    expect(await buyers.owner.call(pullTrades, {})).toMatchObject({ changed: expect.any(Number) });
    expect((await tradeOf(number)).status).toBe('success');
  });

  it('an answer that does not come after the effect is looked for, and the order is never made twice', async () => {
    const { id, number } = await approved([{ sku: 'CUP', qty: 20, unitPrice: '9.30' }]);
    await control({ fault: { api: CREATE, kind: 'after', times: 1 } });
    const done = await place(id, '198');
    expect(done).toMatchObject({ status: 'sending', message: expect.stringContaining('请勿重复下单') });
    expect((await detailOf(buyers, id)).order.state).toBe('approved');
    await expect(place(id, '198')).rejects.toThrow('不能重复下单');
    await look(done.id, 0);
    expect((await detailOf(buyers, id)).order.state).toBe('ordered');
    await look(done.id, 1);
    const mine = (await control({})).filter((order) => order.outOrderId.startsWith(number));
    expect(mine).toHaveLength(1);
    expect(await tradeOf(number)).toMatchObject({ status: 'waitbuyerpay', platformId: mine[0]?.id });
  });

  it('an answer that nobody understands is taken for none, for the order may be there', async () => {
    const { id, number } = await approved([{ sku: 'CUP', qty: 20, unitPrice: '9.30' }]);
    await control({ fault: { api: CREATE, kind: 'garbled', times: 1 } });
    const done = await place(id, '198');
    expect(done.status).toBe('sending');
    await look(done.id, 0);
    expect((await detailOf(buyers, id)).order.state).toBe('ordered');
    expect((await control({})).filter((order) => order.outOrderId.startsWith(number))).toHaveLength(1);
  });

  it('one that never arrived is given up after the last look, and can be ordered again', async () => {
    const { id, number } = await approved([{ sku: 'CUP', qty: 20, unitPrice: '9.30' }]);
    await control({ fault: { api: CREATE, kind: 'before', times: 1 } });
    const done = await place(id, '198');
    await look(done.id, 0);
    await look(done.id, 1);
    expect((await tradeOf(number)).status).toBe('sending');
    await look(done.id, 2);
    expect(await tradeOf(number)).toMatchObject({ status: 'failed', problem: '1688没有这笔订单，可以重新下单' });
    expect((await place(id, '198')).status).toBe('waitbuyerpay');
    expect((await control({})).filter((order) => order.outOrderId.startsWith(number))).toHaveLength(1);
  });

  it('two people who order the same at the same moment order it once', async () => {
    const { id, number } = await approved([{ sku: 'CUP', qty: 40, unitPrice: '9.30' }]);
    const both = await Promise.allSettled([place(id, '384'), place(id, '384'), place(id, '384')]);
    expect(both.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    expect((await control({})).filter((order) => order.outOrderId.startsWith(number))).toHaveLength(1);
  });

  it('goods of two sellers, one of whom sends from two places, are three orders that add up to the purchase order to the cent', async () => {
    for (const [sku, offerId, specId] of [
      ['SET', '627056024629', 'spec-bowl-set'],
      ['TURNER', '640011223344', 'spec-turner'],
    ] as const) {
      const link = { offerId, specId, supplierId: buyers.supplier, productId: productOf(buyers, sku) };
      await buyers.owner.call(saveLink, { body: { ...link, piecesPerUnit: 1 } });
    }
    // 18.60 a unit of two cups; 24.00 a set and 7.35 a turner of the other seller. Each order below 1,000 pays 12.00 freight.
    const { id, number } = await approved(
      [
        { sku: 'CUP', qty: 100, unitPrice: '9.30' },
        { sku: 'SET', qty: 30, unitPrice: '24.00' },
        { sku: 'TURNER', qty: 33, unitPrice: '7.34' },
      ],
      { freight: '25.01' },
    );
    // 930.00 + 720.00 + 242.22 + 25.01
    const preview = await buyers.owner.call(previewTrade, { body: asked(id) });
    expect(preview).toMatchObject({
      goods: '1892.55',
      freight: '36',
      total: '1928.55',
      orderAmount: '1917.23',
      difference: '11.32',
    });
    expect(preview.parts.map((part) => [part.seller, part.total])).toEqual([
      ['永康锐达五金', '942'],
      ['东莞硅宝橡塑', '732'],
      ['东莞硅宝橡塑', '254.55'],
    ]);
    const done = await place(id, '1928.55');
    expect(done).toMatchObject({ status: 'waitbuyerpay', failed: 0 });
    expect(done.trades).toHaveLength(3);
    expect(done.message).toContain('已在1688下单3笔');
    const of = () => buyers.owner.call(orderTrades, { params: { id } });
    const seen = await of();
    expect(seen).toMatchObject({
      placedQty: 163,
      leftQty: 0,
      orderAmount: '1917.23',
      total: '1928.55',
      difference: '11.32',
    });
    expect(seen.trades.map((row) => [row.seller, row.orderAmount, row.difference])).toEqual([
      ['永康锐达五金', '942.2900', '-0.29'],
      ['东莞硅宝橡塑', '729.5200', '2.48'],
      ['东莞硅宝橡塑', '245.4200', '9.13'],
    ]);
    expect(
      seen.lines.map((row) => [row.product.code, row.qty, row.units, row.ordered, row.amount, row.difference]),
    ).toEqual([
      ['CUP', 100, 50, '930.0000', '930.0000', '0'],
      ['SET', 30, 30, '720.0000', '720.0000', '0'],
      ['TURNER', 33, 33, '242.2200', '242.5500', '0.33'],
    ]);
    // All three on one page of the platform, from any of them.
    const [cups, sets, turners] = seen.trades;
    const pay = { id: sets?.id ?? '', together: true };
    await expect(buyers.owner.call(payUrl, { body: pay })).rejects.toThrow(
      '平台金额1928.55与采购单1917.23不一致，请核对后付款',
    );
    const { url } = await buyers.owner.call(payUrl, { body: { ...pay, agreed: true } });
    expect(url).toContain(seen.trades.map((row) => row.platformId).join(','));
    // One is sent, one is given back, one is closed: each by itself, and its pieces can be ordered again.
    await control({ orderId: cups?.platformId ?? '', status: 'waitbuyerreceive' });
    await control({ orderId: sets?.platformId ?? '', status: 'success', refund: 1001 });
    await control({ fault: { api: 'alibaba.trade.cancel', kind: 'refused', times: 1 } });
    const close = () => buyers.owner.call(cancelTrade, { body: { id: turners?.id ?? '' } });
    await expect(close()).rejects.toThrow('下单10秒后方可取消');
    await close();
    await buyers.owner.call(pullTrades, {});
    const later = await of();
    expect(later.trades.map((row) => row.status)).toEqual(['waitbuyerreceive', 'success', 'cancel']);
    expect(later).toMatchObject({ placedQty: 130, leftQty: 33, refund: '10.01', total: '1674', difference: '-7.82' });
    expect(later.trades[0]?.trackingNo).toMatch(/^YT/);
    expect(await balances(world, buyers, 'TURNER')).toEqual({ EXPECTED: 33 });
    const line = preview.lines.find((row) => row.product.code === 'TURNER')?.lineId ?? '';
    const some = { ...asked(id), lines: [{ lineId: line, qty: 13 }] };
    const more = buyers.owner.call(placeTrade, { body: { ...some, lines: [{ lineId: line, qty: 34 }], total: '1' } });
    await expect(more).rejects.toThrow('第3行最多还可下单33件');
    await buyers.owner.call(placeTrade, { body: { ...some, total: '107.55' } });
    const rest = await buyers.owner.call(previewTrade, { body: asked(id) });
    expect(rest.lines.map((row) => [row.left, row.qty, row.ordered])).toEqual([[20, 20, '146.8']]);
    await place(id, rest.total ?? '');
    const whole = await of();
    expect(whole).toMatchObject({ placedQty: 163, leftQty: 0, orderAmount: '1917.23' });
    await expect(place(id, '1')).rejects.toThrow('已全部在1688下单');
    expect((await control({})).filter((order) => order.outOrderId.startsWith(number))).toHaveLength(5);
  });

  it('a call that was not answered is found again with all the orders that it became; a seller who refuses hinders no other', async () => {
    const { id } = await approved([
      { sku: 'SET', qty: 10, unitPrice: '24.00' },
      { sku: 'TURNER', qty: 10, unitPrice: '7.35' },
    ]);
    await control({ fault: { api: CREATE, kind: 'after', times: 1 } });
    const { total } = await buyers.owner.call(previewTrade, { body: asked(id) });
    const done = await place(id, total ?? '');
    expect(done.status).toBe('sending');
    await look(done.id, 0);
    const seen = await buyers.owner.call(orderTrades, { params: { id } });
    expect(seen).toMatchObject({ placedQty: 20, leftQty: 0, orderAmount: '313.5', total: '337.5', difference: '24' });
    expect(seen.trades.map((row) => row.status)).toEqual(['waitbuyerpay', 'waitbuyerpay']);
    const two = await approved([
      { sku: 'CUP', qty: 20, unitPrice: '9.30' },
      { sku: 'SET', qty: 10, unitPrice: '24.00' },
    ]);
    const both = await buyers.owner.call(previewTrade, { body: asked(two.id) });
    await control({ fault: { api: CREATE, kind: 'refused', times: 1 } });
    const half = await place(two.id, both.total ?? '');
    expect(half).toMatchObject({
      status: 'waitbuyerpay',
      failed: 1,
      message: expect.stringContaining('1个卖家未下单：库存不足'),
    });
    const rest = await buyers.owner.call(previewTrade, { body: asked(two.id) });
    expect(rest.lines.map((row) => row.product.code)).toEqual(['CUP']);
  });

  it('says in words what cannot be ordered: no offer, broken units, too few, a supplier elsewhere', async () => {
    const none = await approved([{ sku: 'BOWL', qty: 10 }]);
    await expect(buyers.owner.call(previewTrade, { body: asked(none.id) })).rejects.toThrow(
      'SKU【BOWL】还没有对应的1688商品',
    );
    const odd = await approved([{ sku: 'CUP', qty: 21 }]);
    await expect(buyers.owner.call(previewTrade, { body: asked(odd.id) })).rejects.toThrow('须为2的整数倍');
    const few = await approved([{ sku: 'CUP', qty: 10 }]);
    await expect(buyers.owner.call(previewTrade, { body: asked(few.id) })).rejects.toThrow('1688：起批量为10个');
    const other = await createSupplier(buyers.owner, '别家');
    const elsewhere = await approved([{ sku: 'CUP', qty: 20 }], { supplierId: other });
    await expect(buyers.owner.call(previewTrade, { body: asked(elsewhere.id) })).rejects.toThrow('还没有对应');
  });

  it('a wrong secret is refused by the signature; a consent that ended says so and asks for another one', async () => {
    const { alibaba } = world.runtime.config;
    if (alibaba) alibaba.appSecret = 'wrong';
    await expect(buyers.owner.call(buyerAddresses, { body: { buyerId } })).rejects.toThrow('Invalid signature');
    if (alibaba) alibaba.appSecret = 'alibaba-sandbox-secret';
    await flushCalls(world.runtime);
    const { records } = await buyers.owner.call(listCalls, {
      body: { filter: { operation: '1688.', outcome: 'refused' } },
    });
    expect(records[0]).toMatchObject({
      store: '1688 沙箱采购一号',
      operation: '1688.alibaba.trade.receiveAddress.get',
      problem: 'Invalid signature',
    });
    await control({ expire: 'all' });
    await expect(buyers.owner.call(buyerAddresses, { body: { buyerId } })).rejects.toThrow(
      '1688授权已失效，请重新授权',
    );
    expect((await buyers.owner.call(listBuyers, {})).find((row) => row.id === buyerId)?.state).toBe('lost');
    expect((await bind('b2b-2200657714')).id).toBe(buyerId);
    expect((await buyers.owner.call(buyerAddresses, { body: { buyerId } })).length).toBe(2);
  });
});
