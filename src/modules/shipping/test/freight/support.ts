import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { listItems } from '#modules/finance/contract/payables.ts';
import { checkMoney } from '#modules/finance/server/index.ts';
import { moveSupplier, saveSupplier } from '#modules/supplier/contract.ts';
import { post } from '#modules/warehouse/server/index.ts';
import { productOf, stocked } from '#test/support/house.ts';
import type { Person, World } from '#test/support/world.ts';
import { type freightBillDetail, freightSteps, saveFreightBill } from '../../contract/freight/calls.ts';
import { listFreightFees } from '../../contract/freight/report.ts';
import { putShipBoxes, putShipReceived, putShipWay, shipSteps } from '../../contract/order-calls.ts';
import { addCard, carrierDetail, saveCarrier } from '../../contract/transport/calls.ts';
import { approved, createShipper, detail, goalOf, lineOf, type Shipper } from '../support.ts';

export interface Forwarded extends Shipper {
  /** Enters bills, and confirms them. */
  clerk: Person;
  chief: Person;
  carrier: string;
  channel: string;
  supplier: string;
}

const SKUS = ['A', 'B', 'C', 'D'];
const BILLS = ['erp:freight:view', 'erp:freight:export', 'erp:inv:view', 'erp:inv:cost', 'amz:ship:view'];

/** A supplier that may be paid. */
export async function createSupplier(owner: Person, shortName: string): Promise<string> {
  const { id } = await owner.call(saveSupplier, { body: { shortName } });
  await owner.call(moveSupplier, { body: { id, action: 'activate' } });
  return id;
}

/** A shipper with a carrier into the United States: a channel of the handbook's example E2, and whom he is paid by. */
export async function createForwarded(world: World): Promise<Forwarded> {
  const shipper = await createShipper(
    world,
    SKUS,
    Object.fromEntries(SKUS.map((sku) => [`${sku}-US`, [[sku, 1]] as const])),
  );
  const supplier = await createSupplier(shipper.owner, '远航货代');
  const sea = { name: '美西海派', mode: 'SEA' as const, country: 'US', weightStep: '0.5' };
  const { id: carrier } = await shipper.owner.call(saveCarrier, {
    body: { name: '远航', code: 'YH', supplierId: supplier, channels: [sea] } as never,
  });
  const { channels } = await shipper.owner.call(carrierDetail, { params: { id: carrier } });
  const channel = channels[0]?.id ?? '';
  await shipper.owner.call(addCard, {
    body: {
      channelId: channel,
      validFrom: world.clock.today(),
      currency: 'CNY',
      fees: [{ name: '报关费', amount: '100', per: 'SHIPMENT' }],
      tiers: [
        { from: '21', to: '50', price: '9.5' },
        { from: '51', to: '100', price: '8.8' },
      ],
    } as never,
  });
  await world.as(shipper.owner, async (ctx) => {
    for (const sku of ['A', 'B', 'C']) {
      await sql`INSERT INTO product.dimension (company_id, product_id, role, length, width, height, weight)
        VALUES (${ctx.companyId}, ${productOf(shipper, sku)}, 'packed', 10, 10, 6, 0.2)`.execute(ctx.db);
    }
  });
  return {
    ...shipper,
    supplier,
    carrier,
    channel,
    clerk: await world.member(shipper.owner, [...BILLS, 'erp:freight:add', 'erp:freight:import']),
    chief: await world.member(shipper.owner, [
      ...BILLS,
      'erp:freight:audit',
      'erp:freight:reverse',
      'fin:dealing:view',
    ]),
  };
}

type Packed = Readonly<Record<string, number>>;
const SIZE = { length: '60', width: '40', height: '40', weight: '15.2' };

/** Four boxes of 16.0 kg, of which A, B and C have 24.0, 28.8 and 11.2. */
export const E4: readonly Packed[] = [
  { 'A-US': 80 },
  { 'A-US': 40, 'B-US': 40 },
  { 'B-US': 80 },
  { 'B-US': 24, 'C-US': 56 },
];

/** An order that was packed into boxes and has left; `way` is what was known of its way before. */
export async function sentBoxes(
  world: World,
  house: Forwarded,
  boxes: readonly Packed[],
  way: { channelId?: string | null; shipmentNo?: string; trackingNo?: string; size?: object } = {},
  more: object = {},
): Promise<string> {
  const sums = new Map<string, number>();
  for (const [msku, qty] of boxes.flatMap((box) => Object.entries(box))) sums.set(msku, (sums.get(msku) ?? 0) + qty);
  for (const [msku, qty] of sums) await stocked(world, house, msku.replace('-US', ''), qty, '2');
  const id = await approved(house, [...sums], more);
  const { size = {}, channelId = house.channel, shipmentNo = '', trackingNo = '' } = way;
  await house.packer.call(putShipWay, { body: { id, shipmentNo, trackingNo, channelId } });
  await house.packer.call(shipSteps.picked, { body: { id } });
  const lines = new Map((await detail(house, id)).lines.map((line) => [line.msku, line.id]));
  await house.packer.call(putShipBoxes, {
    body: {
      id,
      boxes: boxes.map((box) => ({
        ...SIZE,
        ...size,
        items: Object.entries(box).map(([msku, qty]) => ({ lineId: lines.get(msku) ?? '', qty })),
      })),
    },
  });
  await house.packer.call(shipSteps.packed, { body: { id } });
  await house.packer.call(shipSteps.ship, { body: { id } });
  return id;
}

