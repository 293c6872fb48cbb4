import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { CORPUS } from '#test/support/corpus.ts';
import { CA, type FileLine, loadFile, makeAccount, settle, V1, V2 } from '#test/support/settlement-file.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { trialBalance } from '../contract/ledger.ts';
import { makeVouchers } from '../contract/rules.ts';
import { readStatement } from '../contract/statements.ts';
import { applyTemplate } from '../contract/subjects.ts';
import { listVouchers, voucherData, voucherSteps } from '../contract/voucher-calls.ts';

/** 应收账款-亚马逊 */
const RECEIVABLE = '112201';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const rateOf = (currency: string, month: string, rate: string) =>
  world.as(owner, (ctx) =>
    sql`INSERT INTO finance.month_rate (company_id, currency, month, rate, updated_by_name)
        VALUES (${ctx.companyId}, ${currency}, ${`${month}-01`}::date, ${rate}::numeric, '测试')`.execute(ctx.db),
  );

const line = (type: string, description: string, amount: string, more: Partial<FileLine> = {}): FileLine => ({
  orderId: '113-1111111-1111111',
  marketplaceName: 'Amazon.com',
  postedAt: '2026-01-10T20:00:00Z',
  sku: 'A',
  amountType: type,
  amountDescription: description,
  amount,
  ...more,
});
const shop = (type: string, description: string, amount: string): FileLine => ({
  transactionType: 'other-transaction',
  amountType: type,
  amountDescription: description,
  amount,
  postedAt: '2026-01-12T20:00:00Z',
});
/** Worked example E1 without its tax, which is withheld whole. */
const E1 = (principal: string): FileLine[] => [
  line('ItemPrice', 'Principal', principal, { quantity: 2 }),
  line('ItemFees', 'Commission', '-7.50'),
  line('ItemFees', 'FBAPerUnitFulfillmentFee', '-12.20'),
  shop('other-transaction', 'Storage Fee', '-12.34'),
  shop('other-transaction', 'Current Reserve Amount', '-5.00'),
];

const trial = async (from: string, to: string) =>
  owner.call(trialBalance, { body: { from, to, level: 3, moved: true } });
const all = async () => (await owner.call(listVouchers, { body: { sort: 'number', order: 'asc' } })).records;
const post = async (id: string) => {
  for (const step of ['submit', 'approve', 'post'] as const) await owner.call(voucherSteps[step], { body: { id } });
};

