import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plainDecimal } from '#kit/contract/decimal.ts';
import { type AccountRef, feePreviews, reimbursements } from '#modules/marketplace/server/index.ts';
import { saveProduct } from '#modules/product/contract/material.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { claimDetail, fileClaim, listClaims } from '../contract/claim-calls.ts';
import { askRemeasure, countFeeAudit, type FeeAuditFilter, feeAudit } from '../contract/fee-audit.ts';
import { chargedSums, feeAuditDetail } from '../contract/fee-charged.ts';
import { findClaims } from '../server/claims/find.ts';
import { refreshFeeAudit } from '../server/fee-audit/refresh.ts';
import { type Cells, type Load, loading, tsv } from './facts-support.ts';
import { makeAccount, US } from './support.ts';

/** The report of a day, as the engine asks for it. */
const on = (day: string) => ({
  from: `${day}T08:00:00.000Z`,
  to: `${day}T20:00:00.000Z`,
  at: `${day}T20:00:00.000Z`,
  wholeDays: false,
});

const COLUMNS = [
  'sku',
  'fnsku',
  'asin',
  'product-name',
  'your-price',
  'longest-side',
  'median-side',
  'shortest-side',
  'unit-of-dimension',
  'item-package-weight',
  'unit-of-weight',
  'product-size-tier',
  'currency',
  'estimated-fee-total',
  'estimated-referral-fee-per-unit',
  'expected-fulfillment-fee-per-unit',
];
type Inches = readonly [number, number, number, pounds: number];
const preview = (sku: string, [a, b, c, pounds]: Inches, tier: string, fee: string): Cells => ({
  sku,
  fnsku: `X-${sku}`,
  asin: 'B000000001',
  'your-price': '19.99',
  'longest-side': a,
  'median-side': b,
  'shortest-side': c,
  'unit-of-dimension': 'inches',
  'item-package-weight': pounds,
  'unit-of-weight': 'pounds',
  'product-size-tier': tier,
  currency: 'USD',
  'estimated-fee-total': '9.00',
  'estimated-referral-fee-per-unit': '3.00',
  'expected-fulfillment-fee-per-unit': fee,
});

const RIGHT: Inches = [14, 10, 0.7, 0.7];
/** 14 × 10 × 3 ÷ 139 = 3.02 lb. */
const WRONG: Inches = [14, 10, 3, 0.7];
const SMALL = 'Small standard-size';
const LARGE = 'Large standard-size';

let world: World;
let owner: Person;
let load: Load;
let account: AccountRef;

const report = async (day: string, rows: readonly Cells[]) => {
  await load(account, feePreviews.type, tsv(COLUMNS, rows), on(day));
  await world.as(owner, (ctx) => refreshFeeAudit(ctx, account.id));
};
const rowsOf = async (filter: FeeAuditFilter = {}) =>
  (await owner.call(feeAudit.list, { body: { filter, sort: 'product', order: 'asc' } })).records;
const rowOf = async (sku: string) => {
  const row = (await rowsOf({ skus: [sku] }))[0];
  if (!row) throw new Error(sku);
  return row;
};

const STILL = [
  preview('FINE', RIGHT, SMALL, '3.78'),
  preview('BARE', RIGHT, SMALL, '3.78'),
  preview('ALONE', RIGHT, SMALL, '3.78'),
  preview('DEARER', RIGHT, SMALL, '4.90'),
];

beforeAll(async () => {
  world = await createWorld({ clockShiftMs: Date.UTC(2026, 2, 10, 2) - Date.now() });
  owner = await world.owner();
  load = loading(world, owner);
  account = await makeAccount(world, owner);
  const packed = {
    role: 'packed' as const,
    length: '35.56',
    width: '25.4',
    height: '1.77',
    weight: '0.317',
    unitsPerCarton: null,
  };
  for (const sku of ['OVER', 'FINE', 'DEARER', 'OTHER']) {
    await owner.call(saveProduct, { body: { sku, name: sku, dimensions: [packed] } });
  }
  const bare = { ...packed, role: 'net' as const };
  await owner.call(saveProduct, { body: { sku: 'BARE', name: 'BARE', dimensions: [bare] } });
  await world.as(owner, async (ctx) => {
    await ctx.db
      .insertInto('marketplace.seller_marketplace')
      .values({ company_id: ctx.companyId, account_id: account.id, marketplace_id: US })
      .execute();
    await sql`
      INSERT INTO sales.sku_day (company_id, account_id, marketplace_id, local_date, seller_sku, asin, fulfilled_by,
        is_business, currency, orders, order_items, units, gross_units, cancelled_units, shipped_units, product_sales,
        estimated_sales, discount, shipping_sales, tax, replacement_units, mcf_units, zero_price_units, unpriced_units)
      VALUES (${ctx.companyId}, ${account.id}, ${US}, kit.day(kit.now()) - 3, 'OVER', '', 'AMAZON', false, 'USD', 214, 214, 214, 214, 0,
        214, 10, 0, 0, 0, 0, 0, 0, 0, 0)`.execute(ctx.db);
  });
  await report('2026-03-01', [preview('OVER', WRONG, LARGE, '7.05'), ...STILL]);
  await report('2026-03-08', [preview('OVER', WRONG, LARGE, '7.05'), ...STILL]);
}, 120_000);
afterAll(() => world.close());

