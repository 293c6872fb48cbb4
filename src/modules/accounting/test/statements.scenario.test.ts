import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { trialBalance } from '../contract/ledger.ts';
import { closePeriod, reopenPeriod } from '../contract/periods.ts';
import { readStatement, type Statement } from '../contract/statements.ts';
import { applyTemplate, saveSubject } from '../contract/subjects.ts';
import { listVouchers, voucherSteps } from '../contract/voucher-calls.ts';
import { CHART } from '../server/chart.ts';
import { idsOf, type Line, paper, through } from './support.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const read = (who: Person, statement: Statement, month: string) =>
  who.call(readStatement, { body: { statement, month } });
/** Both amounts of the lines that have some, by their number. */
async function amountsOf(who: Person, statement: Statement, month: string) {
  const { lines } = await read(who, statement, month);
  return Object.fromEntries(
    lines
      .filter(({ first, second }) => /[1-9]/.test(`${first}${second}`))
      .map(({ no, first, second }) => [no, [first, second]]),
  );
}
const STATEMENTS = ['balance', 'income', 'cash'] as const;
/** What is not equal in the statements of a month that should be. */
async function faultsOf(who: Person, month: string): Promise<string[]> {
  const faults: string[] = [];
  for (const statement of STATEMENTS) {
    const { proofs } = await read(who, statement, month);
    expect(proofs).toHaveLength(2);
    faults.push(...proofs.filter(({ one, other }) => one !== other).map(({ off }) => off));
  }
  return faults;
}
const opened = async (name: string, startMonth: string) => {
  const who = await world.owner(name);
  await who.call(applyTemplate, { body: { startMonth } });
  return { who, ids: await idsOf(who) };
};
const close = (who: Person, month: string) => who.call(closePeriod, { body: { month } });

