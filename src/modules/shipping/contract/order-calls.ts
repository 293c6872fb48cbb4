import { z } from 'zod';
import { Box } from '#kit/contract/box.ts';
import { Command, OfferedAction, Outcome, TimelineEntry } from '#kit/contract/document-calls.ts';
import { noteCalls } from '#kit/contract/document-notes.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Product } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { CheckedBox } from './box/box.ts';
import { ADD, BOX, ById, base, EXPORT, SHIP, Transport, VIEW, Words } from './fields.ts';
import { ShipFilter, ShipInput, ShipLineRow, ShipRow, shipOrder } from './order.ts';

const at = <const S extends string>(part: S) => `${base}/${part}` as const;

export const listShipOrders = endpoint({
  title: '发货单列表',
  method: 'POST',
  path: at('list'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(ShipFilter),
  sortable: ['number', 'plannedOn', 'createdAt'],
  reply: Page(ShipRow),
});

export const countShipOrders = endpoint({
  title: '发货单各状态数量',
  method: 'POST',
  path: at('counts'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: ShipFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportShipOrders = endpoint({
  title: '导出发货单',
  method: 'POST',
  path: at('export'),
  permission: EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(ShipFilter),
  reply: z.unknown(),
});

export const shipOrderDetail = endpoint({
  title: '发货单详情',
  method: 'GET',
  path: at('detail/:id'),
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    order: ShipRow,
    lines: z.array(ShipLineRow),
    boxes: z.array(CheckedBox),
    /** What the order is written with, to change or copy it. */
    input: ShipInput,
    actions: z.array(OfferedAction),
    timeline: z.array(TimelineEntry),
  }),
});

export const saveShipOrder = endpoint({
  title: '保存发货单',
  method: 'POST',
  path: at('save'),
  permission: ADD,
  body: ShipInput,
  reply: Outcome,
});

/** A listing that can be sent, with what of it lies in the warehouse. */
export const ShipListing = z.object({
  msku: z.string(),
  fnsku: z.string().nullable(),
  asin: z.string().nullable(),
  product: Product,
  /** Local SKUs with pieces for one; empty where the listing is matched with no product. */
  local: z.string(),
  available: z.int(),
  /** kg and cm³ of one piece, where they are known. */
  weight: z.string().nullable(),
  volume: z.string().nullable(),
});
export type ShipListing = z.infer<typeof ShipListing>;

export const findShipListings = endpoint({
  title: '发货单可选商品',
  method: 'POST',
  path: at('listings'),
  permission: VIEW,
  access: 'read',
  body: z.object({
    authid: Id.meta({ title: '店铺' }),
    marketplaceId: z.string().max(20).meta({ title: '站点' }),
    warehouseId: z.string().max(60).default('').meta({ title: '发货仓' }),
    text: z.string().trim().max(100).default('').meta({ title: '平台SKU、ASIN、标题' }),
    /** These alone, in this order. */
    mskus: z.array(z.string().trim().min(1).max(100)).max(2000).optional().meta({ title: '平台SKU' }),
  }),
  reply: z.array(ShipListing),
});

export const shipChoices = endpoint({
  title: '发货单可选项',
  method: 'GET',
  path: at('choices'),
  permission: VIEW,
  concurrent: true,
  reply: z.object({
    stores: z.array(
      z.object({
        id: Id,
        name: z.string(),
        sites: z.array(z.object({ marketplaceId: z.string(), country: z.string() })),
        addresses: z.array(z.object({ id: Id, name: z.string(), isDefault: z.boolean() })),
      }),
    ),
    warehouses: z.array(z.object({ id: Id, name: z.string(), mine: z.boolean() })),
  }),
});

const STEPS = [
  'submit',
  'approve',
  'hold',
  'unhold',
  'reject',
  'withdraw',
  'picked',
  'unpick',
  'packed',
  'unpack',
  'ship',
  'close',
  'writeOff',
  'cancel',
] as const;
export type ShipStep = (typeof STEPS)[number];

function step(name: ShipStep) {
  const rule = shipOrder.transitions[name];
  return endpoint({
    title: `发货单·${rule.title}`,
    method: 'POST',
    path: at(name),
    permission: rule.permission,
    body: Command,
    reply: Outcome,
  });
}

export const shipSteps = Object.fromEntries(STEPS.map((name) => [name, step(name)])) as Record<
  ShipStep,
  ReturnType<typeof step>
>;

/** Channels that an order can be booked with, by carrier. */
export const shipChannels = endpoint({
  title: '发货单可选渠道',
  method: 'GET',
  path: at('channels'),
  permission: VIEW,
  concurrent: true,
  reply: z.array(z.object({ id: Id, carrier: z.string(), name: z.string(), mode: Transport, country: z.string() })),
});

/** What is known of the way; written until the order is over. */
export const putShipWay = endpoint({
  title: '发货单·物流信息',
  method: 'POST',
  path: at('way'),
  permission: SHIP,
  body: Command.extend({
    shipmentNo: ShipInput.shape.shipmentNo,
    carrier: Words(100, '物流商'),
    /** Names the carrier; null: none, left out: as before. */
    channelId: z.uuid().nullable().optional().meta({ title: '渠道' }),
    trackingNo: Words(100, '追踪号'),
  }),
  reply: Outcome,
});

/** All boxes of an order in the order of their numbers, from 1. */
export const putShipBoxes = endpoint({
  title: '发货单·装箱',
  method: 'POST',
  path: at('box/save'),
  permission: BOX,
  body: Command.extend({ boxes: z.array(Box).max(5000).meta({ title: '箱' }) }),
  reply: Outcome,
});

/** What Amazon received of each line altogether; less than before takes pieces back into transit. */
export const putShipReceived = endpoint({
  title: '发货单·累计接收',
  method: 'POST',
  path: at('received'),
  permission: SHIP,
  body: Command.extend({
    lines: z
      .array(z.object({ lineId: Id.meta({ title: '明细行' }), total: z.int().min(0).meta({ title: '累计接收' }) }))
      .min(1)
      .max(2000)
      .meta({ title: '明细' }),
  }),
  reply: Outcome,
});

export const shipNotes = noteCalls({ def: shipOrder, base, view: VIEW, attach: ADD });
