import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moveSupplier, saveSupplier } from '#modules/supplier/contract.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  awardOffer,
  compareOffers,
  countInquiries,
  dropOffer,
  exportInquiries,
  listInquiries,
  moveInquiry,
  putOffer,
  saveInquiry,
} from '../contract/inquiry.ts';
import { productDetail } from '../contract/material.ts';
import { priceHistory, quotePrice } from '../contract/parts.ts';
import { suppliesOfAll } from '../server/index.ts';
import { product } from './support.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

async function supplier(shortName: string, more: object = {}): Promise<string> {
  const { id } = await owner.call(saveSupplier, { body: { shortName, ...more } });
  await owner.call(moveSupplier, { body: { id, action: 'activate' } });
  return id;
}

async function inquiry(sku: string, qty: number): Promise<{ id: string; productId: string }> {
  const productId = await product(owner, sku);
  return { ...(await owner.call(saveInquiry, { body: { productId, qty } })), productId };
}

describe('an inquiry', () => {
  it('compares suppliers for a need, whatever their tax, minimum and tiers, and its award prices purchase lines', async () => {
    const { id, productId } = await inquiry('XJ-1', 480);
    const taxed = await supplier('甲厂');
    const untaxed = await supplier('乙厂', { invoiceType: 'special', invoiceRate: '0.13' });
    await owner.call(putOffer, {
      body: {
        id,
        supplierId: taxed,
        taxIncluded: true,
        tiers: [
          { minQty: 1, unitPrice: '12.50' },
          { minQty: 500, unitPrice: '11.20' },
        ],
      },
    });
    const other = { id, supplierId: untaxed, tiers: [{ minQty: 1, unitPrice: '10' }], moq: 300, leadDays: 20 };
    await owner.call(putOffer, { body: { ...other, orderMultiple: 250, validTo: '2099-12-31' } });
    const seen = await owner.call(compareOffers, { body: { id } });
    expect(seen.offers.map((one) => [one.supplier, one.buyQty, one.baseUnit, one.baseAmount, one.best])).toEqual([
      ['乙厂', 500, '11.3000', '5650.00', true],
      ['甲厂', 480, '12.5000', '6000.00', false],
    ]);
    // For ten pieces more the first one's next tier holds.
    const more = await owner.call(compareOffers, { body: { id, qty: 500 } });
    expect(more.offers[0]).toMatchObject({ supplier: '甲厂', baseAmount: '5600.00', best: true });
    const [row] = (await owner.call(listInquiries, { body: { filter: { keyword: 'xj-1' } } })).records;
    expect(row).toMatchObject({ offers: 2, bestSupplier: '乙厂', bestAmount: '5650.00', state: 'open' });

    const won = await owner.call(awardOffer, { body: { id, supplierId: untaxed, version: seen.version } });
    expect(won.state).toBe('awarded');
    const [supply] = (await owner.call(productDetail, { params: { id: productId } })).supplies;
    expect(supply).toMatchObject({ supplier: '乙厂', isDefault: true, moq: 300, orderMultiple: 250, leadDays: 20 });
    const [list] = await owner.call(priceHistory, { body: { productId, supplierId: untaxed } });
    expect(list).toMatchObject({ id: won.priceListId, origin: 'quote', validTo: '2099-12-31', taxIncluded: false });
    const price = await owner.call(quotePrice, { body: { productId, supplierId: untaxed, qty: 500 } });
    expect(price).toMatchObject({ unitPrice: '10.000000', amount: '5000.00', warnings: [] });
    const face = await world.as(owner, (ctx) => suppliesOfAll(ctx, [productId]));
    expect(face.get(productId)?.map((one) => [one.supplierId, one.prices?.origin])).toEqual([[untaxed, 'quote']]);
  });

  it('keeps the default supplier unless another one is asked for, and one offer of each supplier', async () => {
    const { id, productId } = await inquiry('XJ-2', 10);
    const [first, second] = [await supplier('丙厂'), await supplier('丁厂')];
    const offer = (supplierId: string, unitPrice: string) =>
      owner.call(putOffer, { body: { id, supplierId, tiers: [{ minQty: 1, unitPrice }] } });
    await offer(first, '9');
    await offer(second, '8');
    await offer(first, '7');
    const { offers } = await owner.call(compareOffers, { body: { id } });
    expect(offers.map((one) => [one.supplier, one.unitPrice])).toEqual([
      ['丙厂', '7'],
      ['丁厂', '8'],
    ]);
    await owner.call(awardOffer, { body: { id, supplierId: first } });
    await owner.call(moveInquiry, { body: { id, action: 'reopen' } });
    await owner.call(awardOffer, { body: { id, supplierId: second } });
    const supplies = async () =>
      (await owner.call(productDetail, { params: { id: productId } })).supplies.map((one) => [
        one.supplier,
        one.isDefault,
      ]);
    expect(await supplies()).toEqual([
      ['丙厂', true],
      ['丁厂', false],
    ]);
    await owner.call(moveInquiry, { body: { id, action: 'reopen' } });
    await owner.call(awardOffer, { body: { id, supplierId: second, asDefault: true } });
    expect(await supplies()).toEqual([
      ['丁厂', true],
      ['丙厂', false],
    ]);
  });

  it('says why an offer cannot be taken: run out, a supplier out of use, a rise that nobody confirmed, an inquiry closed', async () => {
    const { id } = await inquiry('XJ-3', 10);
    const [late, resting] = [await supplier('戊厂'), await supplier('己厂')];
    const tiers = [{ minQty: 1, unitPrice: '9' }];
    await owner.call(putOffer, {
      body: { id, supplierId: late, tiers, validFrom: '2026-01-01', validTo: '2026-01-31' },
    });
    await owner.call(putOffer, { body: { id, supplierId: resting, tiers } });
    await owner.call(moveSupplier, { body: { id: resting, action: 'suspend', reason: '整改' } });
    const take = async (supplierId: string) => (await owner.send(awardOffer, { body: { id, supplierId } })).msg;
    expect(await take(late)).toBe('报价不在有效期内，不能采用');
    expect(await take(resting)).toBe('供应商已停用或评级过低，不能下单');
    const rise = [...tiers, { minQty: 100, unitPrice: '10' }];
    expect((await owner.send(putOffer, { body: { id, supplierId: late, tiers: rise } })).msg).toBe(
      '第2档单价高于上一档，请确认',
    );
    const wrong = { id, supplierId: late, tiers, validFrom: '2026-02-01', validTo: '2026-01-31' };
    expect((await owner.send(putOffer, { body: wrong })).msg).toBe('失效日期不能早于生效日期');
    await owner.call(dropOffer, { body: { id, supplierId: late } });
    expect((await owner.send(moveInquiry, { body: { id, action: 'close' } })).msg).toBe('请填写原因');
    await owner.call(moveInquiry, { body: { id, action: 'close', reason: '不买了' } });
    expect((await owner.send(putOffer, { body: { id, supplierId: late, tiers } })).msg).toContain('请先重新询价');
    expect((await owner.send(awardOffer, { body: { id, supplierId: resting } })).msg).toContain('不能下单');
  });

  it('is counted by state and exported; without the right to prices nobody sees it', async () => {
    const counts = await owner.call(countInquiries, { body: {} });
    expect(counts).toMatchObject({ awarded: 2, closed: 1, all: 3 });
    const file = await owner.send(exportInquiries, { body: { format: 'csv' } });
    expect(file.raw.toString('utf8')).toContain('XJ-2');
    const member = await world.member(owner, ['erp:product:view']);
    expect((await member.send(listInquiries, { body: {} })).status).toBe(403);
  });
});