describe('the statements of a small book', () => {
  let owner: Person;
  let ids: Map<string, string>;
  const post = async (day: string, ...lines: Line[]) => through(owner, paper(ids, lines, day));

  beforeAll(async () => {
    ({ who: owner, ids } = await opened('小公司', '2026-09'));
    const opening: Line[] = [
      ['1001', '1000', ''],
      ['3001', '', '1000'],
    ];
    await through(owner, paper(ids, opening, '2026-08-31', 'OPENING'));
    await post('2026-09-02', ['1002', '500000', ''], ['3001', '', '500000']);
    await post('2026-09-03', ['140501', '200000', ''], ['222101', '26000', ''], ['2202', '', '226000']);
    await post('2026-09-10', ['2202', '150000', ''], ['1002', '', '150000']);
    await post('2026-09-15', ['1123', '20000', ''], ['1002', '', '20000']);
    // A settlement of 100,000.00, and what Amazon pays out of it.
    await post(
      '2026-09-20',
      ['112201', '61234.56', ''],
      ['560101', '15000', ''],
      ['560102', '18000', ''],
      ['560104', '5765.44', ''],
      ['500101', '', '100000'],
    );
    await post('2026-09-25', ['101201', '60000', ''], ['560302', '300', ''], ['112201', '', '60300']);
    await post('2026-09-28', ['5401', '40000', ''], ['140501', '', '40000']);
    await post('2026-09-29', ['560203', '8000', ''], ['1002', '', '8000']);
    // A customer of another platform pays ahead, wages, and a rent that is taken back.
    await post('2026-10-05', ['1002', '1000', ''], ['112202', '', '1000']);
    await post('2026-10-10', ['560201', '12000', ''], ['1002', '', '12000']);
    const { id } = await post('2026-10-29', ['560203', '8000', ''], ['1002', '', '8000']);
    await owner.call(voucherSteps.reverse, { body: { id, reason: '重复' } });
  });

  const SEPTEMBER = {
    balance: {
      1: ['383000.00', '1000.00'],
      4: ['934.56', '0.00'],
      5: ['20000.00', '0.00'],
      9: ['160000.00', '0.00'],
      12: ['160000.00', '0.00'],
      15: ['563934.56', '1000.00'],
      30: ['563934.56', '1000.00'],
      33: ['76000.00', '0.00'],
      36: ['-26000.00', '0.00'],
      41: ['50000.00', '0.00'],
      47: ['50000.00', '0.00'],
      48: ['501000.00', '1000.00'],
      51: ['12934.56', '0.00'],
      52: ['513934.56', '1000.00'],
      53: ['563934.56', '1000.00'],
    },
    income: {
      1: ['100000.00', '100000.00'],
      2: ['40000.00', '40000.00'],
      11: ['38765.44', '38765.44'],
      13: ['5765.44', '5765.44'],
      14: ['8000.00', '8000.00'],
      18: ['300.00', '300.00'],
      21: ['12934.56', '12934.56'],
      30: ['12934.56', '12934.56'],
      32: ['12934.56', '12934.56'],
    },
    cash: {
      1: ['60300.00', '60300.00'],
      3: ['170000.00', '170000.00'],
      6: ['8300.00', '8300.00'],
      7: ['-118000.00', '-118000.00'],
      15: ['500000.00', '500000.00'],
      19: ['500000.00', '500000.00'],
      20: ['382000.00', '382000.00'],
      21: ['1000.00', '1000.00'],
      22: ['383000.00', '383000.00'],
    },
  };
  const OCTOBER = {
    balance: {
      ...SEPTEMBER.balance,
      1: ['372000.00', '1000.00'],
      15: ['552934.56', '1000.00'],
      30: ['552934.56', '1000.00'],
      34: ['1000.00', '0.00'],
      41: ['51000.00', '0.00'],
      47: ['51000.00', '0.00'],
      51: ['934.56', '0.00'],
      52: ['501934.56', '1000.00'],
      53: ['552934.56', '1000.00'],
    },
    income: {
      1: ['100000.00', '0.00'],
      2: ['40000.00', '0.00'],
      11: ['38765.44', '0.00'],
      13: ['5765.44', '0.00'],
      14: ['20000.00', '12000.00'],
      18: ['300.00', '0.00'],
      21: ['934.56', '-12000.00'],
      30: ['934.56', '-12000.00'],
      32: ['934.56', '-12000.00'],
    },
    cash: {
      1: ['61300.00', '1000.00'],
      3: ['170000.00', '0.00'],
      4: ['12000.00', '12000.00'],
      6: ['8300.00', '0.00'],
      7: ['-129000.00', '-11000.00'],
      15: ['500000.00', '0.00'],
      19: ['500000.00', '0.00'],
      20: ['371000.00', '-11000.00'],
      21: ['1000.00', '383000.00'],
      22: ['372000.00', '372000.00'],
    },
  };
  const requireBoth = async () => {
    for (const statement of STATEMENTS) {
      expect(await amountsOf(owner, statement, '2026-09')).toEqual(SEPTEMBER[statement]);
      expect(await amountsOf(owner, statement, '2026-10')).toEqual(OCTOBER[statement]);
    }
    expect([...(await faultsOf(owner, '2026-09')), ...(await faultsOf(owner, '2026-10'))]).toEqual([]);
  };

  it('are those reckoned by hand, before profit and loss is carried over and after it', async () => {
    await requireBoth();
    await close(owner, '2026-09');
    await requireBoth();
    await close(owner, '2026-10');
    await requireBoth();
    await owner.call(reopenPeriod, { body: { month: '2026-10', reason: '补录' } });
    await requireBoth();
  });

  it('say what an amount is made of', async () => {
    const { lines } = await read(owner, 'balance', '2026-10');
    const partsOf = (no: string) =>
      lines.find((line) => line.no === no)?.parts.map(({ code, first, second }) => [code, first, second]);
    expect(partsOf('1')).toEqual([
      ['1001', '1000.00', '1000.00'],
      ['1002', '311000.00', '0.00'],
      ['101201', '60000.00', '0.00'],
    ]);
    expect(partsOf('34')).toEqual([['112202', '1000.00', '0.00']]);
    expect(partsOf('30')).toEqual([
      ['15', '552934.56', '1000.00'],
      ['29', '0.00', '0.00'],
    ]);
  });

  it('name subjects that no line takes, and by how much they are off for it', async () => {
    const subject = { code: '1998', name: '自设科目', kind: 'ASSET', direction: 'DEBIT' } as const;
    const { id } = await owner.call(saveSubject, { body: { subject } });
    ids.set('1998', id);
    await post('2026-11-03', ['1998', '100', ''], ['1002', '', '100']);
    const sheet = await read(owner, 'balance', '2026-11');
    expect(sheet.unmapped).toEqual([{ id, code: '1998', name: '自设科目' }]);
    expect(sheet.proofs[0]).toMatchObject({ one: '552834.56', other: '552934.56' });
    const cash = await read(owner, 'cash', '2026-11');
    expect(cash.unmapped).toEqual([{ id, code: '1998', name: '自设科目' }]);
    expect(cash.lines.find(({ title }) => title === '未归类的现金流量')?.second).toBe('-100.00');
    expect(cash.proofs.map(({ one, other }) => one === other)).toEqual([true, true]);
  });

  it('begin with the books, and are nobody else’s', async () => {
    await expect(read(owner, 'balance', '2026-07')).rejects.toThrow('账套从 2026-09 启用');
    const { who: stranger } = await opened('别家', '2026-09');
    for (const statement of STATEMENTS) expect(await amountsOf(stranger, statement, '2026-10')).toEqual({});
    const clerk = await world.member(owner, ['fin:account:view']);
    await expect(read(clerk, 'income', '2026-10')).rejects.toThrow('403');
  });
});

