import { createCanvas, loadImage } from '@napi-rs/canvas';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Decimal, plainDecimal, sum } from '#kit/contract/decimal.ts';
import { publishRates } from '#test/support/rates.ts';
import { uploadAs } from '#test/support/upload.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { EXPORT, ISSUE, VIEW } from '../contract/fields.ts';
import {
  countInvoices,
  creditInvoice,
  exportInvoices,
  generateInvoices,
  invoiceDetail,
  invoicePdf,
  listInvoices,
  uploadInvoices,
  voidInvoice,
} from '../contract/invoices.ts';
import { exportPeriodReport, ossSummary, periodReport } from '../contract/report.ts';
import { readSettings, removeLogo, saveEntity, saveLogo, saveRates, saveSites } from '../contract/settings.ts';
import { forgetBuyers } from '../server/invoice/buyer.ts';
import { generate } from '../server/invoice/generate.ts';
import { accepted, DE, ENTITY, FR, fileStore, GB, issuer, type Waiting, waitingShipment } from './support.ts';

let world: World;
let owner: Person;
let accountId: string;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  accountId = await fileStore(owner, '欧洲', DE, GB, FR);
  await publishRates(world);
  await issuer(owner, accountId, [DE, GB, FR]);
});
afterAll(() => world.close());

const wait = (wish: Omit<Waiting, 'accountId'> = {}) =>
  world.as(owner, (ctx) => waitingShipment(ctx, { accountId, ...wish }));
const issue = (ids: string[]) => owner.call(generateInvoices, { body: { ids } });
const detail = (id: string) => owner.call(invoiceDetail, { params: { id } });
const issued = async (wish: Omit<Waiting, 'accountId'> = {}) => {
  const id = await wait(wish);
  expect((await issue([id])).failed).toEqual([]);
  return id;
};
const taken = async (wish: Omit<Waiting, 'accountId'> = {}) => {
  const id = await issued(wish);
  await world.as(owner, (ctx) => accepted(ctx, id));
  return id;
};

