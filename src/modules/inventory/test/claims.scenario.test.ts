import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plainDecimal } from '#kit/contract/decimal.ts';
import {
  type AccountRef,
  customerReturns,
  ledgerDetail,
  reimbursements,
  removalOrders,
  removalShipments,
} from '#modules/marketplace/server/index.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  answerClaim,
  buildClaims,
  claimDetail,
  countClaims,
  dismissClaim,
  exportClaims,
  fileClaim,
  listClaims,
  readClaimRules,
  saveClaimRules,
} from '../contract/claim-calls.ts';
import { findClaims } from '../server/claims/find.ts';
import { remindDue } from '../server/claims/jobs.ts';
import { type Cells, DETAIL, type Load, loading, tsv } from './facts-support.ts';
import { makeAccount, US } from './support.ts';

const PERIOD = {
  from: '2026-03-01T07:00:00.000Z',
  to: '2026-06-20T07:00:00.000Z',
  at: '2026-06-20T10:00:00.000Z',
  wholeDays: true,
};
const noon = (day: string) => `${day}T20:00:00+00:00`;

let world: World;
let owner: Person;
let load: Load;
let account: AccountRef;

const american = (day: string): string => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;
/** An adjustment of a SKU, whose label is "X-" and its name. */
const adjusted = (sku: string, day: string, reason: string, quantity: number, more: Cells = {}): Cells => ({
  Date: american(day),
  FNSKU: `X-${sku}`,
  ASIN: 'B000000001',
  MSKU: sku,
  'Event Type': 'Adjustments',
  'Reference ID': `${sku}-${day}`,
  Quantity: quantity,
  'Fulfillment Center': 'ONT8',
  Disposition: 'SELLABLE',
  Reason: reason,
  Country: 'US',
  ...more,
});

const LEDGER: readonly Cells[] = [
  // Of five lost in two warehouses two are found and one is paid for.
  adjusted('PART', '2026-05-01', 'M', -3),
  adjusted('PART', '2026-05-01', 'M', -2, { 'Fulfillment Center': 'PHX7' }),
  adjusted('PART', '2026-05-10', 'F', 2),
  // Broken pieces leave the good ones and come as bad ones.
  adjusted('BROKEN', '2026-05-20', 'E', -3),
  adjusted('BROKEN', '2026-05-20', 'E', 3, { Disposition: 'WAREHOUSE_DAMAGED' }),
  adjusted('FOUND', '2026-05-02', 'M', -2),
  adjusted('FOUND', '2026-05-09', 'F', 2),
  adjusted('PAID', '2026-05-03', 'M', -4),
  adjusted('BUYER', '2026-05-03', 'H', -1),
  adjusted('BACK', '2026-04-01', 'M', -1),
  adjusted('RIGHTLY', '2026-04-01', 'M', -1),
  adjusted('RIGHTLY', '2026-04-20', 'F', 1),
  adjusted('INBOUND', '2026-05-04', 'M', -1),
  adjusted('LATE', '2026-03-10', 'M', -1),
];

const PAID = [
  'approval-date',
  'reimbursement-id',
  'case-id',
  'amazon-order-id',
  'reason',
  'sku',
  'fnsku',
  'currency-unit',
  'amount-per-unit',
  'amount-total',
  'quantity-reimbursed-cash',
  'quantity-reimbursed-inventory',
  'quantity-reimbursed-total',
  'original-reimbursement-id',
];
const paid = (id: string, sku: string, day: string, reason: string, quantity: number, more: Cells = {}): Cells => ({
  'approval-date': noon(day),
  'reimbursement-id': id,
  reason,
  sku,
  fnsku: `X-${sku}`,
  'currency-unit': 'USD',
  'amount-total': '6.40',
  'quantity-reimbursed-total': quantity,
  ...more,
});
const taken = (id: string, sku: string, day: string, original: string): Cells =>
  paid(id, sku, day, 'Reimbursement_Reversal', 1, {
    'amount-total': '-6.40',
    'original-reimbursement-id': original,
  });
