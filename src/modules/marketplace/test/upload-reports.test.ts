import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { CORPUS } from '#test/support/corpus.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { bindSeller, disableSeller, manualAccount, saveStore } from '../contract/stores.ts';
import { syncNow } from '../contract/sync.ts';
import { commitUpload, reportTypeList, saveMapping, uploadDetail } from '../contract/uploads.ts';
import { ALL_ORDERS_COLUMNS } from '../server/files/all-orders.ts';
import { FBA_INVENTORY_COLUMNS } from '../server/files/fba-inventory.ts';
import { READERS } from '../server/files/index.ts';
import { E1, type Encoding, encode, settlementV2File, tsv } from './fixtures/build.ts';
import { CA, DE, IN, JP, manualStore, send, US } from './fixtures/upload.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

const figures = { rows: 0, total: '' };
type Figures = typeof figures;

/** Rows of a fact table of the company, and the sum of one of its columns. */
async function landed(table: string, column: string): Promise<Figures> {
  return world.as(owner, async (ctx) => {
    const { rows } = await sql<Figures>`
      SELECT count(*)::int AS rows, coalesce(sum(${sql.ref(column)}), 0)::numeric(18, 2)::text AS total
        FROM ${sql.table(table)} WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
    return rows[0] ?? figures;
  });
}

/** Brings a file as a person does: upload, look at the check, commit. */
async function bring(account: string, bytes: Uint8Array, type?: string) {
  const sent = await send(world, owner, bytes, {
    amazonauthid: account,
    ...(type === undefined ? {} : { requesttype: type }),
  });
  expect(sent).toMatchObject({ code: 201, data: { state: 'checked', duplicate: false } });
  const id = sent.data.id ?? '';
  const { check, reportType } = await owner.call(uploadDetail, { params: { id } });
  const done = await owner.call(commitUpload, { params: { id } });
  expect(done).toMatchObject({ state: 'loaded', taskId: null });
  return { id, check, reportType, done };
}

/** The same settlement with another number, so that each spelling is a document of its own. */
function settlement(number: number, change: Parameters<typeof settlementV2File>[2] = {}): string {
  return settlementV2File('10.79', E1, change).replaceAll('12345678901', String(20_000_000_000 + number));
}

describe('a settlement', () => {
  const comma = (amount: string) => amount.replace('.', ',');
  const spellings: [string, string, string, Encoding, Parameters<typeof settlementV2File>[2]?][] = [
    ['plain', US, 'UTF-8', 'utf-8'],
    ['with a byte order mark', US, 'UTF-8', 'utf-8-bom'],
    ['with Windows line ends', US, 'UTF-8', 'utf-8', { eol: '\r\n' }],
    [
      'with decimal commas and German dates',
      DE,
      'EUR',
      'windows-1252',
      { currency: 'EUR', spell: comma, time: '15.01.2026 23:30:00 UTC' },
    ],
    ['in Shift_JIS with Japanese dates', JP, 'USD', 'cp932', { time: '2026/01/15 23:30:00 UTC' }],
  ];
  it.each(spellings)('%s is recognised, proves out and lands line by line', async (name, site, _, encoding, change) => {
    const account = await manualStore(owner, `结算 ${name}`.slice(0, 50), site);
    const before = await landed('settlement.money_line', 'amount');
    const { check, done, reportType } = await bring(
      account,
      encode(
        settlement(
          spellings.findIndex(([one]) => one === name),
          change,
        ),
        encoding,
      ),
    );
    expect(reportType).toBe('GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2');
    expect(check).toMatchObject({
      rows: 14,
      badCount: 0,
      summary: expect.stringMatching(/结算编号 2000000000\d · 合计 .*10\.79/),
    });
    expect(done).toMatchObject({ inserted: 14, unchanged: 0 });
    const after = await landed('settlement.money_line', 'amount');
    expect([after.rows - before.rows, new Decimal(after.total).minus(before.total).toFixed(2)]).toEqual([14, '10.79']);
  });

  it('packed, then plain: the second one changes nothing', async () => {
    const account = await manualStore(owner, '压缩文件', US);
    const bytes = encode(settlement(50));
    await bring(account, gzipSync(bytes));
    const before = await landed('settlement.money_line', 'amount');
    const again = await send(world, owner, bytes, { amazonauthid: account });
    expect(again.data).toMatchObject({ duplicate: true, state: 'loaded' });
    expect(await landed('settlement.money_line', 'amount')).toEqual(before);
  });

  it('of another store of the company is refused when it is to be loaded, and nothing of it stays', async () => {
    const first = await manualStore(owner, '甲店', US);
    const second = await manualStore(owner, '乙店', US);
    await bring(first, encode(settlement(60)));
    const before = await landed('settlement.money_line', 'amount');
    const sent = await send(world, owner, encode(settlement(60)), { amazonauthid: second });
    const id = sent.data.id ?? '';
    const refused = await owner.send(commitUpload, { params: { id } });
    expect([refused.status, refused.code, refused.msg]).toEqual([200, 400, expect.stringContaining('不属于所选店铺')]);
    expect(await owner.call(uploadDetail, { params: { id } })).toMatchObject({
      state: 'checked',
      error: expect.stringContaining('不属于所选店铺'),
    });
    expect(await landed('settlement.money_line', 'amount')).toEqual(before);
  });
});

describe('the other reports', () => {
  const order = {
    'amazon-order-id': '701-1111111-2222222',
    'order-item-id': '90628777672008',
    'purchase-date': '2026-01-15T23:30:00+00:00',
    'last-updated-date': '2026-01-16T08:00:00+00:00',
    'order-status': 'Shipped',
    'fulfillment-channel': 'Amazon',
    'sales-channel': 'Amazon.com',
    'product-name': 'pan',
    sku: 'KD-PAN-12',
    asin: 'B0SANDBOX1',
    'item-status': 'Shipped',
    quantity: '2',
    currency: 'USD',
    'item-price': '49.98',
  };
  const listing = {
    'item-name': 'Pfanne für Gemüse',
    'listing-id': '0115X',
    'seller-sku': 'KD-PAN-12',
    price: '49,98',
    quantity: '',
    'open-date': '15.01.2026 10:00:00 MEZ',
    'item-condition': '11',
    asin1: 'B0SANDBOX1',
    'product-id': 'B0SANDBOX1',
    'fulfillment-channel': 'AMAZON_EU',
    status: 'Active',
  };
  const stock = {
    sku: 'KD-PAN-12',
    fnsku: 'X001',
    asin: 'B0SANDBOX1',
    'product-name': 'なべ',
    condition: 'New',
    'your-price': '1980',
    'mfn-listing-exists': 'No',
    'mfn-fulfillable-quantity': '',
    'afn-listing-exists': 'Yes',
    'afn-warehouse-quantity': '12',
    'afn-fulfillable-quantity': '10',
    'afn-unsellable-quantity': '1',
    'afn-reserved-quantity': '1',
    'afn-total-quantity': '12',
  };
  const names = (columns: readonly { name: string }[]) => columns.map((column) => column.name);
  const cases: [string, string, Buffer, string, string, Figures][] = [
    [
      'all orders',
      US,
      encode(tsv(names(ALL_ORDERS_COLUMNS), [order])),
      'order.amazon_order_line',
      'quantity',
      { rows: 1, total: '2.00' },
    ],
    [
      'listings in Windows-1252',
      DE,
      encode(tsv(Object.keys(listing), [listing]), 'windows-1252'),
      'listing.listing',
      'price',
      { rows: 1, total: '49.98' },
    ],
    [
      'FBA stock in Shift_JIS',
      JP,
      encode(tsv(names(FBA_INVENTORY_COLUMNS), [stock]), 'cp932'),
      'inventory.fba_stock',
      'fulfillable',
      { rows: 1, total: '10.00' },
    ],
  ];
  it.each(cases)('%s land and come back unchanged', async (name, site, bytes, table, column, expected) => {
    const account = await manualStore(owner, name, site);
    await bring(account, bytes);
    expect(await landed(table, column)).toEqual(expected);
    // Bytes that differ in nothing that counts: a second batch, no second fact.
    const { done } = await bring(account, Buffer.concat([bytes, encode('\r\n')]));
    expect([done.inserted, done.updated]).toEqual([0, 0]);
    expect(await landed(table, column)).toEqual(expected);
  });

  it('are all offered: no reader is without a loader', async () => {
    const types = (await owner.call(reportTypeList, {})).map((type) => type.value);
    expect(types).toEqual(expect.arrayContaining(READERS.map((reader) => reader.type)));
    expect(types.at(-1)).toBe('ORDER_LIST');
    expect(new Set(types).size).toBe(types.length);
  });
});

describe('a store without consent', () => {
  it('belongs to one region, has one account per seller, and is never called', async () => {
    const storeId = await owner.call(saveStore, { body: { name: '纯手工' } });
    const mixed = await owner.send(manualAccount, { body: { storeId, marketplaceIds: [US, JP] } });
    expect(mixed.msg).toContain('同一区域');
    expect((await owner.send(manualAccount, { body: { storeId, marketplaceIds: ['NOWHERE1'] } })).msg).toContain(
      '站点不存在',
    );
    const { authid } = await owner.call(manualAccount, {
      body: { storeId, marketplaceIds: [US, CA], sellerId: 'a9hand00001' },
    });
    const twice = await owner.send(manualAccount, { body: { storeId, marketplaceIds: [US], sellerId: 'A9HAND00001' } });
    expect(twice.msg).toContain('「A9HAND00001」在该区域已存在');
    const { stores } = await owner.call(bindSeller, {});
    const account = stores.find((store) => store.groupid === storeId)?.regionslist[0];
    expect(account).toMatchObject({
      authid,
      status: 'manual',
      sellerauth: 2,
      expireTime: null,
      time: null,
      sellerid: 'A9HAND00001',
    });
    expect(account?.countrysList.map((site) => site.country).sort()).toEqual(['CA', 'US']);
    await owner.call(syncNow, { body: { authid } });
    const cursors = await world.as(owner, (ctx) =>
      ctx.db
        .selectFrom('marketplace.sync_cursor')
        .select('id')
        .where('company_id', '=', ctx.companyId)
        .where('account_id', '=', authid)
        .execute(),
    );
    expect(cursors).toEqual([]);
  });

  it('typed by somebody else does not keep the real owner out, and can be stopped and taken up again', async () => {
    const other = await world.owner('别家公司');
    const theirs = await other.call(saveStore, { body: { name: '店' } });
    await other.call(manualAccount, { body: { storeId: theirs, marketplaceIds: [US], sellerId: 'A9HAND00001' } });
    expect(
      (await other.send(manualAccount, { body: { storeId: crypto.randomUUID(), marketplaceIds: [US] } })).status,
    ).toBe(404);
    const { stores } = await other.call(bindSeller, {});
    const authid = stores[0]?.regionslist[0]?.authid ?? '';
    await other.call(disableSeller, { query: { authid, sellerid: 'A9HAND00001' } });
    const again = await other.call(manualAccount, {
      body: { storeId: theirs, marketplaceIds: [CA], sellerId: 'A9HAND00001' },
    });
    expect(again.authid).toBe(authid);
  });
});

/** Real files of real sellers; read where they lie, never copied. */
const present = existsSync(CORPUS);
if (!present) console.error(`real files are not tested: ${CORPUS} is not there (set CORPUS_DIR)`);

describe.skipIf(!present)('real files', () => {
  it('settlements in the first form land to the cent', async () => {
    const account = await manualStore(owner, '真实结算', CA);
    for (const [file, total] of [
      ['v1-flat-file-ca-2025-07-31.txt', '-62.31'],
      ['v1-flat-file-ca-2025-08-14.txt', '1016.08'],
    ] as const) {
      const before = await landed('settlement.money_line', 'amount');
      await bring(account, await readFile(join(CORPUS, 'settlements', file)));
      const after = await landed('settlement.money_line', 'amount');
      expect(new Decimal(after.total).minus(before.total).toFixed(2)).toBe(total);
    }
  });

  it('the Indian order list lands with its control figures, through its own headers', async () => {
    const account = await manualStore(owner, '印度店', IN);
    const before = await landed('order.amazon_order_line', 'quantity');
    const bytes = await readFile(join(CORPUS, 'orders/amazon-in-sale-report-1001.csv'));
    const { check, done } = await bring(account, bytes, 'ORDER_LIST');
    expect(check?.summary).toBe('1001 行订单 · 916 件 · INR 585972.22（931 行）');
    expect(done.rows).toBe(1001);
    const after = await landed('order.amazon_order_line', 'quantity');
    expect([after.rows - before.rows, new Decimal(after.total).minus(before.total).toNumber()]).toEqual([1001, 916]);
    const again = await send(world, owner, bytes, { amazonauthid: account, requesttype: 'ORDER_LIST' });
    expect(again.data.duplicate).toBe(true);
  });

  it('the narrow excerpt says whose currency it takes, and what it lacks', async () => {
    const account = await manualStore(owner, '印度店二', IN);
    const bytes = await readFile(join(CORPUS, 'orders/amazon-in-sale-report-first-2500-narrow.csv'));
    const sent = await send(world, owner, bytes, { amazonauthid: account, requesttype: 'ORDER_LIST' });
    const id = sent.data.id ?? '';
    const { check, state } = await owner.call(uploadDetail, { params: { id } });
    expect([state, check?.rows, check?.badCount]).toEqual(['checked', 2500, 0]);
    expect(check?.warnings.join()).toContain('没有币种列，金额按 INR 入库');
    const mapping = await owner.send(saveMapping, {
      body: { id, mapping: { orderNumber: 'Nowhere', date: 'x', quantity: 'y' } },
    });
    expect(mapping.data).toMatchObject({ state: 'uploaded', error: expect.stringContaining('缺少') });
  });

  it('advertising reports and transcribed tables are refused by name', async () => {
    const account = await manualStore(owner, '拒收', US);
    const ads = await readFile(join(CORPUS, 'ads/in-2020-02-sp-campaign-daily.csv'));
    expect(await send(world, owner, ads, { amazonauthid: account })).toMatchObject({
      code: 400,
      msg: '这是广告报告，不支持在此导入',
    });
  });
});