describe('issuing', () => {
  test('what waits is shown as it would be issued; issuing it takes a number, stores a document and audits both', async () => {
    const id = await wait({ lines: [{ gross: '29.95' }, { gross: '4.99', kind: 'SHIPPING', itemId: 'item-1' }] });
    const before = await detail(id);
    expect(before.invoice).toMatchObject({ state: 'pending', number: null, net: '29.36', tax: '5.58', gross: '34.94' });
    expect(before.lines.map(({ net, tax, rate }) => [net, tax, rate])).toEqual([
      ['25.17', '4.78', '19'],
      ['4.19', '0.80', '19'],
    ]);
    expect(before.buyer).toMatchObject({ name: 'Jürgen Groß' });
    await issue([id]);
    const after = await detail(id);
    expect(after.invoice).toMatchObject({
      state: 'generated',
      number: 'INV-DE-2026-00001',
      taxCountry: 'DE',
      gross: '34.94',
    });
    expect(after.seller).toEqual({ name: ENTITY.name, vatNumber: 'DE136695976' });
    const file = await owner.send(invoicePdf, { params: { id } });
    expect(file.raw.subarray(0, 5).toString()).toBe('%PDF-');
    const trace = await world.as(owner, async (ctx) => {
      const { rows } = await sql<{ action: string; after: string; bytes: string }>`
        SELECT a.action, a.after::text, f.sha256 AS bytes FROM kit.audit AS a, vat.invoice AS i
          JOIN kit.file AS f ON f.company_id = i.company_id AND f.id = i.file_id
         WHERE a.company_id = ${ctx.companyId} AND a.resource_id = ${id} AND i.company_id = ${ctx.companyId} AND i.id = ${id}`.execute(
        ctx.db,
      );
      const chunks: Buffer[] = [];
      for await (const chunk of ctx.runtime.files.open(ctx.companyId, rows[0]?.bytes ?? ''))
        chunks.push(chunk as Buffer);
      return { ...rows[0], stored: Buffer.concat(chunks).toString('utf8') };
    });
    expect(trace).toMatchObject({ action: '生成VAT发票' });
    expect(trace.after).toContain('INV-DE-2026-00001');
    // What lies on the disk is sealed, and the log names no buyer.
    expect(trace.stored.startsWith('v1.')).toBe(true);
    expect(trace.after).not.toContain('Groß');
    const again = await issue([id]);
    expect(again).toEqual({
      done: 0,
      failed: [{ orderId: before.invoice.orderId, reason: '已生成发票 INV-DE-2026-00001' }],
    });
  });

  test('a site without an entity, and a supply without a rate, say so and take no number', async () => {
    const lone = await world.as(owner, (ctx) =>
      waitingShipment(ctx, { accountId, marketplaceId: 'APJ6JRA9NG5V4', to: 'IT' }),
    );
    const odd = await wait({ to: 'HU' });
    const { done, failed } = await issue([lone, odd]);
    expect(done).toBe(0);
    expect(failed.map(({ reason }) => reason).sort()).toEqual([
      '未维护 HU 2026-11-17 的VAT税率',
      '该站点没有设置开票主体',
    ]);
    expect((await detail(odd)).invoice).toMatchObject({
      state: 'pending',
      number: null,
      problem: '未维护 HU 2026-11-17 的VAT税率',
    });
  });

  test('each country and kind of supply has its treatment, its series and its note', async () => {
    const oss = await detail(await issued({ marketplaceId: FR, to: 'FR' }));
    expect(oss.invoice).toMatchObject({ treatment: 'OSS', taxCountry: 'FR', rate: '20' });
    expect(oss.notes[0]).toContain('guichet unique');
    const reverse = await detail(
      await issued({ marketplaceId: FR, to: 'FR', business: true, buyerVat: 'FR40303265045' }),
    );
    expect(reverse.invoice).toMatchObject({ treatment: 'REVERSE', tax: '0.00', net: '29.95' });
    expect(reverse.notes[0]).toContain('Autoliquidation');
    const uk = await detail(
      await issued({ marketplaceId: GB, from: 'GB', to: 'GB', currency: 'GBP', lines: [{ gross: '49.99' }] }),
    );
    expect(uk.invoice).toMatchObject({ number: 'INV-GB-2026-00001', net: '41.66', tax: '8.33', currency: 'GBP' });
    const out = await detail(await issued({ to: 'CH' }));
    expect(out.invoice).toMatchObject({ treatment: 'EXPORT', tax: '0.00' });
    expect(out.notes[0]).toContain('Art. 146');
  });

  test('twenty at once, some of which fail after they took a number: no gap and no double', {
    timeout: 120_000,
  }, async () => {
    const ids = await world.as(owner, async (ctx) => {
      const made: string[] = [];
      for (let at = 0; at < 20; at += 1) made.push(await waitingShipment(ctx, { accountId, taxDay: '2026-11-16' }));
      return made;
    });
    const outcomes = await Promise.allSettled(
      ids.map((id, at) =>
        world.as(owner, async (ctx) => {
          await generate(ctx, [id]);
          if (at % 3 === 0) throw new Error('the power went');
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(7);
    await Promise.all(ids.filter((_, at) => at % 3 === 0).map((id) => world.as(owner, (ctx) => generate(ctx, [id]))));
    const rows = await world.as(owner, async (ctx) => {
      const found = await sql<{ country: string; type: string; nos: number[]; last: number }>`
        SELECT i.series_country AS country, i.type, array_agg(i.series_no ORDER BY i.series_no) AS nos, min(s.last) AS last
          FROM vat.invoice AS i JOIN vat.series AS s ON s.company_id = i.company_id AND s.entity_id = i.entity_id
           AND s.country = i.series_country AND s.type = i.type AND s.year = i.series_year
         WHERE i.company_id = ${ctx.companyId} AND i.number IS NOT NULL GROUP BY 1, 2`.execute(ctx.db);
      return found.rows;
    });
    expect(rows.length).toBeGreaterThan(1);
    for (const { nos, last } of rows) expect(nos).toEqual(Array.from({ length: last }, (_, at) => at + 1));
    expect(rows.find(({ country }) => country === 'DE')?.nos.length).toBeGreaterThanOrEqual(20);
  });
});

describe('credit notes', () => {
  test('take back an accepted invoice by lines, with a number and a series of their own, never more than was left', async () => {
    const id = await taken({ lines: [{ gross: '10.01' }, { gross: '20.00' }] });
    const { invoice } = await detail(id);
    const first = await owner.call(creditInvoice, {
      body: { id, version: invoice.version, lines: [{ lineNo: 1, gross: '3.34' }] },
    });
    expect(first.number).toBe('CN-DE-2026-00001');
    expect((await detail(first.id)).invoice).toMatchObject({
      type: 'CREDIT_NOTE',
      gross: '-3.34',
      original: invoice.number,
    });
    const over = await owner.send(creditInvoice, {
      body: { id, version: invoice.version, lines: [{ lineNo: 1, gross: '6.68' }] },
    });
    expect(over.msg).toBe('第 1 行红字金额不能超过 6.67');
    const rest = await owner.call(creditInvoice, { body: { id, version: invoice.version, lines: [] } });
    const parts = [await detail(first.id), await detail(rest.id)].map((one) => one.invoice);
    for (const key of ['net', 'tax', 'gross'] as const) {
      const back = new Decimal(sum(parts.map((one) => one[key] ?? '0'))).neg().toFixed(2);
      expect(back).toBe(invoice[key]);
    }
    expect((await detail(id)).lines.map(({ left }) => left)).toEqual(['0.00', '0.00']);
    const none = await owner.send(creditInvoice, { body: { id, version: invoice.version, lines: [] } });
    expect(none.msg).toBe('没有可红冲的金额');
    // Amazon knows nothing of this refund: the document stays here.
    expect((await owner.call(uploadInvoices, { body: { ids: [first.id] } })).failed[0]?.reason).toContain(
      '只在本地存档',
    );
  });

  test('an invoice that is not accepted is neither credited nor made void; an accepted one asks for a credit note', async () => {
    const id = await issued();
    const { version } = (await detail(id)).invoice;
    expect((await owner.send(creditInvoice, { body: { id, version, lines: [] } })).msg).toBe(
      '发票尚未被亚马逊接受，不能开红字发票',
    );
    expect((await owner.send(voidInvoice, { body: { id, version } })).msg).toBe('发票号不能作废，请更正后重传');
    await world.as(owner, (ctx) => accepted(ctx, id));
    expect((await owner.send(voidInvoice, { body: { id, version } })).msg).toBe(
      '发票已被亚马逊接受，不能作废，请开红字发票',
    );
    expect((await owner.call(generateInvoices, { body: { ids: [id] } })).done).toBe(0);
  });
});

describe('reports', () => {
  test('the sums of a period, of the one-stop shop and of the documents are the same to the cent', async () => {
    const body = { from: '2026-11', to: '2026-11' };
    const { rows, missing } = await owner.call(periodReport, { body });
    expect(missing).toEqual([]);
    const quarter = await owner.call(periodReport, { body: { from: '2026Q4', to: '2026Q4' } });
    const documents = await world.as(owner, async (ctx) => {
      const found = await sql<{ currency: string; net: string; tax: string; gross: string; oss: string | null }>`
        SELECT currency, sum(net)::text AS net, sum(tax)::text AS tax, sum(gross)::text AS gross,
               sum(tax) FILTER (WHERE treatment = 'OSS')::text AS oss
          FROM vat.invoice WHERE company_id = ${ctx.companyId} AND number IS NOT NULL GROUP BY 1`.execute(ctx.db);
      return found.rows;
    });
    for (const { currency, oss, ...sums } of documents) {
      const same = rows.filter((row) => row.currency === currency);
      for (const key of ['net', 'tax', 'gross'] as const) {
        expect(sum(same.map((row) => row[key]))).toBe(plainDecimal(sums[key]));
        const all = quarter.rows.filter((row) => row.currency === currency);
        expect(sum(all.map((row) => row[key]))).toBe(plainDecimal(sums[key]));
      }
      const shop = (await owner.call(ossSummary, { body: { quarter: '2026Q4' } })).rows;
      const told = shop.filter((row) => row.currency === currency).map((row) => row.tax);
      expect(sum(told)).toBe(plainDecimal(oss ?? '0'));
    }
    expect(rows.some(({ customer }) => customer === 'B2B')).toBe(true);
    const pounds = rows.find(({ currency }) => currency === 'GBP');
    expect(new Decimal(pounds?.grossEur ?? 0).gt(pounds?.gross ?? 0)).toBe(true);
    expect(rows.find(({ currency }) => currency === 'EUR')?.grossEur).toBe(
      rows.find(({ currency }) => currency === 'EUR')?.gross,
    );
    const file = await owner.send(exportPeriodReport, { body: { ...body, format: 'csv' } });
    expect(file.raw.toString('utf8')).toContain('计税国');
    expect((await owner.send(periodReport, { body: { from: '2026-11', to: '2026Q4' } })).msg).toBe(
      '起止期间须同为月份或同为季度',
    );
  });
});

describe('settings', () => {
  test('refuse a number that is none, two of a country, and one pattern for both sorts', async () => {
    const bad = (part: object) =>
      owner.send(saveEntity, { body: { ...ENTITY, name: '乙', numbers: [...ENTITY.numbers], ...part } as never });
    expect((await bad({ numbers: [{ country: 'DE', number: 'DE136695977' }], ossCountry: null })).msg).toContain(
      '德国的VAT号',
    );
    expect((await bad({ ossCountry: 'IT' })).msg).toContain('OSS注册国');
    expect((await bad({ creditPattern: ENTITY.invoicePattern })).msg).toContain('不能与发票号规则相同');
    expect((await bad({ invoicePattern: 'INV-{seq:5}' })).msg).toContain('{country}');
  });

  test('a rate counts from its day on, and the list tells entities, sites and what the series have given out', async () => {
    await owner.call(saveRates, { body: { rates: [{ country: 'DE', rate: '16', validFrom: '2026-11-18' }] } });
    const later = await detail(await issued({ taxDay: '2026-11-18' }));
    expect(later.invoice.rate).toBe('16');
    expect((await detail(await issued({ taxDay: '2026-11-17' }))).invoice.rate).toBe('19');
    const all = await owner.call(readSettings, {});
    expect(all.entities.map(({ name }) => name)).toEqual([ENTITY.name]);
    expect(all.sites.filter(({ entityId }) => entityId !== null)).toHaveLength(3);
    expect(all.series.find(({ country, type }) => country === 'DE' && type === 'CREDIT_NOTE')?.last).toBe(2);
  });
});

describe('who may', () => {
  test('see, issue and take along; another company finds nothing', async () => {
    const id = await wait();
    const reader = await world.member(owner, [VIEW]);
    expect((await reader.send(generateInvoices, { body: { ids: [id] } })).status).toBe(403);
    expect((await reader.send(exportInvoices, { body: {} })).status).toBe(403);
    const clerk = await world.member(owner, [ISSUE, EXPORT]);
    expect((await clerk.send(invoiceDetail, { params: { id } })).status).toBe(403);
    const stranger = await world.owner('别家');
    for (const attempt of [
      stranger.send(invoiceDetail, { params: { id } }),
      stranger.send(generateInvoices, { body: { ids: [id] } }),
      stranger.send(uploadInvoices, { body: { ids: [id] } }),
      stranger.send(invoicePdf, { params: { id } }),
    ]) {
      expect((await attempt).status).toBe(404);
    }
    const { entities } = await owner.call(readSettings, {});
    const theirs = await fileStore(stranger, '别店', DE);
    const site = { site: `${DE}-${theirs}`, entityId: entities[0]?.id ?? '', auto: true };
    expect((await stranger.send(saveSites, { body: { sites: [site] } })).status).toBe(404);
  });

  test('the list counts by state, finds by number, and its file names no buyer', async () => {
    const counts = await owner.call(countInvoices, { body: {} });
    const { records, total } = await owner.call(listInvoices, { body: { filter: { keyword: 'INV-DE-2026-00001' } } });
    expect([total, records[0]?.number]).toEqual([1, 'INV-DE-2026-00001']);
    expect(counts.all).toBe(Object.entries(counts).reduce((all, [key, n]) => (key === 'all' ? all : all + n), 0));
    const file = await owner.send(exportInvoices, { body: { format: 'csv' } });
    expect(file.raw.toString('utf8')).toContain('INV-DE-2026-00001');
    expect(file.raw.toString('utf8')).not.toContain('Groß');
  });
});

test('a buyer goes thirty days after Amazon accepted the document, and the document stays', async () => {
  const id = await taken();
  await world.as(owner, (ctx) =>
    sql`UPDATE vat.invoice SET accepted_at = kit.now() - interval '31 days' WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(
      ctx.db,
    ),
  );
  const kept = await issued();
  expect(await world.as(owner, (ctx) => forgetBuyers(ctx, '2026-11-18T00:00:00Z'))).toBe(1);
  expect((await detail(id)).buyer).toBeNull();
  expect((await detail(kept)).buyer).not.toBeNull();
  expect((await owner.send(invoicePdf, { params: { id } })).raw.subarray(0, 5).toString()).toBe('%PDF-');
  // Credited later, the document refers to the customer of the original.
  const { version } = (await detail(id)).invoice;
  const { number } = await owner.call(creditInvoice, { body: { id, version, lines: [] } });
  expect(number).toMatch(/^CN-DE-2026-/);
});

test('a logo stands on what is issued after it was uploaded, and never on what was issued before', async () => {
  const [entity] = (await owner.call(readSettings, {})).entities;
  const named = { id: entity?.id ?? '', version: String(entity?.version) };
  const pdf = async (id: string) => (await owner.send(invoicePdf, { params: { id } })).raw.toString('latin1');
  const sent = (person: Person, bytes: Buffer) => uploadAs(world, person, saveLogo, named, { name: 'logo.png', bytes });
  const before = await issued();
  const canvas = createCanvas(1200, 300);
  const context = canvas.getContext('2d');
  context.fillStyle = '#c03';
  context.fillRect(0, 0, 1200, 300);
  const logo = canvas.toBuffer('image/png');
  expect(await sent(owner, Buffer.from('no picture'))).toMatchObject({
    msg: expect.stringContaining('文件格式不支持'),
  });
  expect(await sent(owner, logo)).toMatchObject({ code: 201 });
  expect(await sent(owner, logo)).toMatchObject({ code: 409 });
  const [after] = (await owner.call(readSettings, {})).entities;
  const shown = await loadImage(Buffer.from(after?.logo?.split(',')[1] ?? '', 'base64'));
  expect([shown.width, shown.height]).toEqual([600, 150]);
  expect(await pdf(await issued())).toContain('/Subtype /Image');
  expect(await pdf(before)).not.toContain('/Subtype /Image');
  const stranger = await world.owner();
  expect(await sent(stranger, logo)).toMatchObject({ code: 404 });
  await owner.call(removeLogo, { body: { id: named.id, version: after?.version ?? 0 } });
  expect(await pdf(await issued())).not.toContain('/Subtype /Image');
});
