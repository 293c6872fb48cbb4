import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import { listItems } from '#modules/finance/contract/payables.ts';
import { saveMonthRate } from '#modules/finance/contract/rates.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { amendmentSteps, amendOrder } from '../contract/amend.ts';
import { addCharge, orderCharges, reverseCharge } from '../contract/charge.ts';
import { AMEND, VIEW } from '../contract/fields.ts';
import { importTaxes } from '../contract/money.ts';
import {
  checkOrder,
  exportOrders,
  listOrders,
  orderDetail,
  orderSteps,
  printOrder,
  saveOrder,
} from '../contract/order-calls.ts';
import { mergeOrders, splitOrder } from '../contract/parts.ts';
import {
  type Buyers,
  createBuyers,
  createSupplier,
  draftOrder,
  lineOf,
  placedOrder,
  productOf,
  receive,
  stockValue,
  type Wanted,
} from './support.ts';

let world: World;
let buyers: Buyers;
/** The same company; orders are written by its owner, who may buy overseas. */
let abroad: Buyers;
let reader: Person;
let broker: string;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A', 'B', 'C', 'D']);
  abroad = { ...buyers, buyer: buyers.owner };
  reader = await world.member(buyers.owner, [
    'erp:purchase:order:view',
    'erp:purchase:order:export',
    'erp:purchase:field:price',
    'erp:purchase:charge:add',
  ]);
  broker = await createSupplier(buyers.owner, '盐田报关行');
  const month = world.runtime.clock.today().slice(0, 7);
  await buyers.owner.call(saveMonthRate, { body: { currency: 'USD', month, rate: '7.2' } });
});
afterAll(() => world.close());

const FOB = { currency: 'USD', incoterm: 'FOB', incotermPlace: '深圳盐田港' };
const LINES = [
  { sku: 'A', qty: 100, unitPrice: '10', dutyRate: '0.1', importVatRate: '0.13' },
  { sku: 'B', qty: 50, unitPrice: '10', dutyAmount: '25', importVatRate: '0.13' },
];
const two = (amount: string | null | undefined) => new Decimal(amount ?? 0).toFixed(2);

