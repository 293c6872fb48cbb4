import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALL_ORDERS_COLUMNS } from '../server/files/all-orders.ts';
import { FBA_INVENTORY_COLUMNS } from '../server/files/fba-inventory.ts';
import type { FileReader } from '../server/files/index.ts';
import {
  allOrdersByDate,
  allOrdersByUpdate,
  bytesSource,
  FileRefused,
  fbaInventory,
  listingsActive,
  listingsAll,
  listingsOpen,
  READERS,
  readerOf,
  settlementV2,
  sniff,
} from '../server/files/index.ts';
import { collect, E1, encode, pieces, refusal, settlementV2File, tsv, V1_NAMES, V2_NAMES } from './fixtures/build.ts';

const DE = 'A1PA6795UKMFR9';
const JP = 'A1VC38T7YXB528';
const ORDERS = ALL_ORDERS_COLUMNS.map((column) => column.name);
const STOCK = FBA_INVENTORY_COLUMNS.map((column) => column.name);

async function read<Row>(reader: FileReader<Row>, bytes: Uint8Array, options = {}) {
  const reading = reader.read(pieces(bytes, 777), options);
  return { facts: await reading.header, rows: await collect(reading.rows) };
}

const order = {
  'amazon-order-id': '701-1111111-2222222',
  'order-item-id': '90628777672008',
  'purchase-date': '2026-01-15T23:30:00+00:00',
  'last-updated-date': '2026-01-16T08:00:00+00:00',
  'order-status': 'Shipped',
  'fulfillment-channel': 'Amazon',
  'sales-channel': 'Amazon.com',
  'product-name': '12" pan, "non-stick"',
  sku: 'KD-PAN-12',
  asin: 'B0SANDBOX1',
  'item-status': 'Shipped',
  quantity: '2',
  currency: 'USD',
  'item-price': '1,049.98',
  'item-tax': '4.12',
  'is-business-order': 'true',
};

describe('all orders', () => {
  it('become typed lines; quotes of a title stay', async () => {
    const { facts, rows } = await read(allOrdersByUpdate, encode(tsv(ORDERS, [order, { ...order, quantity: '' }])));
    expect(facts).toMatchObject({ rows: 2, decimal: 'point', warnings: [] });
    expect(rows[0]).toMatchObject({
      lineNo: 2,
      amazonOrderId: '701-1111111-2222222',
      orderItemId: '90628777672008',
      purchasedAt: '2026-01-15T23:30:00.000Z',
      productName: '12" pan, "non-stick"',
      quantity: '2',
      itemPrice: '1049.98',
      shippingPrice: null,
      isBusinessOrder: true,
    });
    expect(rows[1]?.quantity).toBeNull();
  });

  it('are read without order-item-id, by order date, and when empty', async () => {
    const old = ORDERS.filter((name) => name !== 'order-item-id');
    expect((await read(allOrdersByDate, encode(tsv(old, [order])))).rows[0]?.orderItemId).toBe('');
    expect((await read(allOrdersByUpdate, encode(tsv(ORDERS, [])))).facts.rows).toBe(0);
  });

  it('keep the decimals of each line’s currency', async () => {
    const yen = { ...order, currency: 'JPY', 'item-price': '1,980', 'item-tax': '180.00' };
    const { rows } = await read(allOrdersByUpdate, encode(tsv(ORDERS, [yen]), 'cp932'), { marketplaceId: JP });
    expect([rows[0]?.itemPrice, rows[0]?.itemTax]).toEqual(['1980', '180']);
  });

  it('are refused with line and column for a bad date, number or missing id', async () => {
    const bad = async (change: Record<string, string>) => {
      const error = await refusal(read(allOrdersByUpdate, encode(tsv(ORDERS, [order, { ...order, ...change }]))));
      return [error.code, error.line, error.column];
    };
    expect(await bad({ 'purchase-date': '2026-02-30T00:00:00Z' })).toEqual(['DATE', 3, 'purchase-date']);
    expect(await bad({ 'item-price': 'gratis' })).toEqual(['NUMBER', 3, 'item-price']);
    expect(await bad({ quantity: '1.5' })).toEqual(['NUMBER', 3, 'quantity']);
    expect(await bad({ 'amazon-order-id': ' ' })).toEqual(['VALUE', 3, 'amazon-order-id']);
    expect(await bad({ 'item-tax': '4,12' })).toEqual(['CONTRADICTION', 3, 'item-tax']);
  });

  it('are refused when a line is too long or too short', async () => {
    const text = tsv(ORDERS, [order]);
    const wide = await refusal(read(allOrdersByUpdate, encode(text.replace(/\n$/, '\tmore\n'))));
    expect([wide.code, wide.line]).toEqual(['ROW_WIDTH', 2]);
    const short = await refusal(read(allOrdersByUpdate, encode(`${text}701-1111111-2222222\tx\n`)));
    expect([short.code, short.line]).toEqual(['ROW_WIDTH', 3]);
    const cut = await refusal(read(allOrdersByUpdate, encode(text.slice(0, -3))));
    expect([cut.code, cut.line]).toEqual(['DAMAGED', 2]);
  });

  it('of any shuffled header give the same rows', async () => {
    const plain = (await read(allOrdersByUpdate, encode(tsv(ORDERS, [order])))).rows;
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(ORDERS, { minLength: ORDERS.length }), async (columns) => {
        expect((await read(allOrdersByUpdate, encode(tsv(columns, [order])))).rows).toEqual(plain);
      }),
      { numRuns: 30 },
    );
  });

  it('come in batches that hold no more than the file’s next stretch', async () => {
    const bytes = encode(
      tsv(
        ORDERS,
        Array.from({ length: 7000 }, () => order),
      ),
    );
    const sizes: number[] = [];
    for await (const batch of allOrdersByUpdate.read(pieces(bytes, 65_536)).rows) sizes.push(batch.length);
    expect(sizes.reduce((a, b) => a + b, 0)).toBe(7000);
    expect(Math.max(...sizes)).toBeLessThan(3000);
    expect(sizes.slice(0, -1).every((size) => size >= 2000)).toBe(true);
  });
});

