import type { Approvable, ApprovalSubject } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { warehouseChoices, warehouses } from '#modules/warehouse/server/index.ts';
import { Transport, VIEW } from '../../contract/fields.ts';
import { shipOrder } from '../../contract/order.ts';
import type { ShipStep } from '../../contract/order-calls.ts';
import { act } from './act.ts';
import { loaded, TABLE } from './load.ts';

const words = (count: number) => count.toLocaleString('en-US');
const transports = Transport.meta()?.states ?? {};

async function subject(ctx: Ctx, id: string): Promise<ApprovalSubject> {
  const order = await loaded(ctx, id);
  const place = (await warehouses(ctx)).get(order.warehouse)?.name ?? '';
  const store = (await storeNames(ctx)).get(order.account) ?? '';
  const site = countryOf(order.marketplaceId);
  const qty = order.lines.reduce((total, line) => total + line.qty, 0);
  const skus = order.lines.length;
  const transport = transports[order.transport]?.title ?? order.transport;
  return {
    number: order.number,
    summary: `发往 ${store}-${site} · ${skus} 个SKU 共 ${words(qty)} 件`,
    facts: [
      { label: '店铺', value: `${store}-${site}` },
      { label: '发货仓', value: place },
      { label: '运输方式', value: transport },
      { label: 'SKU数', value: String(skus) },
      { label: '数量', value: words(qty) },
    ],
    // A ship order is about pieces: flows decide by their number.
    amount: '0',
    currency: 'CNY',
    place,
    warehouses: [order.warehouse],
    vars: { warehouse: order.warehouse, transport: order.transport, qty, skus },
    content: { ...order, state: undefined, version: undefined, updatedByName: undefined },
  };
}

/** Ship orders as flows see them. */
export const orderApproval: Approvable = {
  def: shipOrder,
  table: TABLE,
  view: VIEW,
  fields: [
    { key: 'warehouse', title: '发货仓', kind: 'choice', options: warehouseChoices },
    {
      key: 'transport',
      title: '运输方式',
      kind: 'choice',
      options: async () => Object.entries(transports).map(([value, { title }]) => ({ value, title })),
    },
    { key: 'qty', title: '数量', kind: 'number' },
    { key: 'skus', title: 'SKU数', kind: 'number' },
  ],
  fixed: ['warehouse'],
  subject,
  take: (ctx, id, step, reason) => act(ctx, step as ShipStep, { id, reason }),
};