const PAYMENTS: readonly Cells[] = [
  paid('P1', 'PART', '2026-05-12', 'Lost_Warehouse', 1),
  paid('P2', 'PAID', '2026-05-12', 'Lost_Warehouse', 4, {
    'quantity-reimbursed-cash': 1,
    'quantity-reimbursed-inventory': 3,
  }),
  paid('P3', 'BACK', '2026-04-05', 'Lost_Warehouse', 1),
  taken('P4', 'BACK', '2026-06-01', 'P3'),
  paid('P5', 'RIGHTLY', '2026-04-05', 'Lost_Warehouse', 1),
  taken('P6', 'RIGHTLY', '2026-06-01', 'P5'),
  paid('P7', 'INBOUND', '2026-05-20', 'Lost_Inbound', 1),
  paid('P8', 'SOLD', '2026-05-20', 'CustomerReturn', 1, { 'amazon-order-id': '111-0000000-0000004' }),
];

const RETURNED = [
  'return-date',
  'order-id',
  'sku',
  'asin',
  'fnsku',
  'quantity',
  'fulfillment-center-id',
  'reason',
  'detailed-disposition',
  'license-plate-number',
];
const returned = (order: string, day: string): Cells => ({
  'return-date': noon(day),
  'order-id': order,
  sku: 'SOLD',
  fnsku: 'X-SOLD',
  quantity: 1,
  'fulfillment-center-id': 'IND9',
  reason: 'UNWANTED_ITEM',
  'detailed-disposition': 'SELLABLE',
  'license-plate-number': `LPN-${order}`,
});

const REMOVAL = [
  'request-date',
  'order-id',
  'order-type',
  'order-status',
  'last-updated-date',
  'sku',
  'fnsku',
  'disposition',
  'requested-quantity',
  'shipped-quantity',
];
const removal = (order: string, status: string, requested: number): Cells => ({
  'request-date': noon('2026-05-01'),
  'order-id': order,
  'order-type': 'Return',
  'order-status': status,
  'last-updated-date': noon('2026-05-08'),
  sku: 'GONE',
  fnsku: 'X-GONE',
  disposition: 'Unsellable',
  'requested-quantity': requested,
  'shipped-quantity': requested,
});
const PARCEL = [
  'request-date',
  'order-id',
  'shipment-date',
  'sku',
  'fnsku',
  'disposition',
  'shipped-quantity',
  'carrier',
  'tracking-number',
  'removal-order-type',
];
const parcel = (order: string, day: string, quantity: number): Cells => ({
  'request-date': noon('2026-05-01'),
  'order-id': order,
  'shipment-date': noon(day),
  sku: 'GONE',
  fnsku: 'X-GONE',
  disposition: 'Unsellable',
  'shipped-quantity': quantity,
  carrier: 'UPS',
  'tracking-number': `1Z${order}`,
  'removal-order-type': 'Return',
});

interface Refund {
  order: string;
  day: string;
  by?: 'AMAZON' | 'MERCHANT';
}

/** An order of one piece sold for 25.00, of which 17.50 stayed, and its refund, as the finances tell of them. */
async function refund({ order, day, by = 'AMAZON' }: Refund): Promise<void> {
  await world.as(owner, async (ctx) => {
    const at = noon('2026-03-01');
    await sql`
      INSERT INTO "order".amazon_order (company_id, selling_partner_id, amazon_order_id, account_id, marketplace_id, channel,
        fulfilled_by, status, purchased_at, local_date, last_updated_at, currency, quantity, shipped_quantity, line_count, lead_sku,
        source, row_hash)
      VALUES (${ctx.companyId}, ${account.sellingPartnerId}, ${order}, ${account.id}, ${US}, 'AMAZON', ${by}, 'SHIPPED', ${at},
        '2026-03-01', ${at}, 'USD', 1, 1, 1, 'SOLD', 'api', gen_random_uuid())`.execute(ctx.db);
    await sql`
      INSERT INTO "order".amazon_order_line (company_id, selling_partner_id, amazon_order_id, item_key, account_id, marketplace_id,
        purchased_at, local_date, seller_sku, asin, quantity, first_quantity, currency, source)
      VALUES (${ctx.companyId}, ${account.sellingPartnerId}, ${order}, 'i1', ${account.id}, ${US}, ${at}, '2026-03-01', 'SOLD',
        'B000000001', 1, 1, 'USD', 'api')`.execute(ctx.db);
    const { rows } = await sql<{ id: string }>`
      INSERT INTO settlement.source_doc (company_id, account_id, kind, external_id, currency, total, content_hash)
      VALUES (${ctx.companyId}, ${account.id}, 'TRANSACTION', ${order}, 'USD', 0, 'x') RETURNING id`.execute(ctx.db);
    const lines = [
      { no: 1, type: 'Order', code: 'PRINCIPAL', amount: '25.00', day: '2026-03-01' },
      { no: 2, type: 'Order', code: 'COMMISSION', amount: '-7.50', day: '2026-03-01' },
      { no: 3, type: 'Refund', code: 'REFUND_PRINCIPAL', amount: '-25.00', day },
    ];
    await sql`
      INSERT INTO settlement.money_line (company_id, source_doc_id, line_no, account_id, source, stage, marketplace_id,
        marketplace_from, transaction_type, amount_type, amount_description, fee_code, pl_section, mapping_version, order_id, sku,
        sku_from, amount, currency, posted_at, posted_date)
      SELECT ${ctx.companyId}, ${rows[0]?.id}, l.no, ${account.id}, 'TRANSACTION', 'RELEASED', ${US}, 'FILE', l.type, 'ItemPrice',
        'Principal', l.code, 'x', 1, ${order}, 'SOLD', 'FILE', l.amount, 'USD', l.day::timestamptz, l.day
        FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS l(no int, type text, code text, amount numeric, day date)`.execute(
      ctx.db,
    );
  });
}