describe('stock and listings', () => {
  it('FBA inventory: quantities are whole, blank ones zero', async () => {
    const row = { sku: 'KD-1', fnsku: 'X001', asin: 'B0SANDBOX1', 'your-price': '19.99', 'afn-listing-exists': 'Yes' };
    const full = {
      ...row,
      'afn-warehouse-quantity': '12',
      'afn-fulfillable-quantity': '10',
      'afn-total-quantity': '15',
    };
    const { rows } = await read(fbaInventory, encode(tsv(STOCK, [full])));
    expect(rows[0]).toMatchObject({ sku: 'KD-1', yourPrice: '19.99', fulfillable: '10', total: '15', reserved: '0' });
    expect(rows[0]?.afnListingExists).toBe(true);
  });

  const listing = [
    'Apfel',
    '111A',
    'KD-1',
    '1.019,90',
    '5',
    '05.11.2025 16:22:08 MEZ',
    'B0SANDBOX1',
    'DEFAULT',
    'Active',
  ];
  const localised: [site: string, encoding: 'windows-1252' | 'cp932', headers: string][] = [
    [
      'de',
      'windows-1252',
      'Artikelbezeichnung|Angebotsnummer|Händler-SKU|Preis|Menge|Erstellungsdatum|Produkt-ID|Versender|Status',
    ],
    [
      'fr',
      'windows-1252',
      'nom-produit|id-offre|sku-vendeur|prix|quantité|date-ouverture|id-produit|canal-traitement|état',
    ],
    [
      'it',
      'windows-1252',
      "Nome dell'articolo|Identificativo offerta|SKU venditore|Prezzo|Quantità|Data di creazione|Identificativo del prodotto|Canale di gestione|stato",
    ],
    [
      'es',
      'windows-1252',
      'Título del producto|Identificador del listing|SKU del vendedor|Precio|Cantidad|Fecha de creación|Identificador del producto|Canal de gestión logística|estado',
    ],
    ['ja', 'cp932', '商品名|出品ID|出品者SKU|価格|数量|出品日|商品ID|フルフィルメント・チャンネル|ステータス'],
  ];
  it.each(localised)('listings with the headers of %s are recognised and read', async (_site, encoding, headers) => {
    const bytes = encode([headers.split('|'), listing].map((row) => `${row.join('\t')}\r\n`).join(''), encoding);
    expect(await sniff(bytes)).toMatchObject({ kind: 'report', type: listingsAll.type });
    const { rows, facts } = await read(listingsAll, bytes, { marketplaceId: encoding === 'cp932' ? JP : DE });
    expect(facts.extraHeaders).toEqual([]);
    expect(rows).toEqual([
      expect.objectContaining({
        itemName: 'Apfel',
        listingId: '111A',
        sku: 'KD-1',
        asin: 'B0SANDBOX1',
        price: '1019.90',
        quantity: '5',
        openedAt: '2025-11-05T15:22:08.000Z',
        fulfillmentChannel: 'DEFAULT',
        status: 'Active',
      }),
    ]);
  });

  it('active and open listings are variants with fewer columns', async () => {
    const active = tsv(
      ['item-name', 'listing-id', 'seller-sku', 'price', 'quantity', 'open-date', 'product-id'],
      [{ 'seller-sku': 'A', price: '1.50' }],
    );
    expect(await sniff(encode(active))).toMatchObject({ type: listingsActive.type });
    const open = tsv(
      ['sku', 'asin', 'price', 'quantity', 'Business Price'],
      [{ sku: 'A', asin: 'B0SANDBOX1', price: '2.50', 'Business Price': '2.40' }],
    );
    expect(await sniff(encode(open))).toMatchObject({ type: listingsOpen.type });
    expect((await read(listingsOpen, encode(open))).rows[0]).toMatchObject({
      price: '2.50',
      quantity: null,
      extra: { 'Business Price': '2.40' },
    });
  });
});