export const numberOf = async (house: Forwarded, id: string) => (await detail(house, id)).order.number;

interface Line {
  reference: string;
  amount: string;
  kind?: string;
  billedWeight?: string;
}

/** A bill that waits for its confirmation. */
export async function pendingBill(
  world: World,
  house: Forwarded,
  lines: readonly Line[],
  head: object = {},
): Promise<string> {
  const { id } = await house.clerk.call(saveFreightBill, {
    body: { carrierId: house.carrier, billNo: randomUUID(), day: world.clock.today(), lines, ...head } as never,
  });
  await house.clerk.call(freightSteps.submit, { body: { id } });
  return id;
}

/** A bill that is confirmed. */
export async function bill(world: World, house: Forwarded, lines: readonly Line[], head: object = {}): Promise<string> {
  const id = await pendingBill(world, house, lines, head);
  await house.chief.call(freightSteps.confirm, { body: { id } });
  return id;
}

/** Amazon received pieces of an order and sold some of them. */
export async function sold(world: World, house: Forwarded, orderId: string, sku: string, came: number, gone: number) {
  const lineId = await lineOf(house, orderId, `${sku}-US`);
  await house.packer.call(putShipReceived, { body: { id: orderId, lines: [{ lineId, total: came }] } });
  const goal = await goalOf(world, house, orderId);
  await world.as(house.owner, (ctx) =>
    post(ctx, {
      source: { type: 'test', id: randomUUID(), event: 'sell', number: 'XS1' },
      moves: [
        {
          product: productOf(house, sku),
          qty: gone,
          from: { warehouse: goal, status: 'AVAILABLE' },
          to: 'CUSTOMER',
        },
      ],
    }),
  );
}

/** What layers of a posting's pieces hold of first legs and duties altogether, and what became variance, by SKU. CNY. */
export async function booked(world: World, house: Forwarded, number?: string): Promise<Record<string, string>> {
  return world.as(house.owner, async (ctx) => {
    const { rows } = await sql<{ sku: string; text: string }>`
      SELECT p.sku, trim_scale(sum(r.to_layers)) || ' + ' || trim_scale(sum(r.variance)) AS text
        FROM warehouse.revaluation AS r
        JOIN warehouse.stock_posting AS s ON s.company_id = r.company_id AND s.id = r.posting_id
        JOIN product.local_product AS p ON p.company_id = r.company_id AND p.id = r.product_id
       WHERE r.company_id = ${ctx.companyId} AND s.source_type = 'shipping.freight'
         AND (${number ?? null}::text IS NULL OR s.source_number = ${number ?? null})
       GROUP BY 1 ORDER BY 1`.execute(ctx.db);
    return Object.fromEntries(rows.map((row) => [row.sku, row.text]));
  });
}

/** Debts to the carrier's supplier: "amount open". */
export async function owed(house: Forwarded): Promise<string[]> {
  const { records } = await house.chief.call(listItems, {
    body: { filter: { party: [house.supplier], book: 'PAYABLE' }, sort: 'day', order: 'asc' },
  });
  const plain = (text: string) => new Decimal(text).toFixed(2);
  return records
    .filter((item) => !new Decimal(item.open).isZero())
    .map((item) => `${item.currency} ${plain(item.amount)} ${plain(item.open)}`)
    .sort();
}

/** Fee and state of each line of an order, as the report has it. */
export async function feesOf(house: Forwarded, orderNumber: string): Promise<string[]> {
  const { records } = await house.chief.call(listFreightFees, { body: { filter: { keyword: orderNumber } } });
  return records.map((row) => [row.product.code, row.billable, row.fee, row.unitFee, row.state].join(' ')).sort();
}

export const sharesOf = ({ shares }: Reply<typeof freightBillDetail>) =>
  shares.map((one) => [one.product.code, one.amount, one.toLayers, one.variance, one.total].join(' '));

/** Everything that the money ledger does not hold with. */
export const brokenMoney = (world: World, house: Forwarded) =>
  world.as(house.owner, async (ctx) => (await checkMoney(ctx)).filter((result) => result.broken > 0));