it('finds what is measured otherwise and too dear, and nothing where measurements agree', async () => {
  const rows = await rowsOf();
  expect(rows.map((row) => [row.product.code, row.verdict, row.gap, row.ownFee && plainDecimal(row.ownFee)])).toEqual([
    ['ALONE', 'NONE', 'NO_MATCH', null],
    ['BARE', 'NONE', 'NO_MEASURE', null],
    ['DEARER', 'HIGHER', null, '3.78'],
    ['FINE', 'EQUAL', null, '3.78'],
    ['OVER', 'OVER', null, '3.78'],
  ]);
  expect(await rowOf('OVER')).toMatchObject({
    day: '2026-03-08',
    measuredSince: '2026-03-01',
    amazonSides: '35.56 × 25.4 × 7.62',
    ownSides: '35.56 × 25.4 × 1.77',
    ownTier: 'SMALL_STANDARD',
    card: 'US 2026-01-15',
    units30: 214,
    claimId: null,
  });
  const over = await rowOf('OVER');
  expect([over.cardFee, over.diff, over.monthly].map((value) => value && plainDecimal(value))).toEqual([
    '7.05',
    '3.27',
    '699.78',
  ]);
  const counts = await owner.call(countFeeAudit, { body: { filter: {} } });
  expect(counts).toMatchObject({ all: 5, over: 1, higher: 2, lower: 0, equal: 1, none: 2 });
  const { totals, records } = await owner.call(feeAudit.list, { body: { filter: { tab: 'over' } } });
  expect(records.map((row) => row.product.code)).toEqual(['OVER']);
  expect([totals?.currency, plainDecimal(String(totals?.monthly))]).toEqual(['USD', '699.78']);
  expect((await rowsOf({ gaps: ['NO_MEASURE'] })).map((row) => row.product.code)).toEqual(['BARE']);
});

it('makes one claim of a measurement, with both measurements, the card and a text', async () => {
  const { id } = await rowOf('OVER');
  const first = await owner.call(askRemeasure, { body: { ids: [id] } });
  const second = await owner.call(askRemeasure, { body: { ids: [id] } });
  expect(first.claims).toMatchObject([{ sku: 'OVER', repeated: false }]);
  expect(second).toMatchObject({ claims: [{ number: first.claims[0]?.number, repeated: true }] });
  const { records } = await owner.call(listClaims, { body: { filter: { types: ['FEE_OVERCHARGE'] } } });
  expect(records).toMatchObject([
    { state: 'ready', day: '2026-03-08', deadline: '2026-06-06', qty: 214, reference: 'B000000001', fnsku: 'X-OVER' },
  ]);
  expect(plainDecimal(records[0]?.value ?? '0')).toBe('699.78');
  const { text, evidence, checklist } = await owner.call(claimDetail, { params: { id: records[0]?.id ?? '' } });
  expect(evidence.map((one) => [one.source, one.amount])).toEqual([
    ['AMAZON', '7.05'],
    ['OWN', '3.78'],
    ['CARD', '3.78'],
  ]);
  expect(checklist.every((one) => one.done)).toBe(true);
  expect(text).toContain('Measured by Amazon: 35.56 × 25.4 × 7.62 cm');
  expect(text).toContain('Measured by us: 35.56 × 25.4 × 1.77 cm, 0.317 kg, small standard, fee 3.78 USD');
  expect(text).toContain('Fee schedule: US 2026-01-15');
  expect((await rowOf('OVER')).claimNumber).toBe(first.claims[0]?.number);
});

