import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainDecimal } from '#kit/contract/decimal.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  FIGURE_LINES,
  listSettlements,
  settlementDetail,
  settlementLines,
  verifySettlement,
} from '../contract/settlements.ts';
import { settlementLoader } from '../server/loader.ts';
import { CA, DE, E1_LINES, E1_SHOP, FR, JP, makeAccount, source, US, V1, v1File, v2File } from './support.ts';

let world: World;
let owner: Person;
let account: AccountRef;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

async function fresh(options: Parameters<typeof makeAccount>[2] = {}) {
  owner = await world.owner();
  account = await makeAccount(world, owner, options);
}

const load = (report: ReturnType<typeof source>) => world.as(owner, (ctx) => settlementLoader.load(ctx, report));
const list = () => owner.call(listSettlements, { body: {} });
const count = (table: string) =>
  world.as(owner, async (ctx) => {
    const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(table)}`.execute(ctx.db);
    return rows[0]?.n;
  });

describe('worked example E1: a settlement of 10.79 USD', () => {
  const lines = [...E1_LINES, ...E1_SHOP];

  it('is loaded whole and proves out in all its classes', async () => {
    await fresh();
    const checked = await settlementLoader.check(source(account, v2File({ total: '10.79' }, lines)));
    expect(checked).toMatchObject({ rows: 14, warnings: [] });
    expect(checked.summary).toBe('结算编号 15000000001 · 合计 $10.79 · 差额 $0.00');
    expect(await count('settlement.money_line')).toBe(0);

    const counts = await load(source(account, v2File({ total: '10.79' }, lines)));
    expect(counts).toEqual({ rowsIn: 14, inserted: 14, updated: 0, unchanged: 0 });
    const { records, totals } = await list();
    expect(records[0]).toMatchObject({ total: '10.7900', lineSum: '10.7900', gap: '0.0000', recon: 'balanced' });
    expect(totals).toMatchObject({ total: '10.7900', currency: 'USD', lineCount: 14 });

    const detail = await owner.call(settlementDetail, { params: { id: records[0]?.id ?? '' } });
    const byCode = Object.fromEntries(detail.checks.map((check) => [check.code, check]));
    expect(byCode.A).toMatchObject({ ok: true, gap: '0' });
    expect(byCode.B?.detail).toBe('损益 $5.00 + 清算（广告） −$8.00 + 代收代缴税 $0.00 + 往来 $13.79');
    expect(byCode.B?.ok).toBe(true);
    expect(detail.figures).toMatchObject({ sales: '49.98', units: 2, orders: 1, shopFees: '-13.19' });
    expect(detail.tree.map((node) => node.section)).toEqual([
      'REVENUE',
      'REFUND',
      'FEE',
      'ADS',
      'REIMBURSEMENT',
      'TAX',
      'BALANCE',
    ]);
    const verified = await owner.call(verifySettlement, { params: { id: records[0]?.id ?? '' } });
    expect(verified.ok).toBe(true);
  });

  it('every figure of the tree opens to lines that add up to it', async () => {
    const { records } = await list();
    const id = records[0]?.id ?? '';
    const { tree } = await owner.call(settlementDetail, { params: { id } });
    for (const node of tree) {
      const section = await owner.call(settlementLines, {
        params: { id },
        body: { filter: { sections: [node.section] } },
      });
      expect(plainDecimal(String(section.totals?.amount))).toBe(plainDecimal(node.amount));
      for (const item of node.items) {
        const filter = { feeCode: item.feeCode, amountDescription: item.amountDescription };
        const drill = await owner.call(settlementLines, { params: { id }, body: { filter } });
        expect(plainDecimal(String(drill.totals?.amount))).toBe(plainDecimal(item.amount));
        expect(drill.total).toBe(item.lines);
      }
    }
  });

  it('every figure of the head opens to lines that are it', async () => {
    const { records } = await list();
    const id = records[0]?.id ?? '';
    const { figures, settlement } = await owner.call(settlementDetail, { params: { id } });
    const keys = Object.keys(FIGURE_LINES) as (keyof typeof FIGURE_LINES)[];
    const opened = await Promise.all(
      keys.map(async (key) => {
        const { totals } = await owner.call(settlementLines, { params: { id }, body: { filter: FIGURE_LINES[key] } });
        const counted = key === 'units' ? totals?.quantity : key === 'orders' ? totals?.orders : totals?.amount;
        return [key, plainDecimal(String(counted))];
      }),
    );
    const shown = Object.entries({ total: settlement.total, ...figures });
    expect(Object.fromEntries(opened)).toEqual(
      Object.fromEntries(shown.map(([key, value]) => [key, plainDecimal(String(value))])),
    );
    expect(figures).toMatchObject({ units: 2, orders: 1 });
    expect(plainDecimal(figures.shopFees)).not.toBe('0');
    expect(plainDecimal(figures.fees)).not.toBe('0');
  });

  it('one cent off is refused with the difference, and nothing stays', async () => {
    await fresh();
    const bad = source(account, v2File({ total: '10.80' }, lines));
    await expect(load(bad)).rejects.toThrow('结算文件合计与总额不符，差额 0.01');
    await expect(settlementLoader.check(bad)).rejects.toThrow('差额 0.01');
    expect(await count('settlement.money_line')).toBe(0);
    expect(await count('settlement.settlement')).toBe(0);
    expect(await count('settlement.source_doc')).toBe(0);
  });

  it('says the same in form V1', async () => {
    await fresh();
    const v1Lines = lines.filter((line) => line.amountType !== 'ItemWithheldTax' && line.amountDescription !== 'Tax');
    await load(source(account, v1File({ total: '10.79' }, v1Lines), { reportType: V1 }));
    const { records } = await list();
    expect(records[0]).toMatchObject({ form: 'v1', total: '10.7900', gap: '0.0000' });
    const detail = await owner.call(settlementDetail, { params: { id: records[0]?.id ?? '' } });
    expect(detail.checks.find((check) => check.code === 'B')?.detail).toBe(
      '损益 $5.00 + 清算（广告） −$8.00 + 代收代缴税 $0.00 + 往来 $13.79',
    );
  });
});

describe('the same settlement again', () => {
  it('with the same bytes changes nothing; with other bytes it replaces what was there', async () => {
    await fresh();
    const first = v2File({ total: '1.00' }, [
      { amountType: 'ItemPrice', amountDescription: 'Principal', amount: '1.00', sku: 'A' },
    ]);
    await load(source(account, first));
    expect(await load(source(account, first))).toEqual({ rowsIn: 1, inserted: 0, updated: 0, unchanged: 1 });
    expect(await count('settlement.money_line')).toBe(1);

    const second = v2File({ total: '3.00' }, [
      { amountType: 'ItemPrice', amountDescription: 'Principal', amount: '3.00', sku: 'A' },
    ]);
    expect(await load(source(account, second))).toEqual({ rowsIn: 1, inserted: 0, updated: 1, unchanged: 0 });
    const { records } = await list();
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ version: 2, total: '3.0000' });
    // The old lines are still there, but their document counts no longer.
    expect(await count('settlement.money_line')).toBe(2);
    // An older version that comes again is known: it does not push the newer one out.
    expect(await load(source(account, first))).toMatchObject({ inserted: 0, updated: 0, unchanged: 1 });
    expect((await list()).records[0]).toMatchObject({ version: 2, total: '3.0000' });
  });

  it('two loads at once end as one', async () => {
    await fresh();
    const file = v2File({ total: '1.00' }, [
      { amountType: 'ItemPrice', amountDescription: 'Principal', amount: '1.00', sku: 'A' },
    ]);
    const counts = await Promise.all([load(source(account, file)), load(source(account, file))]);
    expect(counts.map((one) => one.inserted).toSorted()).toEqual([0, 1]);
    expect(await count('settlement.settlement')).toBe(1);
  });
});

describe('how the world writes numbers, dates and letters', () => {
  it('reads a German file: decimal comma, dotted dates, Windows-1252', async () => {
    await fresh({ region: 'eu', marketplaceIds: [DE, FR] });
    const text = v2File(
      { total: '1234.56', currency: 'EUR' },
      [
        {
          amountType: 'ItemPrice',
          amountDescription: 'Principal',
          amount: '1240.00',
          sku: 'GRÜN-Ä',
          marketplaceName: 'Amazon.de',
        },
        {
          amountType: 'ItemFees',
          amountDescription: 'Commission',
          amount: '-5.44',
          sku: 'GRÜN-Ä',
          marketplaceName: 'Amazon.de',
        },
      ],
      {
        amount: (value) => value.replace('.', ',').replace(/(\d)(\d{3}),/, '$1.$2,'),
        day: (value) => value.split('-').toReversed().join('.'),
      },
    );
    expect(text).toContain('1.240,00');
    await load(
      source(account, text, { encoding: 'win1252', charset: 'text/plain; charset=Cp1252', marketplaceIds: [DE] }),
    );
    const { records } = await list();
    expect(records[0]).toMatchObject({ total: '1234.5600', currency: 'EUR', endAt: '2026-01-15T00:00:00.000Z' });
    const lines = await owner.call(settlementLines, { params: { id: records[0]?.id ?? '' }, body: {} });
    expect(lines.records[0]?.sku).toBe('GRÜN-Ä');
  });

  it('reads a Japanese file: Shift_JIS, yen without decimals, slashed dates, days of Tokyo', async () => {
    await fresh({ region: 'fe', marketplaceIds: [JP] });
    const text = v2File(
      { total: '1980', currency: 'JPY' },
      [
        {
          amountType: 'ItemPrice',
          amountDescription: 'Principal',
          amount: '1980',
          sku: '水筒-青',
          marketplaceName: 'Amazon.co.jp',
          postedAt: '2026-01-10T16:00:00Z',
        },
      ],
      { day: (value) => value.replaceAll('-', '/') },
    );
    await load(source(account, text, { encoding: 'cp932', marketplaceIds: [JP] }));
    const { records } = await list();
    const lines = await owner.call(settlementLines, { params: { id: records[0]?.id ?? '' }, body: {} });
    expect(lines.records[0]).toMatchObject({ sku: '水筒-青', amount: '1980.0000', postedDate: '2026-01-11' });
  });

  it('reads UTF-8 with a byte order mark, and counts the day of Los Angeles', async () => {
    await fresh();
    // Worked example E14: three in the morning UTC is still the day before in Los Angeles.
    const text = `\uFEFF${v2File({ total: '5.00' }, [{ amountType: 'ItemPrice', amountDescription: 'Principal', amount: '5.00', sku: 'A', postedAt: '2026-10-02T03:00:00Z' }])}`;
    await load(source(account, text));
    const { records } = await list();
    const lines = await owner.call(settlementLines, { params: { id: records[0]?.id ?? '' }, body: {} });
    expect(lines.records[0]?.postedDate).toBe('2026-10-01');
  });
});

describe('lines that leave something out', () => {
  it('take the store from the order, else from the settlement, and the SKU from an order that has one', async () => {
    await fresh();
    const order = { orderId: '702-1111111-1111111' };
    await load(
      source(
        account,
        v2File({ total: '9.00', currency: 'CAD' }, [
          {
            ...order,
            amountType: 'ItemPrice',
            amountDescription: 'Principal',
            amount: '12.00',
            sku: 'A',
            marketplaceName: 'Amazon.ca',
          },
          { ...order, amountType: 'ItemFees', amountDescription: 'Commission', amount: '-2.00' },
          {
            transactionType: 'other-transaction',
            amountType: 'other-transaction',
            amountDescription: 'Storage Fee',
            amount: '-1.00',
          },
        ]),
        { marketplaceIds: [US, CA] },
      ),
    );
    const { records } = await list();
    expect(records[0]?.store.country).toBe('CA');
    const { records: lines } = await owner.call(settlementLines, { params: { id: records[0]?.id ?? '' }, body: {} });
    expect(lines.map((line) => [line.site, line.siteFrom, line.sku])).toEqual([
      ['CA', 'FILE', 'A'],
      ['CA', 'ORDER', 'A'],
      ['CA', 'HOME', ''],
    ]);
  });

  it('keep a name that nobody has seen, whole, and count it as 待归类', async () => {
    await fresh();
    const name = `Some fee that was invented yesterday ${'and is described at length '.repeat(8)}`.trim();
    const file = v2File({ total: '-1.00' }, [
      {
        transactionType: 'other-transaction',
        amountType: 'other-transaction',
        amountDescription: name,
        amount: '-1.00',
      },
    ]);
    const checked = await settlementLoader.check(source(account, file));
    expect(checked.warnings[0]).toContain('1 种费用待归类');
    await load(source(account, file));
    const { records } = await list();
    expect(records[0]).toMatchObject({ recon: 'unmapped', unmapped: 1 });
    const { records: lines } = await owner.call(settlementLines, { params: { id: records[0]?.id ?? '' }, body: {} });
    expect(lines[0]).toMatchObject({ amountDescription: name, feeTitle: '待归类' });
  });
});

describe('files that belong elsewhere', () => {
  it('are refused: another region, another account, no settlement at all', async () => {
    await fresh();
    const german = v2File({ total: '1.00', currency: 'EUR' }, [
      {
        amountType: 'ItemPrice',
        amountDescription: 'Principal',
        amount: '1.00',
        sku: 'A',
        marketplaceName: 'Amazon.de',
      },
    ]);
    await expect(load(source(account, german))).rejects.toThrow('结算文件不属于所选店铺');
    const mine = v2File({ total: '1.00' }, [
      { amountType: 'ItemPrice', amountDescription: 'Principal', amount: '1.00', sku: 'A' },
    ]);
    await load(source(account, mine));
    const second = await makeAccount(world, owner, { name: '另一店' });
    await expect(load(source(second, mine))).rejects.toThrow('结算文件不属于所选店铺');
    await expect(load(source(account, 'a\tb\n1\t2\n'))).rejects.toThrow();
    await expect(load(source(account, mine.slice(0, -40)))).rejects.toThrow();
    expect(await count('settlement.settlement')).toBe(1);
  });
});