describe('the vouchers of settlements', () => {
  it('book income and costs against what Amazon owes, once, and a newer version takes the older one back', async () => {
    owner = await world.owner();
    const account = await makeAccount(world, owner);
    await settle(world, owner, account, E1('49.98'));
    await owner.call(applyTemplate, { body: { startMonth: '2026-01' } });
    const month = await world.as(owner, async (ctx) => {
      const { rows } = await sql<{ month: string }>`
        SELECT to_char(kit.day(end_at), 'YYYY-MM') AS month FROM settlement.settlement
         WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
      return rows[0]?.month ?? '';
    });
    const make = () => owner.call(makeVouchers, { body: { month, sources: ['settlement'] } });
    const lacking = await make();
    expect(lacking).toMatchObject({ made: 0, skipped: [{ why: `缺少 USD ${month} 汇率` }] });
    const told = { made: 0, existed: 0, changed: 0, reversed: 0, skipped: [] };
    await rateOf('USD', month, '7.1234');
    expect(await make()).toMatchObject({ ...told, made: 1 });
    expect(await make()).toMatchObject({ ...told, existed: 1 });

    const [voucher] = await all();
    const { lines, facts } = await owner.call(voucherData, { params: { id: voucher?.id ?? '' } });
    // 17.94 USD in all is 127.79; 49.98 are 356.03, 7.50 are 53.43, 12.20 are 86.91, 12.34 are 87.90.
    expect(lines.map(({ subject, debit, credit }) => [subject.split(' ')[0], debit, credit])).toEqual([
      ['112201', '127.79', null],
      ['500101', null, '356.03'],
      ['560101', '53.43', null],
      ['560102', '86.91', null],
      ['560103', '87.90', null],
    ]);
    expect(lines[0]).toMatchObject({ currency: 'USD', original: '17.9400', rate: '7.12318841' });
    expect(facts).toMatchObject([{ amount: '356.03', path: expect.stringContaining('/amazon/payment/detail?id=') }]);
    await post(voucher?.id ?? '');

    await settle(world, owner, account, E1('50.98'));
    expect(await make()).toMatchObject({ ...told, made: 1, reversed: 1 });
    const after = await all();
    expect(after.map(({ state }) => state).toSorted()).toEqual(['draft', 'posted', 'reversed']);
    await post(after.find(({ state }) => state === 'draft')?.id ?? '');
    const { rows, totals } = await trial(month, month);
    expect(rows.find(({ code }) => code === RECEIVABLE)?.closingDebit).toBe('134.92');
    expect(totals.debit).toBe(totals.credit);
  });

  it('of another company are none of the caller’s, and who may not write vouchers makes none', async () => {
    const clerk = await world.member(owner, ['gl:voucher:view']);
    await expect(clerk.call(makeVouchers, { body: { month: '2026-01' } })).rejects.toThrow('403');
    const other = await world.owner();
    await other.call(applyTemplate, { body: { startMonth: '2026-01' } });
    expect(await other.call(makeVouchers, { body: { month: '2026-01' } })).toMatchObject({ made: 0, existed: 0 });
    await expect(other.call(makeVouchers, { body: { month: '2025-12' } })).rejects.toThrow('账套从 2026-01 启用');
  });
});

const present = existsSync(join(CORPUS, 'settlements'));
if (!present) console.error(`real settlements are not booked: ${CORPUS} is not there (set CORPUS_DIR)`);

describe.skipIf(!present)('real settlements', () => {
  it('post to books that are in balance, and Amazon owes what their lines add up to', async () => {
    owner = await world.owner();
    const account = await makeAccount(world, owner);
    const names = (await readdir(join(CORPUS, 'settlements'))).filter((name) => name.endsWith('.txt'));
    for (const name of names) {
      const text = await readFile(join(CORPUS, 'settlements', name), 'utf8');
      await loadFile(world, owner, account, text, { type: name.startsWith('v1') ? V1 : V2, marketplaceId: CA });
    }
    const { rows: months } = await world.as(owner, (ctx) =>
      sql<{ month: string; currency: string }>`
        SELECT DISTINCT to_char(kit.day(end_at), 'YYYY-MM') AS month, currency FROM settlement.settlement
         WHERE company_id = ${ctx.companyId} AND superseded_at IS NULL ORDER BY 1`.execute(ctx.db),
    );
    await owner.call(applyTemplate, { body: { startMonth: months[0]?.month ?? '' } });
    for (const { currency, month } of months) await rateOf(currency, month, '5');
    let made = 0;
    for (const month of new Set(months.map((one) => one.month))) {
      const done = await owner.call(makeVouchers, { body: { month, sources: ['settlement'] } });
      expect(done.skipped).toEqual([]);
      made += done.made;
    }
    expect(made).toBe(names.length);
    for (const { id } of await all()) await post(id);
    const { rows, totals } = await trial(months[0]?.month ?? '', months.at(-1)?.month ?? '');
    expect(totals.debit).toBe(totals.credit);
    const { rows: told } = await world.as(owner, (ctx) =>
      sql<{ owed: string }>`
        SELECT (sum(t.amount) * 5)::numeric(18, 2)::text AS owed FROM settlement.settlement AS s
          JOIN settlement.fee_total AS t ON t.company_id = s.company_id AND t.source_doc_id = s.id
         WHERE s.company_id = ${ctx.companyId} AND s.superseded_at IS NULL AND t.pl_section <> 'BALANCE'`.execute(
        ctx.db,
      ),
    );
    const owed = rows.find(({ code }) => code === RECEIVABLE);
    expect(new Decimal(owed?.closingDebit ?? '0').minus(owed?.closingCredit ?? '0').toFixed(2)).toBe(told[0]?.owed);
    for (const statement of ['balance', 'income', 'cash'] as const) {
      const body = { statement, month: months.at(-1)?.month ?? '' };
      const { lines, proofs, unmapped } = await owner.call(readStatement, { body });
      expect(proofs.map(({ one, other }) => one === other)).toEqual([true, true]);
      expect(unmapped).toEqual([]);
      if (statement === 'balance') expect(lines.find(({ title }) => title === '应收账款')?.first).toBe(told[0]?.owed);
    }
  });
});
