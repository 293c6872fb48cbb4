import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Decimal, plainDecimal, sum } from '#kit/contract/decimal.ts';
import { listFeeds, retryFeed } from '#modules/marketplace/contract/feeds.ts';
import { reportTasks } from '#modules/marketplace/contract/report-tasks.ts';
import { requestReport } from '#modules/marketplace/contract/sync.ts';
import { type ReportPlan, reportPlans, streams } from '#modules/marketplace/server/index.ts';
import { getRemind } from '#modules/message/contract/messages.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { publishRates } from '#test/support/rates.ts';
import type { Person } from '#test/support/world.ts';
import {
  creditInvoice,
  generateInvoices,
  type InvoiceFilter,
  type InvoiceRow,
  invoiceDetail,
  listInvoices,
  uploadInvoices,
} from '../contract/invoices.ts';
import { ossSummary, periodReport } from '../contract/report.ts';
import { readSettings, saveSites } from '../contract/settings.ts';
import { vatPlans } from '../server/facts/plans.ts';
import { issueByItself, remindDue } from '../server/jobs.ts';
import { DE, FR, GB, issuer } from './support.ts';

const TYPE = 'GET_FLAT_FILE_VAT_INVOICE_DATA_REPORT';
const START = Date.UTC(2026, 4, 20);
const DAY = 86_400_000;

let world: MarketplaceWorld;
let owner: Person;
let accountId: string;
let entityId: string;

beforeAll(async () => {
  const at = START + 24 * DAY;
  world = await createMarketplaceWorld({ scenario: 'demo', startAt: START, clock: { mode: 'frozen', at } });
  owner = await world.owner();
  await publishRates(world);
  ({ accountId } = await connectStore(owner, 'A1SANDBOX0001', DE));
  readNothingElse();
  await world.work();
}, PATIENCE_MS);
afterAll(() => world.close());

/** The rest of the seller is told elsewhere. */
function readNothingElse(): void {
  world.runtime.modules = world.runtime.modules.map((module) => ({
    ...module,
    extensions: (module.extensions ?? []).filter(
      ({ point, value }) =>
        point !== streams.name && (point !== reportPlans.name || (value as ReportPlan).code.startsWith('vat.')),
    ),
  }));
}

