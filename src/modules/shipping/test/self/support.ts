import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { land, type OrderSpec, orderNumber } from '#test/support/orders.ts';
import { US } from '#test/support/seller.ts';
import { uploadAs } from '#test/support/upload.ts';
import type { Person, World } from '#test/support/world.ts';
import { selfDetail } from '../../contract/self/calls.ts';
import { buildSelf, listWaiting } from '../../contract/self/waiting.ts';
import { importSelfTracking } from '../../contract/self/work.ts';
import { createShipper, type Shipper } from '../support.ts';

/** A house that sends orders of a store by itself, and people who may do one thing each. */
export interface SelfShipper extends Shipper {
  ref: AccountRef;
  desk: Person;
  chief: Person;
  sender: Person;
}

const VIEW = ['amz:fbm:view', 'amz:order:view', 'erp:inv:view', 'erp:inv:cost'];
const HOUR = 3_600_000;

export async function createSelfShipper(
  world: World,
  skus: readonly string[],
  listings: Readonly<Record<string, readonly [sku: string, qty: number][]>>,
): Promise<SelfShipper> {
  const shipper = await createShipper(world, skus, listings);
  const ref = await world.as(shipper.owner, async (ctx) => {
    const { rows } = await sql<{ seller: string; store: string }>`
      SELECT selling_partner_id AS seller, store_id AS store FROM marketplace.seller_account
       WHERE company_id = ${ctx.companyId} AND id = ${shipper.account}`.execute(ctx.db);
    const { companyId } = ctx;
    const { seller = '', store = '' } = rows[0] ?? {};
    return {
      companyId,
      id: shipper.account,
      storeId: store,
      sellingPartnerId: seller,
      region: 'na' as const,
      marketplaceIds: [US],
    };
  });
  const codes = (...actions: string[]) => [...VIEW, ...actions.map((action) => `amz:fbm:${action}`)];
  return {
    ...shipper,
    ref,
    desk: await world.member(shipper.owner, codes('add', 'void', 'export', 'import', 'ship')),
    chief: await world.member(shipper.owner, codes('audit')),
    sender: await world.member(shipper.owner, codes('pick', 'ship')),
  };
}

let last = 0;

/** An order that waits to be sent by the seller; answers "seller~order". */
export async function ordered(
  world: World,
  shipper: SelfShipper,
  lines: readonly (readonly [msku: string, qty: number])[],
  more: Partial<OrderSpec> = {},
): Promise<{ id: string; number: string }> {
  last += 1;
  const number = orderNumber(last);
  const now = world.runtime.clock.ms();
  await land(world, shipper.owner, shipper.ref, [
    {
      amazonOrderId: number,
      fulfilledBy: 'MERCHANT',
      status: 'UNSHIPPED',
      purchasedAt: new Date(now - 5 * HOUR).toISOString(),
      lastUpdatedAt: new Date(now - 4 * HOUR).toISOString(),
      latestShipAt: new Date(now + 30 * HOUR).toISOString(),
      shipCountry: 'US',
      shipState: 'WA',
      postalPrefix: '981',
      lines: lines.map(([sku, quantity], index) => ({ orderItemId: `${number}-${index}`, sku, quantity })),
      ...more,
    },
  ]);
  return { id: `${shipper.ref.sellingPartnerId}~${number}`, number };
}

/** The platform tells an order anew. */
export async function retold(
  world: World,
  shipper: SelfShipper,
  number: string,
  lines: readonly (readonly [msku: string, qty: number, shipped?: number])[],
  more: Partial<OrderSpec>,
): Promise<void> {
  const now = world.runtime.clock.ms();
  await land(world, shipper.owner, shipper.ref, [
    {
      amazonOrderId: number,
      fulfilledBy: 'MERCHANT',
      purchasedAt: new Date(now - 5 * HOUR).toISOString(),
      lastUpdatedAt: new Date(now - HOUR).toISOString(),
      latestShipAt: new Date(now + 30 * HOUR).toISOString(),
      shipCountry: 'US',
      shipState: 'WA',
      postalPrefix: '981',
      lines: lines.map(([sku, quantity, shippedQuantity = 0], index) => ({
        orderItemId: `${number}-${index}`,
        sku,
        quantity,
        shippedQuantity,
      })),
      ...more,
    },
  ]);
}

/** One document over orders. */
export async function built(shipper: SelfShipper, ...orders: string[]): Promise<string> {
  const { ids } = await shipper.desk.call(buildSelf, { body: { warehouseId: shipper.main, groups: [{ orders }] } });
  return ids[0] ?? '';
}

export const detailOf = (shipper: SelfShipper, id: string) => shipper.owner.call(selfDetail, { params: { id } });
export const stateOf = async (shipper: SelfShipper, id: string) => (await detailOf(shipper, id)).document.state;

/** What waits for a document, by order number. */
export async function waitingOf(shipper: SelfShipper) {
  const { records } = await shipper.desk.call(listWaiting, { body: { pagesize: 100 } });
  return new Map(records.map((row) => [row.order, row]));
}

/** Runs a job as a worker would. */
export async function run(world: World, shipper: SelfShipper, name: string): Promise<void> {
  const found = world.runtime.modules.flatMap((one) => one.jobs ?? []).find((job) => job.name === name);
  if (!found) throw new Error(`no job ${name}`);
  await found.run(world.runtime, { companyId: shipper.owner.companyId, accountId: shipper.account } as never);
}

/** Pieces that the ledger holds for documents, and those that open documents ask for, by product. */
export function heldAndWanted(world: World, shipper: SelfShipper) {
  return world.as(shipper.owner, async (ctx) => {
    const { rows } = await sql<{ product: string; held: number; wanted: number }>`
      SELECT product_id AS product, sum(held)::int AS held, sum(wanted)::int AS wanted
        FROM (SELECT product_id, held, 0 AS wanted FROM warehouse.reservation
               WHERE company_id = ${ctx.companyId} AND document_type = 'shipping.self'
              UNION ALL
              SELECT p.product_id, 0, l.qty * p.qty_per FROM shipping.self_doc AS d
                JOIN shipping.self_line AS l ON l.company_id = d.company_id AND l.doc_id = d.id
                JOIN shipping.self_part AS p ON p.company_id = l.company_id AND p.line_id = l.id
               WHERE d.company_id = ${ctx.companyId} AND d.posting_id IS NULL
                 AND (d.state IN ('printing', 'ready') OR d.state = 'held' AND d.held_from IN ('printing', 'ready'))) AS x
       GROUP BY 1 HAVING sum(held) + sum(wanted) > 0 ORDER BY 1`.execute(ctx.db);
    return rows;
  });
}

/** Reads a sheet of tracking numbers as the page does, at once with writing. */
export async function imported(
  world: World,
  shipper: SelfShipper,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
) {
  const bytes = await writeWorkbook([{ title: '运单号', rows: [[...heads], ...rows.map((row) => [...row])] }]);
  const file = { name: '运单号.xlsx', bytes };
  return (await uploadAs(world, shipper.desk, importSelfTracking, { write: 'yes' }, file)).data;
}

export const clientId = () => randomUUID();
