import type { Ctx } from '#kit/server/context.ts';
import { moveSupplier, saveSupplier } from '#modules/supplier/server/index.ts';
import { OrderInput } from '../contract/order.ts';
import { act } from './order/act.ts';
import { loaded } from './order/load.ts';
import { saveOrder } from './order/save.ts';
import { receive } from './receipt/receive.ts';

/**
 * A supplier abroad who is paid in dollars, and an order from him that has come. Needs the day's rate.
 * @param at where goods are taken in, and where they would be inspected
 */
export async function buyAbroad(
  ctx: Ctx,
  products: readonly string[],
  at: { main: string; qc: string },
): Promise<void> {
  const supplier = await saveSupplier(ctx, {
    shortName: 'Hanoi Bamboo',
    fullName: 'Hanoi Bamboo & Wood Co., Ltd.',
    currency: 'USD',
    invoiceType: 'none',
    invoiceRate: '0',
    terms: [{ share: '1', anchor: 'receipt', days: 30 }],
    contacts: [{ name: 'Ms. Linh', role: 'Sales', phone: '', email: '', wechat: '' }],
  });
  await moveSupplier(ctx, { id: supplier.id, action: 'activate' });
  const lines = products.map((productId, index) => ({
    productId,
    qty: 400 + index * 150,
    unitPrice: (2.35 + index * 0.8).toFixed(2),
  }));
  const { id } = await saveOrder(
    ctx,
    OrderInput.parse({
      supplierId: supplier.id,
      warehouseId: at.main,
      currency: 'USD',
      expectedOn: ctx.clock.dayAhead(-2),
      lines,
    }),
  );
  for (const step of ['submit', 'approve', 'place'] as const) await act(ctx, step, { id });
  const placed = await loaded(ctx, id);
  await receive(ctx, {
    id,
    inspectAt: at.qc,
    trackingNo: '',
    remark: '',
    lines: placed.lines.map((line) => ({ lineId: line.id, qty: line.qty, inspect: false })),
  });
}