it('refuses what is not overcharged and what is somebody else’s', async () => {
  const fine = await rowOf('FINE');
  expect((await owner.send(askRemeasure, { body: { ids: [fine.id] } })).msg).toBe('FINE 未判定为超收，不能申请复测');
  const stranger = await world.owner();
  const over = await rowOf('OVER');
  expect((await stranger.send(askRemeasure, { body: { ids: [over.id] } })).status).toBe(404);
});

const claimed = async () =>
  (
    await owner.call(listClaims, { body: { filter: { types: ['FEE_OVERCHARGE'] }, sort: 'number', order: 'asc' } })
  ).records.map((row) => [row.state, row.found, row.paid, row.qty]);

it('keeps the claim while nothing changes, and settles it when Amazon measures as we do', async () => {
  await world.as(owner, (ctx) => findClaims(ctx, account.id));
  expect(await claimed()).toEqual([['ready', 0, 0, 214]]);
  await report('2026-03-09', [preview('OVER', RIGHT, SMALL, '3.78'), ...STILL]);
  expect(await claimed()).toEqual([['resolved', 214, 0, 0]]);
  await world.as(owner, (ctx) => findClaims(ctx, account.id));
  expect(await claimed()).toEqual([['resolved', 214, 0, 0]]);
  expect(await rowOf('OVER')).toMatchObject({ verdict: 'EQUAL', measuredSince: '2026-03-09', claimId: null });
});

it('takes another measurement for another claim, which is paid once Amazon pays under its case', async () => {
  await report('2026-03-10', [preview('OVER', WRONG, LARGE, '7.05'), ...STILL]);
  const { claims } = await owner.call(askRemeasure, { body: { ids: [(await rowOf('OVER')).id] } });
  expect(claims).toMatchObject([{ repeated: false }]);
  const { claim } = await owner.call(claimDetail, { params: { id: claims[0]?.id ?? '' } });
  await owner.call(fileClaim, { body: { id: claim.id, version: claim.version, caseNo: '15551' } });
  const columns = [
    'approval-date',
    'reimbursement-id',
    'case-id',
    'reason',
    'sku',
    'fnsku',
    'currency-unit',
    'amount-total',
  ];
  const empty = ['amazon-order-id', 'amount-per-unit', 'quantity-reimbursed-cash', 'quantity-reimbursed-inventory'];
  const tail = ['quantity-reimbursed-total', 'original-reimbursement-id'];
  const paid: Cells = {
    'approval-date': '2026-03-10T20:00:00+00:00',
    'reimbursement-id': '900',
    'case-id': '15551',
    reason: 'FeeCorrection',
    sku: 'OVER',
    fnsku: 'X-OVER',
    'currency-unit': 'USD',
    'amount-total': '699.78',
  };
  await load(account, reimbursements.type, tsv([...columns, ...empty, ...tail], [paid]), {
    from: '2026-03-01T08:00:00.000Z',
    to: '2026-03-11T07:00:00.000Z',
    at: '2026-03-11T08:00:00.000Z',
    wholeDays: true,
  });
  await world.as(owner, (ctx) => findClaims(ctx, account.id));
  expect(await claimed()).toEqual([
    ['resolved', 214, 0, 0],
    ['paid', 0, 214, 0],
  ]);
});

it('compares anew when a product is measured', async () => {
  expect((await rowOf('BARE')).gap).toBe('NO_MEASURE');
  const packed = {
    role: 'packed' as const,
    length: '35.56',
    width: '25.4',
    height: '1.77',
    weight: '0.317',
    unitsPerCarton: null,
  };
  const { id } = await world.as(owner, async (ctx) => {
    const row = await ctx.db
      .selectFrom('product.local_product')
      .select('id')
      .where('company_id', '=', ctx.companyId)
      .where('sku', '=', 'BARE')
      .executeTakeFirstOrThrow();
    return row;
  });
  await world.work();
  await owner.call(saveProduct, { body: { id, sku: 'BARE', name: 'BARE', dimensions: [packed] } });
  await expect.poll(async () => (await rowOf('BARE')).verdict, { timeout: PATIENCE_MS }).toBe('EQUAL');
});