describe('海外采购单', () => {
  it('duty is a share of what the goods come to, VAT of both; an amount that is given stands instead', () => {
    const line = { amount: '1000', charge: '0', dutyAmount: null, importVatAmount: null };
    expect(importTaxes({ ...line, dutyRate: '0.1', importVatRate: '0.13' }, 'USD')).toEqual({
      duty: '100.00',
      importVat: '143.00',
    });
    const given = { ...line, charge: '50', dutyRate: '0.1', importVatRate: '0.13', dutyAmount: '20' };
    expect(importTaxes(given, 'USD')).toEqual({ duty: '20.00', importVat: '139.10' });
    expect(importTaxes({ ...line, dutyRate: '0.333333', importVatRate: '0', importVatAmount: '7' }, 'JPY')).toEqual({
      duty: '333',
      importVat: '7',
    });
  });

  it('terms of delivery ask for the right, for an overseas order and for a named place', async () => {
    await expect(draftOrder(buyers, LINES, FOB)).rejects.toThrow('无海外采购权限');
    await expect(draftOrder(buyers, [LINES[0] as never])).rejects.toThrow('无海外采购权限');
    await expect(draftOrder(abroad, [{ sku: 'A', qty: 1 }], { ...FOB, currency: 'CNY' })).rejects.toThrow(
      '只用于海外采购单',
    );
    await expect(draftOrder(abroad, LINES)).rejects.toThrow('只用于海外采购单');
    await expect(draftOrder(abroad, LINES, { ...FOB, incotermPlace: ' ' })).rejects.toThrow('请填写FOB的指定地点');
    await expect(draftOrder(abroad, LINES, { ...FOB, incoterm: 'FAS' })).rejects.toThrow('贸易术语');
    await expect(draftOrder(abroad, LINES, { ...FOB, incoterm: null })).rejects.toThrow('请选择贸易术语');
  });

  it('who may not buy overseas sees the order, but neither its terms nor its taxes, and prints no contract of it', async () => {
    const { id, number } = await draftOrder(abroad, LINES, FOB);
    const detail = await buyers.owner.call(orderDetail, { params: { id } });
    expect(detail.order).toMatchObject({ incoterm: 'FOB 深圳盐田港', incotermRule: 'FOB', overseas: true });
    // 100.00 and 143.00 of A; 25.00 and 68.25 of B.
    expect([two(detail.order.duty), two(detail.order.importVat)]).toEqual(['125.00', '211.25']);
    expect(two(detail.order.amount)).toBe('1500.00');
    expect(detail.lines.map((line) => [two(line.duty), two(line.importVat), line.dutyAmount])).toEqual([
      ['100.00', '143.00', null],
      ['25.00', '68.25', '25.0000'],
    ]);
    const seen = await reader.call(orderDetail, { params: { id } });
    const { incoterm, incotermRule, incotermPlace, duty, importVat } = seen.order;
    const withheld = [incoterm, incotermRule, incotermPlace, duty, importVat].map((value) => value ?? null);
    expect(withheld).toEqual([null, null, null, null, null]);
    const taxes = seen.lines.flatMap((line) => [line.dutyRate, line.duty, line.dutyAmount, line.importVatRate]);
    expect(taxes.filter((value) => value !== undefined && value !== null)).toEqual([]);
    const listed = async (who: Person) => {
      const { records } = await who.call(listOrders, { body: { filter: { keyword: [number] } } });
      return records[0]?.incoterm ?? null;
    };
    expect([await listed(buyers.owner), await listed(reader)]).toEqual(['FOB 深圳盐田港', null]);
    const sheet = async (who: Person) => {
      const body = { filter: { keyword: [number] }, columns: ['number', 'incoterm'], format: 'csv' as const };
      return (await who.send(exportOrders, { body })).raw.toString('utf8');
    };
    expect(await sheet(buyers.owner)).toContain('FOB 深圳盐田港');
    expect(await sheet(reader)).not.toContain('FOB');

    await buyers.owner.call(orderSteps.submit, { body: { id } });
    await buyers.chief.call(orderSteps.approve, { body: { id } });
    const print = (who: Person) => who.send(printOrder, { params: { id }, query: { paper: 'contract' } });
    expect((await print(reader)).msg).toBe('无海外采购权限');
    expect((await print(buyers.owner)).raw.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('nobody without the right makes it an order at home, splits, merges or changes it', async () => {
    const [one, two] = [await draftOrder(abroad, LINES, FOB), await draftOrder(abroad, LINES, FOB)];
    const { lines } = await buyers.owner.call(orderDetail, { params: { id: one.id } });
    const home = {
      id: one.id,
      supplierId: buyers.supplier,
      warehouseId: buyers.main,
      lines: [{ productId: productOf(buyers, 'A'), qty: 1, unitPrice: '10' }],
    };
    const parts = [{ lines: [{ lineId: lines[0]?.id ?? '', qty: 1 }] }];
    const said = [
      await buyers.buyer.send(saveOrder, { body: home }),
      await buyers.buyer.send(splitOrder, { body: { id: one.id, parts } }),
      await buyers.buyer.send(mergeOrders, { body: { orders: [{ id: one.id }, { id: two.id }] } }),
    ];
    expect(said.map(({ msg }) => msg)).toEqual(Array(3).fill('无海外采购权限'));
    const placed = await placedOrder(abroad, LINES, FOB);
    const line = await lineOf(buyers, placed.id, 'A');
    const later = [{ lineId: line.id, qty: 100, unitPrice: '10', expectedOn: '2027-01-15' }];
    const amender = await world.member(buyers.owner, ['erp:purchase:field:price', VIEW, AMEND]);
    const change = await amender.send(amendOrder, { body: { orderId: placed.id, reason: '延期', lines: later } });
    expect(change.msg).toBe('无海外采购权限');
  });

  it('a clause may ask for the rule', async () => {
    const { id } = await draftOrder(abroad, LINES, { ...FOB, clauses: { lines: ['按 {贸易术语} 交货。'] } });
    const { order } = await buyers.owner.call(orderDetail, { params: { id } });
    expect(order.clauses.filled).toEqual(['按 FOB 深圳盐田港 交货。']);
  });

  it('the form shows what customs are expected to take, and wonders at taxes under DDP', async () => {
    const lines = [{ productId: productOf(buyers, 'A'), qty: 100, unitPrice: '10', dutyRate: '0.1' }];
    const body = { supplierId: buyers.supplier, warehouseId: buyers.main, ...FOB, lines };
    const check = await buyers.owner.call(checkOrder, { body: body as never });
    expect([check.total, check.duty, check.importVat]).toEqual(['1000.00', '100', '0']);
    const ddp = await buyers.owner.call(checkOrder, { body: { ...body, incoterm: 'DDP' } as never });
    expect(ddp.findings.map((one) => one.text)).toContain('DDP 的关税和进口VAT由供应商承担，通常不再填写');
  });

  it('pieces that are split off take their part of the taxes along, and merged again they are what they were', async () => {
    const { id } = await draftOrder(abroad, [{ sku: 'C', qty: 3, unitPrice: '10', dutyAmount: '10' } as never], FOB);
    const line = await lineOf(buyers, id, 'C');
    const { made } = await buyers.owner.call(splitOrder, {
      body: { id, parts: [{ lines: [{ lineId: line.id, qty: 1 }] }] },
    });
    const other = made[0]?.id ?? '';
    const dutyOf = async (one: string) => (await buyers.owner.call(orderDetail, { params: { id: one } })).order.duty;
    const duties = async (...ids: string[]) => (await Promise.all(ids.map(dutyOf))).map(two);
    expect(await duties(id, other)).toEqual(['6.67', '3.33']);
    await buyers.owner.call(mergeOrders, { body: { orders: [{ id }, { id: other }] } });
    expect(await duties(id)).toEqual(['10.00']);
    const unlike = await draftOrder(abroad, [{ sku: 'C', qty: 1 }], { ...FOB, incoterm: 'EXW' });
    const merge = buyers.owner.call(mergeOrders, { body: { orders: [{ id }, { id: unlike.id }] } });
    await expect(merge).rejects.toThrow('贸易术语不同，不能合并');
  });
});

describe('按件数分的税额', () => {
  it('parts of an order have whole units of its currency, the last one the rest', async () => {
    const line = { sku: 'C', qty: 3, unitPrice: '1000', dutyAmount: '100', importVatAmount: '50' };
    const { id } = await draftOrder(abroad, [line], { ...FOB, currency: 'JPY' });
    const { id: lineId } = await lineOf(buyers, id, 'C');
    const one = { lines: [{ lineId, qty: 1 }] };
    const { made } = await buyers.owner.call(splitOrder, { body: { id, parts: [one, one] } });
    const parts = await Promise.all([...made.map((part) => part.id), id].map((part) => lineOf(buyers, part, 'C')));
    const given = parts.map((part) =>
      [part.dutyAmount, part.importVatAmount].map((amount) => amount && plainDecimal(amount)),
    );
    expect(given).toEqual([
      ['33', '17'],
      ['34', '16'],
      ['33', '17'],
    ]);
    expect(parts.map((part) => [part.duty, part.importVat])).toEqual([
      ['33', '17'],
      ['34', '16'],
      ['33', '17'],
    ]);
  });

  it('amounts that were given for a line go with its pieces when a change counts, whatever its price; rates stay', async () => {
    const lines = [LINES[0] as Wanted, { ...(LINES[1] as Wanted), importVatAmount: '68.25' }];
    const { id } = await placedOrder(abroad, lines, FOB);
    const [a, b] = [await lineOf(buyers, id, 'A'), await lineOf(buyers, id, 'B')];
    const change = (qty: number, unitPrice = '10') =>
      buyers.owner.call(amendOrder, {
        body: { orderId: id, reason: '改数量', lines: [{ lineId: b.id, qty, unitPrice, expectedOn: null }] },
      });
    const taxes = async (sku: string) => {
      const { dutyRate, dutyAmount, importVatAmount } = await lineOf(buyers, id, sku);
      return [dutyRate, dutyAmount, importVatAmount].map((value) => value && plainDecimal(value));
    };
    await change(40, '9');
    expect(await taxes('B')).toEqual(['0', '20', '54.6']);
    // 20.00 and 54.60 of forty: 6.50 and 17.745 of thirteen, to the cent.
    await change(13, '9');
    expect(await taxes('B')).toEqual(['0', '6.5', '17.75']);
    await change(13, '8.5');
    expect(await taxes('B')).toEqual(['0', '6.5', '17.75']);
    expect(await taxes('A')).toEqual(['0.1', null, null]);
    const { order } = await buyers.owner.call(orderDetail, { params: { id } });
    expect([two(order.duty), two(order.importVat)]).toEqual(['106.50', two(new Decimal(17.75).plus(143).toFixed())]);
    expect(a.qty).toBe(100);
  });

  it('a change that waits for approval takes the amounts along when it counts', async () => {
    const { id } = await placedOrder(abroad, [{ sku: 'D', qty: 3, unitPrice: '10', dutyAmount: '10' } as Wanted], FOB);
    const line = await lineOf(buyers, id, 'D');
    const lines = [{ lineId: line.id, qty: 6, unitPrice: '10', expectedOn: null }];
    const { id: change, state } = await buyers.owner.call(amendOrder, { body: { orderId: id, reason: '加量', lines } });
    expect(state).toBe('pending');
    expect(two((await lineOf(buyers, id, 'D')).dutyAmount)).toBe('10.00');
    await buyers.chief.call(amendmentSteps.approve, { body: { id: change } });
    expect(two((await lineOf(buyers, id, 'D')).dutyAmount)).toBe('20.00');
  });
});

describe('关税与进口VAT', () => {
  it('duty is cost of the goods, by what customs took of each line; import VAT is owed and no cost', async () => {
    const { id } = await placedOrder(abroad, LINES, FOB);
    await receive(buyers, id, 'A', 100);
    await receive(buyers, id, 'B', 50);
    const worth = () => Promise.all(['A', 'B'].map((sku) => stockValue(world, buyers, sku)));
    expect(await worth()).toEqual(['7200.00', '3600.00']);
    const charge = (body: object, who = buyers.owner) =>
      who.call(addCharge, { body: { orderId: id, payeeId: broker, split: 'TAX', ...body } as never });
    await expect(charge({ kind: 'DUTY', amount: '900' }, reader)).rejects.toThrow('无海外采购权限');
    await expect(charge({ kind: 'FREIGHT', amount: '900' })).rejects.toThrow('不能按明细税额分摊');
    // 125 of duty were expected, 100 of A and 25 of B: 900 are 720 and 180.
    const duty = await charge({ kind: 'DUTY', amount: '900' });
    expect([two(duty.capitalised), two(duty.expensed), two(duty.recoverable)]).toEqual(['900.00', '0.00', '0.00']);
    expect(await worth()).toEqual(['7920.00', '3780.00']);
    const vat = await charge({ kind: 'IMPORT_VAT', amount: '1521' });
    expect([two(vat.capitalised), two(vat.expensed), two(vat.recoverable)]).toEqual(['0.00', '0.00', '1521.00']);
    expect(await worth()).toEqual(['7920.00', '3780.00']);
    // A company that cannot deduct it pays it for the goods: 143.00 and 68.25 were expected.
    const lost = await charge({ kind: 'IMPORT_VAT', amount: '211.25', recoverable: false });
    expect([two(lost.capitalised), two(lost.recoverable)]).toEqual(['211.25', '0.00']);
    expect(await worth()).toEqual(['8063.00', '3848.25']);
    const rows = await buyers.owner.call(orderCharges, { params: { id } });
    expect(rows.map((row) => [row.kind, two(row.amount), two(row.recoverable)])).toEqual([
      ['IMPORT_VAT', '211.25', '0.00'],
      ['IMPORT_VAT', '1521.00', '1521.00'],
      ['DUTY', '900.00', '0.00'],
    ]);
    // Of those only who may buy overseas takes one back; what was deducted leaves the cost as it is.
    const back = (index: number, who: Person) =>
      who.send(reverseCharge, { body: { id: rows[index]?.id ?? '', reason: '税单作废' } });
    expect((await back(2, reader)).msg).toBe('无海外采购权限');
    expect((await back(1, buyers.owner)).code).toBe(201);
    expect(await worth()).toEqual(['8063.00', '3848.25']);
    const filter = { party: [broker], open: 'OPEN' as const };
    const { records } = await buyers.owner.call(listItems, { body: { filter } });
    const owed = records.map((row) => [two(row.amount), row.currency]).sort();
    expect(owed).toEqual([
      ['211.25', 'CNY'],
      ['900.00', 'CNY'],
    ]);
  });

  it('taxes of imports are for overseas orders, and by line only where lines say them', async () => {
    const home = await placedOrder(buyers, [{ sku: 'D', qty: 10, unitPrice: '10' }]);
    await receive(buyers, home.id, 'D', 10);
    const body = { orderId: home.id, kind: 'DUTY' as const, amount: '10', split: 'QTY' as const };
    await expect(buyers.owner.call(addCharge, { body })).rejects.toThrow('只能登记到海外采购单');
    const bare = await placedOrder(abroad, [{ sku: 'D', qty: 10, unitPrice: '10' }], { currency: 'USD' });
    await receive(buyers, bare.id, 'D', 10);
    const byLine = { ...body, orderId: bare.id, split: 'TAX' as const };
    await expect(buyers.owner.call(addCharge, { body: byLine })).rejects.toThrow('没有填写该税');
    expect(two((await buyers.owner.call(addCharge, { body: { ...body, orderId: bare.id } })).capitalised)).toBe(
      '10.00',
    );
  });
});
