import { afterAll, beforeAll, expect, it } from 'vitest';
import { saveSupplier } from '#modules/supplier/contract.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { amendOrder } from '../contract/amend.ts';
import { saveSetting } from '../contract/setting.ts';
import { type Buyers, createBuyers, createSupplier, detailOf, placedOrder, receive } from './support.ts';

let world: World;
let buyers: Buyers;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A', 'B', 'C']);
  await buyers.owner.call(saveSetting, {
    body: { separateApprover: true, receiveTolerance: '0.01', priceRise: '0.05', changeTolerance: '1' },
  });
});
afterAll(() => world.close());

const mostOf = async (id: string) =>
  (await detailOf(buyers, id)).lines.map((line) => [line.product.code, line.receiveTolerance, line.mostQty]);

it('how much more may come is said by the line, else by the supplier, else by the company, and stands once it is placed', async () => {
  const supplierId = await createSupplier(buyers.owner, '义乌恒泰', { receiveTolerance: '0.02' });
  const lines = [
    { sku: 'A', qty: 100, unitPrice: '2' },
    { sku: 'B', qty: 100, unitPrice: '2', receiveTolerance: '0.05' },
    { sku: 'C', qty: 100, unitPrice: '2', receiveTolerance: '0' },
  ];
  const { id } = await placedOrder(buyers, lines, { supplierId });
  expect(await mostOf(id)).toEqual([
    ['A', null, 102],
    ['B', '0.0500', 105],
    ['C', '0.0000', 100],
  ]);
  const { id: plain } = await placedOrder(buyers, [{ sku: 'A', qty: 100, unitPrice: '2' }]);
  expect(await mostOf(plain)).toEqual([['A', null, 101]]);

  // Another tolerance of the supplier counts for what is placed after it, and for lines that are changed.
  await expect(
    buyers.owner.call(saveSupplier, { body: { id: supplierId, shortName: '义乌恒泰', receiveTolerance: '1.01' } }),
  ).rejects.toThrow('超收容差须在0到100%之间');
  const [a, b, c] = (await detailOf(buyers, id)).lines;
  const kept = { unitPrice: '2', expectedOn: null };
  const changed = [
    { lineId: a?.id ?? '', qty: 200, ...kept },
    { lineId: b?.id ?? '', qty: 300, ...kept },
    { lineId: c?.id ?? '', qty: 100, ...kept },
  ];
  await buyers.owner.call(amendOrder, { body: { orderId: id, reason: '加单', lines: changed } });
  expect((await mostOf(id)).map(([, , most]) => most)).toEqual([204, 315, 100]);
  await receive(buyers, id, 'A', 204);
  await expect(receive(buyers, id, 'C', 101)).rejects.toThrow('100');
});
