import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AccountRef,
  bytesSource,
  type MappedOrderLine,
  readMapped,
  suggestMapping,
} from '#modules/marketplace/server/index.ts';
import { CORPUS } from '#test/support/corpus.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { landMappedOrders } from '../server/index.ts';
import { IN, land, makeAccount, orderNumber, standing } from './support.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

async function seller(): Promise<{ owner: Person; account: AccountRef }> {
  const owner = await world.owner();
  return { owner, account: await makeAccount(world, owner, { region: 'eu', marketplaceIds: [IN] }) };
}

const LINE: MappedOrderLine = {
  lineNo: 2,
  orderNumber: orderNumber(1),
  orderedAt: '2022-04-29T18:30:00.000Z',
  orderedDay: '2022-04-30',
  sku: 'SET-1',
  asin: 'B000000001',
  quantity: '1',
  amount: '647.62',
  currency: 'INR',
  status: 'Shipped - Delivered to Buyer',
  country: 'IN',
  state: 'MAHARASHTRA',
  postalCode: '400081',
  channel: 'Amazon.in',
};

function take(owner: Person, account: AccountRef, lines: readonly Partial<MappedOrderLine>[]) {
  async function* rows() {
    yield lines.map((line) => ({ ...LINE, ...line }));
  }
  return world.as(owner, (ctx) => landMappedOrders(ctx, { account, marketplaceId: IN, rows: rows() }));
}

describe("a seller's own order list", () => {
  it('changes nothing the second time, and a corrected one replaces the lines of its orders', async () => {
    const { owner, account } = await seller();
    const list = [{}, { sku: 'SET-2' }, { orderNumber: orderNumber(2), status: 'Cancelled', quantity: '0' }];
    expect(await take(owner, account, list)).toMatchObject({ rowsIn: 3, inserted: 2 });
    const before = await standing(world, owner);
    expect(await take(owner, account, list)).toMatchObject({ inserted: 0, updated: 0, unchanged: 2 });
    expect(await standing(world, owner)).toEqual(before);
    expect(await take(owner, account, [{ amount: '600.00' }])).toMatchObject({ updated: 1 });
    const { lines } = await standing(world, owner);
    expect(lines.filter((line) => line.startsWith(orderNumber(1)))).toEqual([
      `${orderNumber(1)} r:SET-1#1 SET-1 1 1 600.0000 upload`,
    ]);
  });

  it('never replaces what Amazon itself said of an order', async () => {
    const { owner, account } = await seller();
    await land(world, owner, account, [
      {
        marketplaceId: IN,
        lastUpdatedAt: '2022-05-01T00:00:00.000Z',
        lines: [{ orderItemId: '1', itemPrice: '1.00' }],
      },
    ]);
    const before = await standing(world, owner);
    expect(await take(owner, account, [{ state: '' }])).toMatchObject({ inserted: 0, updated: 0 });
    expect(await standing(world, owner)).toEqual(before);
  });

  it('of a spreadsheet keeps each day where one column spells it in two ways', async () => {
    const { owner, account } = await seller();
    const rows = [
      ['04-30-22', 'Cancelled', '0', ''],
      ['04-01-2022', 'Shipped', '2', '406'],
      ['05-02-22', 'Shipped', '1', '647.62'],
    ].map(([day, status, pieces, amount], at) =>
      [orderNumber(at + 1), day, status, 'Amazon.in', 'SET-1', 'B000000001', pieces, 'INR', amount].join(','),
    );
    const list = ['Order_ID,Date,Status,Sales_Channel ,SKU,ASIN,Qty,currency,Amount', ...rows].join('\n');
    expect(await readInto(owner, account, Buffer.from(list))).toMatchObject({ rowsIn: 3, inserted: 3 });
    const orders = await world.as(owner, (ctx) =>
      ctx.db
        .selectFrom('order.amazon_order')
        .select(sql<string>`to_char(purchased_at AT TIME ZONE 'Asia/Kolkata', 'YYYY-MM-DD')`.as('day'))
        .where('company_id', '=', ctx.companyId)
        .orderBy('amazon_order_id')
        .execute(),
    );
    expect(orders.map(({ day }) => day)).toEqual(['2022-04-30', '2022-04-01', '2022-05-02']);
    expect(await sumsOf(owner)).toEqual([2, 3, '1053.6200']);
  });

  const file = join(CORPUS, 'orders/amazon-in-sale-report-1001.csv');

  it.skipIf(!existsSync(file))('of a real Indian seller keeps every piece and every rupee', async () => {
    const { owner, account } = await seller();
    const counts = await readInto(owner, account, readFileSync(file));
    expect(counts).toMatchObject({ rowsIn: 1001, inserted: 945, quarantined: 0 });
    expect(await sumsOf(owner)).toEqual([931, 916, '585972.2200']);
  });
});

/** Reads an Indian list by the headers that it has, and lands it. */
async function readInto(owner: Person, account: AccountRef, bytes: Buffer) {
  const headers = (bytes.toString('utf8').split(/\r?\n/, 1)[0] ?? '').replaceAll('"', '').split(',');
  const reading = await readMapped(bytesSource(bytes), {
    mapping: { ...suggestMapping(headers), ...columnsOf(headers) },
    marketplaceId: IN,
    defaultCurrency: 'INR',
  });
  expect(reading.facts.dayOrder).toBe('month-first');
  async function* rows() {
    for await (const { lines } of reading.rows()) yield lines;
  }
  return world.as(owner, (ctx) => landMappedOrders(ctx, { account, marketplaceId: IN, rows: rows() }));
}

/** Lines with an amount, pieces, and the amount in rupees, of everything that a company has. */
async function sumsOf(owner: Person) {
  const sums = await world.as(owner, (ctx) =>
    ctx.db
      .selectFrom('order.amazon_order_line')
      .select(({ fn }) => [
        fn.count<number>('item_price').as('priced'),
        fn.sum<string>('quantity').as('units'),
        fn.sum<string>('item_price').as('amount'),
      ])
      .where('company_id', '=', ctx.companyId)
      .executeTakeFirstOrThrow(),
  );
  return [sums.priced, Number(sums.units), sums.amount];
}

/** The columns of the file whose names a guess could miss. */
function columnsOf(headers: readonly string[]): Record<string, string> {
  const wanted: Record<string, RegExp> = {
    orderNumber: /^order.?id$/i,
    date: /^date$/i,
    sku: /^sku$/i,
    asin: /^asin$/i,
    quantity: /^qty$/i,
    amount: /^amount$/i,
    status: /^status$/i,
  };
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([field, name]) => {
      const header = headers.map((text) => text.replaceAll('"', '')).find((text) => name.test(text));
      return header ? [[field, header]] : [];
    }),
  );
}
