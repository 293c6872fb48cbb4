import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { listItems } from '#modules/finance/contract/payables.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { amendOrder } from '../contract/amend.ts';
import { addCharge, orderCharges } from '../contract/charge.ts';
import { saveClauses } from '../contract/clause.ts';
import { AMEND, VIEW } from '../contract/fields.ts';
import { checkOrder, listOrders, orderDetail, orderSteps, printOrder, saveOrder } from '../contract/order-calls.ts';
import { splitOrder } from '../contract/parts.ts';
import {
  type Buyers,
  createBuyers,
  createSupplier,
  detailOf,
  productOf,
  receive,
  stockValue,
  warehouse,
} from './support.ts';

let world: World;
let buyers: Buyers;
let abroad: string;
let stranger: Person;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A', 'B', 'C']);
  stranger = await world.member(buyers.owner, ['erp:purchase:field:price', 'erp:purchase:order:view']);
  abroad = await world.as(buyers.owner, async (ctx) => {
    const id = await warehouse(ctx, 'LA', '洛杉矶仓', 'GOOD');
    await sql`UPDATE warehouse.warehouse SET country = 'US' WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(
      ctx.db,
    );
    return id;
  });
});
afterAll(() => world.close());

const TAXED = { dutyRate: '0.1', importVatRate: '0.13' };
const body = (more: object = {}, taxes: object = TAXED) => ({
  supplierId: buyers.supplier,
  warehouseId: abroad,
  incoterm: 'FOB' as const,
  incotermPlace: '深圳盐田港',
  lines: [
    { productId: productOf(buyers, 'A'), qty: 100, unitPrice: '10', ...taxes },
    { productId: productOf(buyers, 'B'), qty: 50, unitPrice: '20', dutyAmount: '30', importVatAmount: '0' },
  ],
  ...more,
});
const two = (amount: string | null | undefined) => new Decimal(amount ?? 0).toFixed(2);

it('duty is a share of the customs value, import VAT one of both; an amount stands instead', async () => {
  // 1,000.00 at 10 % and 13 % are 100.00 and 143.00; the other line is told by amounts, 30.00 and nothing.
  const check = await buyers.owner.call(checkOrder, { body: body() });
  expect([two(check.duty), two(check.importVat)]).toEqual(['130.00', '143.00']);
  const { id } = await buyers.owner.call(saveOrder, { body: body() });
  const { order, lines } = await detailOf(buyers, id);
  expect(order).toMatchObject({
    overseas: true,
    incoterm: 'FOB 深圳盐田港',
    incotermRule: 'FOB',
    incotermPlace: '深圳盐田港',
  });
  expect([two(order.duty), two(order.importVat), two(order.amount)]).toEqual(['130.00', '143.00', '2000.00']);
  expect(lines.map((line) => [two(line.duty), two(line.importVat)])).toEqual([
    ['100.00', '143.00'],
    ['30.00', '0.00'],
  ]);
  const { records } = await buyers.owner.call(listOrders, { body: {} });
  expect(records.find((row) => row.id === id)?.incoterm).toBe('FOB 深圳盐田港');
});

it('a rule needs its place, an order at home has neither, and only who may buy abroad sees and writes them', async () => {
  const say = async (more: object, who = buyers.owner) =>
    (await who.send(saveOrder, { body: body(more) as never })).msg;
  expect(await say({ incotermPlace: '' })).toBe('请填写FOB的指定地点');
  expect(await say({ incoterm: 'XYZ' })).toContain('贸易术语');
  expect(await say({ warehouseId: buyers.main })).toBe('贸易术语、关税和进口VAT只用于海外采购单');
  expect(await say({}, buyers.buyer)).toBe('无海外采购权限');
  const { id } = await buyers.owner.call(saveOrder, { body: body() });
  const { order, lines } = await stranger.call(orderDetail, { params: { id } });
  expect([
    order.incoterm ?? null,
    order.incotermPlace ?? null,
    order.duty,
    lines[0]?.dutyRate ?? null,
    lines[0]?.duty,
  ]).toEqual([null, null, null, null, null]);
});

it('duty is in the cost of what came, VAT that is deducted is not; both are owed to whom they are paid', async () => {
  const customs = await createSupplier(buyers.owner, '洛杉矶报关行');
  const { id } = await buyers.owner.call(saveOrder, {
    body: { ...body({}, TAXED), lines: [{ productId: productOf(buyers, 'C'), qty: 100, unitPrice: '10', ...TAXED }] },
  });
  await buyers.owner.call(orderSteps.submit, { body: { id } });
  await buyers.chief.call(orderSteps.approve, { body: { id } });
  await buyers.owner.call(orderSteps.place, { body: { id } });
  const [line] = (await detailOf(buyers, id)).lines;
  const amender = await world.member(buyers.owner, ['erp:purchase:field:price', VIEW, AMEND]);
  const change = {
    orderId: id,
    reason: '延期',
    lines: [{ lineId: line?.id ?? '', qty: 100, unitPrice: '10', expectedOn: '2027-01-15' }],
  };
  expect((await amender.send(amendOrder, { body: change })).msg).toBe('无海外采购权限');
  await receive(buyers, id, 'C', 100);
  const before = new Decimal(await stockValue(world, buyers, 'C'));
  const charge = (kind: 'DUTY' | 'IMPORT_VAT', amount: string, more: object = {}) =>
    buyers.owner.call(addCharge, { body: { orderId: id, kind, amount, payeeId: customs, split: 'TAX', ...more } });
  const duty = await charge('DUTY', '104.20');
  expect([two(duty.capitalised), two(duty.recoverable)]).toEqual(['104.20', '0.00']);
  const vat = await charge('IMPORT_VAT', '143.55');
  expect([two(vat.capitalised), two(vat.expensed), two(vat.recoverable)]).toEqual(['0.00', '0.00', '143.55']);
  expect(before.plus('104.20').toFixed(2)).toBe(await stockValue(world, buyers, 'C'));
  await charge('IMPORT_VAT', '10', { recoverable: false });
  expect(before.plus('114.20').toFixed(2)).toBe(await stockValue(world, buyers, 'C'));
  const { records } = await buyers.owner.call(listItems, { body: { filter: { party: [customs] } } });
  expect(records.map((row) => two(row.amount)).sort()).toEqual(['10.00', '104.20', '143.55']);
  expect((await buyers.owner.call(orderCharges, { params: { id } })).map((row) => row.kind)).toEqual([
    'IMPORT_VAT',
    'IMPORT_VAT',
    'DUTY',
  ]);
  const refused = await buyers.owner.send(addCharge, {
    body: { orderId: id, kind: 'FREIGHT', amount: '10', payeeId: customs, split: 'TAX' },
  });
  expect(refused.msg).toBe('采购单明细没有填写该税，不能按明细税额分摊');
});

it('parts of an order keep its terms, and amounts of taxes add up to what was written', async () => {
  const { id } = await buyers.owner.call(saveOrder, { body: body() });
  const { lines } = await detailOf(buyers, id);
  const half = lines.map((line) => ({ lineId: line.id, qty: line.qty / 2 }));
  const { made } = await buyers.owner.call(splitOrder, { body: { id, parts: [{ lines: half }] } });
  const parts = await Promise.all([id, ...made.map((one) => one.id)].map((one) => detailOf(buyers, one)));
  expect(parts.map(({ order }) => order.incoterm)).toEqual(['FOB 深圳盐田港', 'FOB 深圳盐田港']);
  expect(two(parts.reduce((total, { order }) => total.plus(order.duty ?? 0), new Decimal(0)).toFixed())).toBe('130.00');
});

it('a contract says the rule, and a clause may ask for it', async () => {
  await buyers.owner.call(saveClauses, {
    body: { name: '海外', defaultFor: ['GOODS'], penalty: null, body: '按 {贸易术语} 交货。' },
  });
  const { id } = await buyers.owner.call(saveOrder, { body: body() });
  expect((await detailOf(buyers, id)).order.clauses.filled).toEqual(['按 FOB 深圳盐田港 交货。']);
  await buyers.owner.call(orderSteps.submit, { body: { id } });
  await buyers.chief.call(orderSteps.approve, { body: { id } });
  const paper = await buyers.owner.send(printOrder, { params: { id }, query: { paper: 'contract' } });
  expect(paper.raw.subarray(0, 5).toString()).toBe('%PDF-');
});