describe('the end of a year', () => {
  it('carries the profit of the year to what is retained; opening December again takes both vouchers back', async () => {
    const { who, ids } = await opened('年结', '2025-12');
    const sale: Line[] = [
      ['1002', '900.5', ''],
      ['500101', '', '900.5'],
    ];
    await through(who, paper(ids, sale, '2025-12-05'));
    const before = await amountsOf(who, 'balance', '2025-12');
    const standing = async () => {
      const body = { from: '2025-12', to: '2025-12', level: 3, moved: false };
      const { rows } = await who.call(trialBalance, { body });
      const of = (code: string) => rows.find((row) => row.code === code)?.closingCredit;
      return { sales: of('500101'), profit: of('3103'), retained: of('310401') };
    };
    expect(await close(who, '2025-12')).toEqual({
      revaluation: null,
      number: '转-202512-0001',
      yearEnd: '转-202512-0002',
    });
    expect(await standing()).toEqual({ sales: '0.00', profit: '0.00', retained: '900.50' });
    expect(await amountsOf(who, 'balance', '2025-12')).toEqual(before);
    expect((await amountsOf(who, 'income', '2025-12'))['32']).toEqual(['900.50', '900.50']);
    expect(await faultsOf(who, '2025-12')).toEqual([]);
    expect((await amountsOf(who, 'balance', '2026-01'))['51']).toEqual(['900.50', '900.50']);

    await who.call(reopenPeriod, { body: { month: '2025-12', reason: '补录' } });
    expect(await standing()).toEqual({ sales: '900.50', profit: '0.00', retained: '0.00' });
    const { records } = await who.call(listVouchers, { body: { sort: 'number', order: 'asc' } });
    expect(records.map(({ number, state }) => [number, state])).toEqual([
      ['记-202512-0001', 'posted'],
      ['转-202512-0001', 'reversed'],
      ['转-202512-0002', 'reversed'],
      ['转-202512-0003', 'posted'],
      ['转-202512-0004', 'posted'],
    ]);
    expect(await faultsOf(who, '2025-12')).toEqual([]);
    expect(await close(who, '2025-12')).toEqual({
      revaluation: null,
      number: '转-202512-0005',
      yearEnd: '转-202512-0006',
    });
    expect(await standing()).toEqual({ sales: '0.00', profit: '0.00', retained: '900.50' });
  });
});

/** Leaves of the template; what stands on 本年利润 is a transfer and no business. */
const LEAVES = CHART.map(({ code }) => code).filter(
  (code) => code !== '3103' && !CHART.some((other) => other.code !== code && other.code.startsWith(code)),
);
const voucherOf = fc.record({
  day: fc.constantFrom('2026-09-07', '2026-09-21', '2026-10-12'),
  debits: fc.array(fc.record({ at: fc.nat(), cents: fc.integer({ min: 1, max: 9_999_999 }), red: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
  }),
  credit: fc.nat(),
});

describe('whatever is booked on the chart of the standard', () => {
  it('all statements agree with the books, and the net profit is what 本年利润 takes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(voucherOf, { minLength: 2, maxLength: 6 }), async (vouchers) => {
        const { who, ids } = await opened('随意', '2026-09');
        for (const { day, debits, credit } of vouchers) {
          const cents = debits.map((each, at) => (each.red && at > 0 ? -each.cents : each.cents));
          const whole = cents.reduce((sum, each) => sum + each, 0);
          if (whole === 0) continue;
          const code = (at: number) => LEAVES[at % LEAVES.length] ?? '';
          const lines: Line[] = [
            ...debits.map(({ at }, index): Line => [code(at), ((cents[index] ?? 0) / 100).toFixed(2), '']),
            [code(credit), '', (whole / 100).toFixed(2)],
          ];
          await through(who, paper(ids, lines, day));
        }
        const statements = async (month: string) => {
          const { unmapped } = await read(who, 'balance', month);
          expect(unmapped).toEqual([]);
          expect((await read(who, 'income', month)).unmapped).toEqual([]);
          expect(await faultsOf(who, month)).toEqual([]);
          return Promise.all(STATEMENTS.map((statement) => amountsOf(who, statement, month)));
        };
        for (const month of ['2026-09', '2026-10']) {
          const before = await statements(month);
          const profit = before[1]?.['32']?.[1] ?? '0.00';
          await close(who, month);
          expect(await statements(month)).toEqual(before);
          const { rows } = await who.call(trialBalance, { body: { from: month, to: month, level: 1, moved: false } });
          const row = rows.find(({ code }) => code === '3103');
          expect((Number(row?.credit) - Number(row?.debit)).toFixed(2)).toBe(Number(profit).toFixed(2));
        }
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });
});
