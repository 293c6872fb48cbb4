import { orderDetail, orderSteps, saveOrder } from '#modules/purchase/contract/order-calls.ts';
import { receiveGoods } from '#modules/purchase/contract/receipt.ts';
import { moveSupplier, saveSupplier } from '#modules/supplier/contract.ts';
import { type House, productOf } from './house.ts';

/** Pieces that a house's owner ordered of a new supplier, and received. */
export async function bought(
  house: House,
  sku: string,
  qty: number,
  unitPrice: string,
  shortName = '永康锐达',
): Promise<void> {
  const { owner } = house;
  const supplier = await owner.call(saveSupplier, { body: { shortName } });
  await owner.call(moveSupplier, { body: { id: supplier.id, action: 'activate' } });
  const lines = [{ productId: productOf(house, sku), qty, unitPrice }];
  const { id } = await owner.call(saveOrder, { body: { supplierId: supplier.id, warehouseId: house.main, lines } });
  for (const step of ['submit', 'approve', 'place'] as const) await owner.call(orderSteps[step], { body: { id } });
  const [line] = (await owner.call(orderDetail, { params: { id } })).lines;
  await owner.call(receiveGoods, { body: { id, lines: [{ lineId: line?.id ?? '', qty, inspect: false }] } });
}