describe('sniffing', () => {
  it('tells every report by its header, packed or not, in any charset', async () => {
    const files: [string, string][] = [
      [settlementV2.type, settlementV2File('10.79', E1)],
      ['GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE', tsv(V1_NAMES, [])],
      [allOrdersByUpdate.type, tsv(ORDERS, [order])],
      [fbaInventory.type, tsv(STOCK, [])],
    ];
    for (const [type, text] of files) {
      for (const bytes of [encode(text), encode(text, 'utf-8-bom'), encode(text, 'utf-16le'), gzipSync(text)]) {
        expect(await sniff(bytes)).toMatchObject({ kind: 'report', type });
      }
      expect(readerOf(type)?.type).toBe(type);
    }
  });

  it('judges by a beginning that is cut anywhere behind the header', async () => {
    const packed = gzipSync(settlementV2File('10.79', E1));
    expect(await sniff(packed.subarray(0, packed.length - 20))).toMatchObject({ kind: 'report' });
    const text = encode(`${tsv(ORDERS, [])}701-1\t水`);
    expect(await sniff(text.subarray(0, -1))).toMatchObject({ kind: 'report', charset: 'utf-8' });
  });

  it('says why a foreign file is none', async () => {
    const reasons: [string | Uint8Array, string][] = [
      ['', '文件为空'],
      ['%PDF-1.7\n', 'PDF'],
      ['{"errors":[{"code":"FATAL"}]}', 'JSON'],
      ['<?xml version="1.0"?>\n<a/>', 'XML'],
      [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), '.xls'],
      [Buffer.from([0x89, 0x50, 0x4e, 0x47]), '图片'],
      ['average-quantity\tend-quantity\tmonth\n', 'FBA月度库存历史'],
      ['just a sentence\n', '不是表格文件'],
      [
        tsv(
          V2_NAMES.filter((name) => name !== 'amount'),
          [],
        ),
        '缺少 amount',
      ],
    ];
    for (const [content, words] of reasons) {
      const found = await sniff(typeof content === 'string' ? encode(content) : content);
      expect([content.length, found.kind, 'reason' in found && found.reason.includes(words)]).toEqual([
        content.length,
        'none',
        true,
      ]);
    }
    expect(await sniff(encode('Order ID,Date,Qty\n1,2,3\n'))).toMatchObject({
      kind: 'table',
      headers: ['Order ID', 'Date', 'Qty'],
    });
  });

  it('and reading never crash, whatever the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (noise, headed) => {
        const bytes = headed ? Buffer.concat([encode(tsv(ORDERS, [])), noise]) : noise;
        await sniff(bytes);
        for (const reader of READERS) {
          const reading = reader.read(bytesSource(bytes), { marketplaceId: DE });
          const outcome = await collect<unknown>(reading.rows).catch((error: unknown) => error);
          expect(Array.isArray(outcome) || outcome instanceof FileRefused).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });
});