/** What is listed of claims that are not made good, by what they are about. */
async function listed() {
  const { records } = await owner.call(listClaims, { body: { pagesize: 100, filter: {} } });
  return records
    .filter(({ state }) => state !== 'resolved')
    .map((row) => [
      row.type,
      row.product.code,
      row.qty,
      row.deadline,
      row.state,
      row.value === null ? null : `${plainDecimal(row.value)} ${row.currency}`,
    ])
    .sort();
}

const claimOf = async (sku: string, state?: string) => {
  const { records } = await owner.call(listClaims, { body: { pagesize: 100, filter: { keyword: sku } } });
  const found = records.find((row) => state === undefined || row.state === state);
  if (!found) throw new Error(`no claim of ${sku}`);
  return found;
};

const PLANTED = [
  ['CUSTOMER_REFUND_NO_RETURN', 'SOLD', 1, '2026-07-24', 'open', '17.5 USD'],
  ['CUSTOMER_REFUND_NO_RETURN', 'SOLD', 1, '2026-09-02', 'candidate', '17.5 USD'],
  ['FC_DAMAGED', 'BROKEN', 3, '2026-07-19', 'open', null],
  ['FC_LOST', 'INBOUND', 1, '2026-07-03', 'open', null],
  ['FC_LOST', 'LATE', 1, '2026-05-09', 'expired', null],
  ['FC_LOST', 'PART', 2, '2026-06-30', 'ready', '12.8 CNY'],
  ['REMOVAL_LOST', 'GONE', 2, '2026-07-19', 'open', null],
  ['REVERSED', 'BACK', 1, '2026-07-31', 'open', null],
];

beforeAll(async () => {
  world = await createWorld({ clockShiftMs: Date.UTC(2026, 5, 20, 2) - Date.now() });
  owner = await world.owner();
  load = loading(world, owner);
  account = await makeAccount(world, owner);
  await world.as(owner, (ctx) =>
    sql`INSERT INTO product.listing_cost (company_id, account_id, marketplace_id, msku, valid_from, own, unit_cost)
        VALUES (${ctx.companyId}, ${account.id}, ${US}, 'PART', '2026-01-01', true, 6.40)`.execute(ctx.db),
  );
  await load(account, ledgerDetail.type, tsv(DETAIL, LEDGER), PERIOD);
  await load(account, reimbursements.type, tsv(PAID, PAYMENTS), PERIOD);
  const back = [returned('111-0000000-0000000', '2026-03-05'), returned('111-0000000-0000001', '2026-03-20')];
  await load(account, customerReturns.type, tsv(RETURNED, back), PERIOD);
  await load(
    account,
    removalOrders.type,
    tsv(REMOVAL, [removal('RM1', 'Completed', 10), removal('RM2', 'Completed', 3), removal('RM3', 'Processing', 5)]),
  );
  const parcels = [parcel('RM0', '2026-04-01', 1), parcel('RM1', '2026-05-05', 8), parcel('RM2', '2026-05-05', 3)];
  await load(account, removalShipments.type, tsv(PARCEL, parcels), PERIOD);
  for (const one of [
    { order: '111-0000000-0000001', day: '2026-03-25' },
    { order: '111-0000000-0000002', day: '2026-03-26' },
    { order: '111-0000000-0000003', day: '2026-05-05' },
    // It can be claimed in eight weeks: until then most parcels come back, and nobody has to look at it.
    { order: '111-0000000-0000009', day: '2026-06-10' },
    { order: '111-0000000-0000004', day: '2026-03-26' },
    { order: '111-0000000-0000005', day: '2026-03-26', by: 'MERCHANT' as const },
    { order: '111-0000000-0000006', day: '2026-02-20' },
  ]) {
    await refund(one);
  }
  await world.work();
}, PATIENCE_MS);
afterAll(() => world.close());

