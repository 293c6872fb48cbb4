import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vatDocuments, vatTotals } from '../wire/vat-documents.ts';
import { type ConsentedSeller, consentedSeller } from './seller-support.ts';

const DE = 'A1PA6795UKMFR9';
const NOW = Date.UTC(2026, 5, 20, 12);
const TYPE = 'GET_FLAT_FILE_VAT_INVOICE_DATA_REPORT';
const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n');

let seller: ConsentedSeller;

beforeAll(async () => {
  seller = await consentedSeller(
    {
      scenario: 'demo',
      clock: { mode: 'frozen', at: NOW },
      startAt: Date.UTC(2026, 5, 1),
      reportDelayMs: [0, 0],
      rateFactor: 100_000,
    },
    'eu',
  );
});
afterAll(() => seller.sandbox.close());

async function text(path: string): Promise<string> {
  const { url } = await seller.good({ method: 'GET', path });
  const bytes = Buffer.from(await (await fetch(String(url))).arrayBuffer());
  return gunzipSync(bytes).toString('latin1');
}

async function report(
  options: Record<string, string> = { pendingInvoices: 'true' },
): Promise<Record<string, string>[]> {
  const { reportId } = await seller.good({
    method: 'POST',
    path: '/reports/2021-06-30/reports',
    body: { reportType: TYPE, marketplaceIds: [DE], reportOptions: options },
  });
  const { reportDocumentId } = await seller.good({ method: 'GET', path: `/reports/2021-06-30/reports/${reportId}` });
  const content = await text(`/reports/2021-06-30/documents/${reportDocumentId}`);
  const [head = '', ...lines] = content.trim().split('\n');
  const names = head.split('\t');
  return lines.map((line) => Object.fromEntries(line.split('\t').map((cell, at) => [names[at] ?? '', cell])));
}

async function upload(options: Record<string, string>, bytes: Buffer = PDF): Promise<string> {
  const { feedDocumentId, url } = await seller.good({
    method: 'POST',
    path: '/feeds/2021-06-30/documents',
    body: { contentType: 'application/pdf' },
  });
  await fetch(String(url), {
    method: 'PUT',
    headers: { 'content-type': 'application/pdf' },
    body: new Uint8Array(bytes),
  });
  const feedOptions = Object.fromEntries(Object.entries(options).map(([name, value]) => [`metadata:${name}`, value]));
  const { feedId } = await seller.good({
    method: 'POST',
    path: '/feeds/2021-06-30/feeds',
    body: { feedType: 'UPLOAD_VAT_INVOICE', marketplaceIds: [DE], inputFeedDocumentId: feedDocumentId, feedOptions },
  });
  const feed = await seller.good({ method: 'GET', path: `/feeds/2021-06-30/feeds/${feedId}` });
  return text(`/feeds/2021-06-30/documents/${feed.resultFeedDocumentId}`);
}

function documentOf(shippingId: string) {
  const { world } = seller.sandbox;
  const account = world.account(seller.sellerId, 'eu');
  if (!account) throw new Error('no account');
  const at = world.now();
  const found = vatDocuments(world, account, world.marketplace(DE), { from: at - 90 * 86_400_000, to: at, asOf: at });
  const document = found.find((one) => one.shippingId === shippingId && one.kind === 'SHIPMENT');
  if (!document) throw new Error('no shipment');
  const { gross, tax } = vatTotals(document);
  return { TotalAmount: (gross / 100).toFixed(2), TotalVATAmount: (tax / 100).toFixed(2) };
}

const statusOf = async (shippingId: string, options?: Record<string, string>) => {
  const row = (await report(options)).find((one) => one['shipping-id'] === shippingId);
  return row && [row['invoice-status'], row['invoice-status-description']];
};

describe('the report of invoices', () => {
  it('tells shipments with gross, net and tax that add up, and the buyer', async () => {
    const rows = await report();
    expect(rows.length).toBeGreaterThan(100);
    for (const row of rows) {
      const of = (name: string) => Math.round(Number(row[`item-vat-${name}`]) * 100);
      expect(of('incl-amount')).toBe(of('amount') + of('excl-amount'));
      expect(row['item-vat-rate']).toBe('0.19');
      expect(row['recipient-name']).not.toBe('');
    }
    expect(new Set(rows.map((row) => row['transaction-type']))).toEqual(new Set(['SHIPMENT', 'REFUND']));
  });

  it('is made for no more than thirty days of orders, with its own options alone, in the VAT programme alone', async () => {
    const ask = (body: object) =>
      seller.send({
        method: 'POST',
        path: '/reports/2021-06-30/reports',
        body: { reportType: TYPE, marketplaceIds: [DE], ...body },
      });
    const from = new Date(NOW - 31 * 86_400_000).toISOString();
    const long = { reportOptions: { all: 'true' }, dataStartTime: from, dataEndTime: new Date(NOW).toISOString() };
    expect((await ask(long)).status).toBe(400);
    expect((await ask({ reportOptions: { every: 'true' } })).status).toBe(400);
  });
});

describe('an uploaded invoice', () => {
  it('is received at once and judged by the report: accepted once, its number used up', async () => {
    const [first, second] = [
      ...new Set(
        (await report()).filter((row) => row['transaction-type'] === 'SHIPMENT').map((row) => row['shipping-id'] ?? ''),
      ),
    ];
    const ShippingId = first ?? '';
    const told = { ShippingId, InvoiceNumber: 'A-1', DocumentType: 'Invoice', ...documentOf(ShippingId) };
    expect(await upload({ ...told, TotalAmount: '1.00' })).toContain('records successful\t\t1');
    expect(await statusOf(ShippingId)).toEqual(['InvoicePending', expect.stringContaining('TotalAmountMismatch')]);
    await upload(told, Buffer.from('no paper'));
    expect(await statusOf(ShippingId)).toEqual(['InvoicePending', expect.stringContaining('InvalidFileFormat')]);
    await upload(told);
    expect(await statusOf(ShippingId)).toBeUndefined();
    await upload({ ...told, InvoiceNumber: 'A-2' });
    const taken = seller.sandbox.world.feeds.vatOutcomes({ sellingPartnerId: seller.sellerId, region: 'eu' });
    expect(taken.at(-1)?.refusal).toContain('DocumentAlreadyUploaded');
    const other = second ?? '';
    await upload({ ...told, ...documentOf(other), ShippingId: other });
    expect(await statusOf(other)).toEqual(['InvoicePending', expect.stringContaining('DuplicateInvoiceNumber')]);
  });

  it('without its options is refused by the processing report', async () => {
    expect(await upload({ ShippingId: 'D1' })).toMatch(/\t79513\tError\tPlease provide metadata:shippingid/);
  });
});