/** Waits until no report is under way; how many were read. */
async function untilRead(): Promise<number> {
  const ended = async () => {
    const { records } = await owner.call(reportTasks, { body: { pagesize: 100 } });
    expect(records.filter(({ status }) => status === 'failed')).toEqual([]);
    return records.every(({ status }) => status === 'loaded' || status === 'empty') ? records.length : -1;
  };
  await expect.poll(ended, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
  return ended();
}

/** Has all of the last weeks read once more. */
async function read(): Promise<void> {
  const day = (back: number) => new Date(world.sandbox.clock.now() - back * DAY).toISOString().slice(0, 10);
  const query = { authid: accountId, type: TYPE, start: day(28), end: day(0), ignore: 'true' as const };
  await expect.poll(async () => (await owner.send(requestReport, { query })).code, { timeout: PATIENCE_MS }).toBe(201);
  await untilRead();
}

const list = async (filter: Partial<InvoiceFilter>, pagesize = 100): Promise<InvoiceRow[]> =>
  (await owner.call(listInvoices, { body: { pagesize, filter } })).records;
const detail = (id: string) => owner.call(invoiceDetail, { params: { id } });
const generate = (ids: string[]) => owner.call(generateInvoices, { body: { ids } });
const upload = (ids: string[]) => owner.call(uploadInvoices, { body: { ids } });
const one = async (id: string) => (await detail(id)).invoice;
const settled = (ids: readonly string[]) =>
  expect
    .poll(async () => (await Promise.all(ids.map(one))).some(({ sending }) => sending), { timeout: PATIENCE_MS })
    .toBe(false);

test('shipments that want an invoice are read once, with Amazon’s rates, and buyers are sealed', {
  timeout: PATIENCE_MS,
}, async () => {
  await expect.poll(async () => (await owner.call(readSettings, {})).sites.length, { timeout: PATIENCE_MS }).toBe(3);
  entityId = await issuer(owner, accountId, [DE, FR, GB]);
  // Both plans were asked for by themselves: what waits, and all of the last weeks.
  await expect.poll(untilRead, { timeout: PATIENCE_MS }).toBeGreaterThanOrEqual(2);
  const known = async () => {
    const { rows } = await world.as(owner, (ctx) =>
      sql<{ n: number; open: number; amazon: number; gross: string }>`
        SELECT count(*)::int AS n, count(*) FILTER (WHERE buyer NOT LIKE 'v1.%')::int AS open,
               count(*) FILTER (WHERE by_amazon)::int AS amazon, sum(gross)::text AS gross
          FROM vat.invoice WHERE company_id = ${ctx.companyId}`.execute(ctx.db),
    );
    return rows[0];
  };
  const rows = await known();
  expect(rows?.n).toBeGreaterThan(200);
  expect([rows?.open, rows?.amazon]).toEqual([0, rows?.n]);
  await read();
  expect(await known()).toEqual(rows);
});

test('issued, uploaded, and accepted once a later report says so', { timeout: PATIENCE_MS }, async () => {
  const waiting = (await list({ state: 'pending', type: 'INVOICE' })).slice(0, 6).map(({ id }) => id);
  expect(await generate(waiting)).toMatchObject({ done: 6, failed: [] });
  expect(await upload(waiting)).toMatchObject({ done: 6, failed: [] });
  expect((await upload(waiting.slice(0, 1))).failed[0]?.reason).toBe('发票正在上传，请等待结果');
  await settled(waiting);
  expect(new Set((await Promise.all(waiting.map(one))).map(({ state }) => state))).toEqual(new Set(['uploaded']));
  const { records } = await owner.call(listFeeds, { body: { pagesize: 100 } });
  const ours = records.filter(({ feedType }) => feedType === 'UPLOAD_VAT_INVOICE');
  expect(ours.map(({ messages, status }) => [messages, status])).toEqual(waiting.map(() => [1, 'done']));
  await read();
  expect(new Set((await Promise.all(waiting.map(one))).map(({ state }) => state))).toEqual(new Set(['accepted']));
  // What is accepted is not asked for again.
  await read();
  expect(new Set((await Promise.all(waiting.map(one))).map(({ state }) => state))).toEqual(new Set(['accepted']));
});

test('what Amazon refuses is corrected under its number, and accepted then', { timeout: PATIENCE_MS }, async () => {
  const [row] = await list({ state: 'pending', type: 'INVOICE', customer: 'B2C' });
  const id = row?.id ?? '';
  await generate([id]);
  const { number } = await one(id);
  // A total that is not the shipment's: as if somebody had reckoned otherwise.
  const change = (gross: string) =>
    world.as(owner, (ctx) =>
      sql`UPDATE vat.invoice SET gross = gross + ${gross}::numeric WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(
        ctx.db,
      ),
    );
  await change('0.01');
  await upload([id]);
  await settled([id]);
  expect(await one(id)).toMatchObject({ state: 'uploaded', number });
  await read();
  expect(await one(id)).toMatchObject({
    state: 'rejected',
    number,
    problem: expect.stringContaining('TotalAmountMismatch'),
  });
  await world.as(owner, (ctx) => remindDue(ctx, new Date(world.sandbox.clock.now()).toISOString()));
  const { records } = await owner.call(getRemind, { body: {} });
  expect(records.some(({ title }) => title === '1 张VAT发票被亚马逊拒绝')).toBe(true);
  expect((await generate([id])).failed).toEqual([]);
  expect(await one(id)).toMatchObject({ state: 'generated', number, problem: '' });
  await upload([id]);
  await settled([id]);
  await read();
  expect(await one(id)).toMatchObject({ state: 'accepted', number });
});

test('a number that another shipment has is refused', {
  timeout: PATIENCE_MS,
}, async () => {
  const [taken] = await list({ state: 'accepted', type: 'INVOICE' });
  const [row] = await list({ state: 'pending', type: 'INVOICE' });
  const id = row?.id ?? '';
  await generate([id]);
  // Another program gave the same number out: the row of ours is told so by Amazon alone.
  await world.as(owner, async (ctx) => {
    await sql`UPDATE vat.invoice SET number = number || '-ALT' WHERE company_id = ${ctx.companyId} AND id = ${taken?.id}`.execute(
      ctx.db,
    );
    await sql`UPDATE vat.invoice SET number = ${taken?.number} WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(
      ctx.db,
    );
  });
  await upload([id]);
  await settled([id]);
  await read();
  expect((await one(id)).problem).toContain('DuplicateInvoiceNumber');
});