it('all that was planted is found, and nothing else; finding again changes nothing', async () => {
  await owner.call(buildClaims, { body: {} });
  await expect.poll(() => listed(), { timeout: 15_000, interval: 100 }).toEqual(PLANTED);
  const before = await owner.call(listClaims, { body: { pagesize: 100, filter: {} } });
  expect(await world.as(owner, (ctx) => findClaims(ctx, account.id))).toBe(0);
  const after = await owner.call(listClaims, { body: { pagesize: 100, filter: {} } });
  expect(after).toEqual(before);
  expect(await owner.call(countClaims, { body: {} })).toMatchObject({ candidate: 1, open: 5, ready: 1, expired: 1 });
});

it('two that look at the same time find the same once', async () => {
  const other = await makeAccount(world, owner);
  await load(other, ledgerDetail.type, tsv(DETAIL, [adjusted('TWICE', '2026-06-01', 'M', -2)]), PERIOD);
  const added = await Promise.all([1, 2, 3].map(() => world.as(owner, (ctx) => findClaims(ctx, other.id))));
  expect(added.reduce((total, one) => total + one, 0)).toBeLessThanOrEqual(1);
  const { records } = await owner.call(listClaims, { body: { filter: { keyword: 'TWICE' } } });
  expect(records.map(({ qty }) => qty)).toEqual([2]);
  await owner.call(dismissClaim, { body: { id: records[0]?.id ?? '', reason: '测试用' } });
  expect((await claimOf('TWICE')).state).toBe('dismissed');
});

it('its page has the rows that it rests on, and a text to paste', async () => {
  const claim = await claimOf('PART');
  const { evidence, text, checklist, timeline } = await owner.call(claimDetail, { params: { id: claim.id } });
  expect(evidence.map((row) => [row.source, row.day, row.quantity])).toEqual([
    ['LEDGER', '2026-05-01', -3],
    ['LEDGER', '2026-05-01', -2],
    ['LEDGER', '2026-05-10', 2],
    ['PAID', '2026-05-12', 1],
  ]);
  expect(text).toContain('FNSKU: X-PART');
  expect(text).toContain('Ledger reference ID: PART-2026-05-01');
  expect(text).toContain('Units claimed: 2');
  expect(text).not.toMatch(/[^\x20-\x7e\n]/);
  expect(checklist.every(({ done }) => done)).toBe(true);
  expect(timeline.map(({ to }) => to)).toEqual(['ready', 'open']);
});

it('people hear of a deadline within ten days, once however often it is looked at', async () => {
  const told = async () => {
    await world.as(owner, remindDue);
    return world.as(owner, async (ctx) => {
      const { rows } = await sql<{ title: string }>`
        SELECT title FROM message.message WHERE company_id = ${ctx.companyId} AND event = 'inventory.claim' ORDER BY title`.execute(
        ctx.db,
      );
      return rows.map(({ title }) => title);
    });
  };
  const { number } = await claimOf('PART');
  expect(await told()).toEqual([`FBA索赔 ${number} 10 天后截止`]);
  expect(await told()).toHaveLength(1);
});