/** A sale of some pieces, and what was charged for sending them. */
async function sold(order: string, sku: string, day: string, units: number, fee: string | null): Promise<void> {
  await world.as(owner, async (ctx) => {
    const { rows } = await sql<{ id: string }>`
      INSERT INTO settlement.source_doc (company_id, account_id, kind, external_id, currency, total, content_hash, marketplace_id, posted_at)
      VALUES (${ctx.companyId}, ${account.id}, 'TRANSACTION', ${order}, 'USD', 0, 'x', ${US}, ${day}::date + time '12:00') RETURNING id`.execute(
      ctx.db,
    );
    const lines = [
      { no: 1, code: 'PRINCIPAL', amount: '19.99', quantity: units },
      ...(fee === null ? [] : [{ no: 2, code: 'FBA_FULFIL', amount: `-${fee}`, quantity: null }]),
    ];
    await sql`
      INSERT INTO settlement.money_line (company_id, source_doc_id, line_no, account_id, source, stage, marketplace_id,
        marketplace_from, transaction_type, amount_type, amount_description, fee_code, pl_section, mapping_version, order_id, sku,
        sku_from, amount, quantity, currency, posted_at, posted_date)
      SELECT ${ctx.companyId}, ${rows[0]?.id}, l.no, ${account.id}, 'TRANSACTION', 'RELEASED', ${US}, 'FILE', 'Order', 'x', 'x',
        l.code, 'x', 1, ${order}, ${sku}, 'FILE', l.amount, l.quantity, 'USD', ${day}::date, ${day}::date
        FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS l(no int, code text, amount numeric, quantity int)`.execute(
      ctx.db,
    );
  });
}

it('holds what was charged for sending each SKU against the period before, and tells all of one SKU', async () => {
  await sold('O-1', 'OVER', '2026-02-03', 2, '7.56');
  await sold('O-2', 'OVER', '2026-03-02', 3, '21.15');
  await sold('O-3', 'OVER', '2026-03-04', 1, '7.05');
  // A fee that is not told yet, and a SKU that sold nothing before.
  await sold('O-4', 'OVER', '2026-03-05', 9, null);
  await sold('O-5', 'FINE', '2026-03-05', 1, '3.78');
  const filter = { dates: { from: '2026-03-01', to: '2026-03-31' } };
  const { records, totals } = await owner.call(chargedSums.list, { body: { filter } });
  const plain = (value: unknown) => (value == null ? null : plainDecimal(String(value)));
  expect(
    records.map((row) => [
      row.product.code,
      plain(row.chargedFee),
      row.chargedUnits,
      plain(row.perPiece),
      plain(row.chargedFeeBefore),
      row.chargedUnitsBefore,
      plain(row.perPieceBefore),
    ]),
  ).toEqual([
    ['OVER', '28.2', 4, '7.05', '7.56', 2, '3.78'],
    ['FINE', '3.78', 1, '3.78', '0', 0, null],
  ]);
  expect([plain(totals?.chargedFee), totals?.chargedUnits, plain(totals?.chargedFeeBefore)]).toEqual([
    '31.98',
    5,
    '7.56',
  ]);
  const { points } = await owner.call(chargedSums.trend, { body: { filter } });
  expect(
    points.filter(({ now }) => Number(now.chargedUnits) > 0).map(({ day, now }) => [day, now.chargedUnits]),
  ).toEqual([
    ['2026-03-02', 3],
    ['2026-03-04', 1],
    ['2026-03-05', 1],
  ]);
  const file = await owner.send(chargedSums.export, { body: { format: 'csv', filter } });
  expect(file.raw.toString('utf8')).toContain('对比期实收配送费');

  const { id } = await rowOf('OVER');
  const detail = await owner.call(feeAuditDetail, { query: { id } });
  expect(detail.row).toMatchObject({ ownTier: 'SMALL_STANDARD', card: 'US 2026-01-15', product: { code: 'OVER' } });
  // Measured wrong, right, and wrong again: each told once, though five reports did.
  expect(detail.measured.map(({ day, sides }) => [day, sides])).toEqual([
    ['2026-03-10', '35.56 × 25.4 × 7.62'],
    ['2026-03-09', '35.56 × 25.4 × 1.78'],
    ['2026-03-01', '35.56 × 25.4 × 7.62'],
  ]);
  expect(detail.charged.map(({ month, units, perPiece }) => [month, units, perPiece])).toEqual([
    ['2026-03-01', 4, '7.05'],
    ['2026-02-01', 2, '3.78'],
  ]);
  expect(detail.claims).toHaveLength(2);
  const blind = await world.member(owner, ['amz:inventory:view']);
  const shown = await blind.send(feeAuditDetail, { query: { id } });
  expect(shown.status).toBe(200);
  expect(shown.raw.toString('utf8')).not.toContain('7.05');
  const stranger = await world.owner();
  expect((await stranger.send(feeAuditDetail, { query: { id } })).status).toBe(404);
  expect((await stranger.call(chargedSums.list, { body: { filter } })).total).toBe(0);
});