test('a lost answer of the call that hands a document in is looked for, and there is one submission', {
  timeout: PATIENCE_MS,
}, async () => {
  const [row] = await list({ state: 'pending', type: 'INVOICE' });
  const id = row?.id ?? '';
  await generate([id]);
  const before = world.sandbox.world.feeds.all().length;
  world.sandbox.world.faults.add({ kind: 'timeoutAfter', operation: 'createFeed', count: 1, ms: 100 });
  await upload([id]);
  await settled([id]);
  expect(await one(id)).toMatchObject({ state: 'uploaded' });
  expect(world.sandbox.world.feeds.all().length - before).toBe(1);
  const { records } = await owner.call(listFeeds, { body: { pagesize: 100 } });
  const feed = records.find(({ feedType }) => feedType === 'UPLOAD_VAT_INVOICE');
  expect((await owner.send(retryFeed, { params: { id: feed?.id ?? '' } })).status).toBe(409);
});

test('a refund of an accepted shipment becomes a credit note of its own series and is accepted', {
  timeout: PATIENCE_MS,
}, async () => {
  const refunds = await list({ type: 'CREDIT_NOTE', state: 'pending' });
  expect(refunds.length).toBeGreaterThan(0);
  const credit = refunds[0] as InvoiceRow;
  expect((await one(credit.id)).problem).toMatch(/原发票/);
  expect((await generate([credit.id])).failed[0]?.reason).toMatch(/原发票/);
  const [invoice] = await list({ keyword: credit.shippingId, type: 'INVOICE' });
  const ids = [invoice?.id ?? ''];
  await generate(ids);
  await upload(ids);
  await settled(ids);
  await read();
  expect(await one(ids[0] ?? '')).toMatchObject({ state: 'accepted' });
  expect((await generate([credit.id])).failed).toEqual([]);
  const made = await one(credit.id);
  expect(made.number).toMatch(/^CN-[A-Z]{2}-2026-\d{5}$/);
  expect(made.original).toBe((await one(ids[0] ?? '')).number);
  expect(new Decimal(made.gross).isNegative()).toBe(true);
  await upload([credit.id]);
  await settled([credit.id]);
  await read();
  expect(await one(credit.id)).toMatchObject({ state: 'accepted' });
  // What Amazon refunded is not left to be credited by hand.
  const whole = await detail(ids[0] ?? '');
  const left = sum(whole.lines.map((line) => line.left ?? '0'));
  expect(left).toBe(new Decimal(whole.invoice.gross).plus(made.gross).toFixed());
  const over = await owner.send(creditInvoice, {
    body: {
      id: ids[0] ?? '',
      version: whole.invoice.version,
      lines: [{ lineNo: 1, gross: whole.lines[0]?.gross ?? '' }],
    },
  });
  expect(over.msg).toMatch(/红字金额不能超过|没有可红冲/);
});