it('is handed in under its case, answered, paid by the report that names it, and taken back', async () => {
  const claim = await claimOf('BROKEN');
  const { id } = claim;
  const early = await claimOf('SOLD', 'candidate');
  expect((await owner.send(fileClaim, { body: { id: early.id, caseNo: '1' } })).msg).toContain('尚不能提交');
  const late = await claimOf('LATE');
  expect((await owner.send(fileClaim, { body: { id: late.id, caseNo: '1' } })).msg).toBe('已超过索赔期限 2026-05-09');
  await owner.call(fileClaim, { body: { id, version: claim.version, caseNo: '15551234' } });
  const stale = await owner.send(answerClaim, { body: { id, version: claim.version, result: 'APPROVED' } });
  expect(stale.status).toBe(409);
  expect((await owner.send(answerClaim, { body: { id, result: 'PARTIAL', granted: 3 } })).msg).toContain('必须小于');
  await owner.call(answerClaim, { body: { id, result: 'DENIED' } });
  await owner.call(fileClaim, { body: { id, caseNo: '15551234' } });
  await owner.call(answerClaim, { body: { id, result: 'DENIED' } });
  expect((await owner.send(fileClaim, { body: { id, caseNo: '15551234' } })).msg).toContain('已申诉过一次');

  const reported = [...PAYMENTS, paid('P9', 'BROKEN', '2026-06-18', 'Damaged_Warehouse', 3, { 'case-id': '15551234' })];
  const later = { ...PERIOD, at: '2026-06-20T12:00:00.000Z' };
  await load(account, reimbursements.type, tsv(PAID, reported), later);
  await expect.poll(async () => (await claimOf('BROKEN')).state, { timeout: 15_000, interval: 100 }).toBe('paid');
  expect(await claimOf('BROKEN')).toMatchObject({ paid: 3, qty: 0 });

  const reversed = [...reported, { ...taken('P10', 'BROKEN', '2026-06-19', 'P9'), 'quantity-reimbursed-total': 3 }];
  await load(account, reimbursements.type, tsv(PAID, reversed), { ...PERIOD, at: '2026-06-20T13:00:00.000Z' });
  await expect.poll(async () => (await claimOf('BROKEN')).state, { timeout: 15_000, interval: 100 }).toBe('reversed');
  const { records } = await owner.call(listClaims, { body: { filter: { keyword: 'BROKEN' } } });
  expect(records.map(({ qty }) => qty)).toEqual([3]);
});

it('what turns up ends its claim, and a window that people change moves those that are not handed in', async () => {
  const found = [...LEDGER, adjusted('PART', '2026-06-15', 'F', 2)];
  await load(account, ledgerDetail.type, tsv(DETAIL, found), { ...PERIOD, at: '2026-06-20T12:00:00.000Z' });
  await expect.poll(async () => (await claimOf('PART')).state, { timeout: 15_000, interval: 100 }).toBe('resolved');
  const { policies } = await owner.call(saveClaimRules, {
    body: {
      policies: [{ type: 'FC_LOST', marketplaceId: US, opensAfter: 0, closesAfter: 90, validFrom: '2026-05-04' }],
      reasons: [{ source: 'LEDGER', code: 'H', effect: 'DAMAGED' }],
    },
  });
  expect(policies).toHaveLength(7);
  await expect
    .poll(async () => (await claimOf('INBOUND')).deadline, { timeout: 15_000, interval: 100 })
    .toBe('2026-08-02');
  expect(await claimOf('BUYER')).toMatchObject({ type: 'FC_DAMAGED', qty: 1 });
  expect((await claimOf('LATE')).deadline).toBe('2026-05-09');
});

it('it is a file too; a stranger sees nothing, and who may see no amounts gets none', async () => {
  const file = await owner.send(exportClaims, { body: { format: 'csv', filter: {} } });
  expect(file.raw.toString('utf8')).toContain('索赔价值');
  const blind = await world.member(owner, ['amz:inventory:view']);
  const { records } = await blind.call(listClaims, { body: { pagesize: 100, filter: {} } });
  expect(records.length).toBeGreaterThan(5);
  expect(records.filter(({ value, unitValue }) => value || unitValue)).toEqual([]);
  const stranger = await world.owner();
  expect((await stranger.call(listClaims, { body: { filter: {} } })).total).toBe(0);
  const { id } = await claimOf('BACK');
  expect((await stranger.send(claimDetail, { params: { id } })).status).toBe(404);
  expect((await stranger.send(fileClaim, { body: { id, caseNo: '1' } })).status).toBe(404);
  expect((await stranger.send(dismissClaim, { body: { id, reason: '无' } })).status).toBe(404);
  expect((await stranger.call(readClaimRules, {})).policies).toHaveLength(6);
});