test('a site that issues by itself leaves nothing that can be issued, and what is late is told', {
  timeout: PATIENCE_MS * 2,
}, async () => {
  const now = new Date(world.sandbox.clock.now()).toISOString();
  await world.as(owner, (ctx) => remindDue(ctx, now));
  const told = await owner.call(getRemind, { body: {} });
  expect(told.records.some(({ title }) => title.endsWith('张VAT发票临近24小时上传期限'))).toBe(true);
  await owner.call(saveSites, { body: { sites: [{ site: `${FR}-${accountId}`, entityId, auto: true }] } });
  // A handful is enough to see it. Which they are is known before: one may be through before the last is sent.
  const { rows } = await world.as(owner, (ctx) =>
    sql<{ id: string }>`
      SELECT id FROM vat.invoice WHERE company_id = ${ctx.companyId} AND state = 'pending' AND type = 'INVOICE'
         AND problem = '' AND marketplace_id = ${FR} ORDER BY shipped_at, id LIMIT 5`.execute(ctx.db),
  );
  expect(rows).toHaveLength(5);
  const few = rows.map(({ id }) => id);
  await world.as(owner, (ctx) =>
    sql`UPDATE vat.invoice SET problem = 'later'
       WHERE company_id = ${ctx.companyId} AND state = 'pending' AND id <> ALL (${few}::uuid[])`.execute(ctx.db),
  );
  await issueByItself(world.runtime, owner.companyId);
  await settled(few);
  await read();
  const states = await Promise.all(rows.map(({ id }) => one(id)));
  expect(states.map(({ state }) => state)).toEqual(rows.map(() => 'accepted'));
});

test('the report of the period is the sum of what was issued, and the series have neither gaps nor doubles', async () => {
  const { rows } = await owner.call(periodReport, { body: { from: '2026-05', to: '2026-06' } });
  const issued = await world.as(owner, (ctx) =>
    sql<{ tax: string; oss: string | null; from: string }>`
      SELECT sum(tax)::text AS tax, sum(tax) FILTER (WHERE treatment = 'OSS')::text AS oss, min(from_country) AS "from"
        FROM vat.invoice WHERE company_id = ${ctx.companyId} AND number IS NOT NULL`.execute(ctx.db),
  );
  // Two numbers were changed by hand above, and one total.
  expect(sum(rows.map(({ tax }) => tax))).toBe(plainDecimal(issued.rows[0]?.tax ?? ''));
  const oss = await owner.call(ossSummary, { body: { quarter: '2026Q2' } });
  expect(sum(oss.rows.map(({ tax }) => tax))).toBe(plainDecimal(issued.rows[0]?.oss ?? '0'));
  expect(oss.rows.every(({ from, country }) => from === 'DE' && country === 'FR')).toBe(true);
  expect(oss.rows.length).toBeGreaterThan(0);
  const { series } = await owner.call(readSettings, {});
  const nos = await world.as(owner, (ctx) =>
    sql<{ key: string; nos: number[] }>`
      SELECT series_country || ' ' || type AS key, array_agg(series_no ORDER BY series_no) AS nos FROM vat.invoice
       WHERE company_id = ${ctx.companyId} AND number IS NOT NULL GROUP BY 1`.execute(ctx.db),
  );
  for (const { key, nos: taken } of nos.rows) {
    const last = series.find(({ country, type }) => `${country} ${type}` === key)?.last ?? 0;
    expect(taken).toEqual(Array.from({ length: last }, (_, at) => at + 1));
  }
});

test('the report is asked for only where somebody issues', async () => {
  const sites = vatPlans[0]?.sites;
  const account = { companyId: owner.companyId, id: accountId } as never;
  expect((await world.as(owner, (ctx) => sites?.(ctx, account) ?? Promise.resolve([]))).sort()).toEqual(
    [DE, FR, GB].sort(),
  );
  await owner.call(saveSites, { body: { sites: [{ site: `${GB}-${accountId}`, entityId: null, auto: false }] } });
  expect((await world.as(owner, (ctx) => sites?.(ctx, account) ?? Promise.resolve([]))).sort()).toEqual(
    [DE, FR].sort(),
  );
});
