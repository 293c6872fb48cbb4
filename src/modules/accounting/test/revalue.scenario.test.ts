import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveMonthRate } from '#modules/finance/contract/rates.ts';
import { publishDays } from '#test/support/rates.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { checkPeriod, closePeriod, reopenPeriod } from '../contract/periods.ts';
import { listVouchers, saveVoucher, voucherData } from '../contract/voucher-calls.ts';
import { idsOf, openBooks, paper, through } from './support.ts';

let world: World;
let owner: Person;
let ids: Map<string, string>;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  ids = await openBooks(owner);
});
afterAll(() => world.close());

/** 1,000 dollars come in at 7.1 and 400 leave at 7.2, in January. */
function dollars(day: string, original: string, cny: string, out: boolean) {
  const body = paper(
    ids,
    out
      ? [
          ['2202', cny, ''],
          ['1002', '', cny],
        ]
      : [
          ['1002', cny, ''],
          ['3001', '', cny],
        ],
    day,
  );
  const lines = body.lines.map((line, at) => (at === (out ? 1 : 0) ? { ...line, currency: 'USD', original } : line));
  return { ...body, lines };
}
const entries = async (number: string | null) => {
  const { records } = await owner.call(listVouchers, { body: { filter: { keyword: number ?? '' } } });
  const { lines } = await owner.call(voucherData, { params: { id: records[0]?.id ?? '' } });
  return lines.map(
    ({ subject, debit, credit, currency, original }) =>
      `${subject.split(' ')[0]} ${debit ?? ''}|${credit ?? ''} ${original ?? ''}${currency}`,
  );
};

test('money in other currencies is worth what its month’s last day says, and opens again as it was', async () => {
  await through(owner, dollars('2026-01-05', '1000', '7100', false));
  await through(owner, dollars('2026-01-20', '400', '2880', true));
  const lacking = (await owner.call(checkPeriod, { body: { month: '2026-01' } })).find(({ ok }) => !ok);
  expect(lacking?.detail).toBe('期末调汇：缺少 USD 2026-01-31 汇率，无法折算科目 1002 银行存款');
  await expect(owner.call(closePeriod, { body: { month: '2026-01' } })).rejects.toThrow('缺少 USD 2026-01-31 汇率');
  await publishDays(world, { '2026-01-30': { USD: '7.05' }, '2026-02-27': { USD: '6.9' } });

  // 600 dollars are booked with 4,220.00 and worth 4,230.00.
  const january = await owner.call(closePeriod, { body: { month: '2026-01' } });
  expect(await entries(january.revaluation)).toEqual(['1002 10.00| 0.0000USD', '560301 |10.00 CNY']);
  // The next month begins with what they were worth: 4,230.00 to 4,140.00.
  const february = await owner.call(closePeriod, { body: { month: '2026-02' } });
  expect(await entries(february.revaluation)).toEqual(['1002 |90.00 0.0000USD', '560301 90.00| CNY']);

  await owner.call(reopenPeriod, { body: { month: '2026-02', reason: '汇率有误' } });
  await owner.call(saveMonthRate, { body: { currency: 'USD', month: '2026-02', rate: '7.05' } });
  // Worth what it was at the end of January: nothing moves.
  expect((await owner.call(closePeriod, { body: { month: '2026-02' } })).revaluation).toBeNull();
});

test('an entry has its amount in another currency with the currency, on the same side', async () => {
  const at = '2026-03-02';
  const wrong = (change: object) => {
    const body = dollars(at, '10', '70', false);
    return owner.call(saveVoucher, {
      body: { ...body, lines: body.lines.map((line, n) => (n === 0 ? { ...line, ...change } : line)) },
    });
  };
  await expect(wrong({ original: '' })).rejects.toThrow('第 1 行原币金额：外币分录须填原币金额');
  await expect(wrong({ currency: 'CNY' })).rejects.toThrow('人民币分录不填');
  await expect(wrong({ original: '-10' })).rejects.toThrow('须与借贷方金额同号');
  await expect(wrong({ currency: 'usd' })).rejects.toThrow('请选择币种');
  const { id } = await wrong({});
  const [line] = (await owner.call(voucherData, { params: { id } })).lines;
  expect(line).toMatchObject({ currency: 'USD', original: '10.0000', rate: '7.00000000' });
  expect((await idsOf(owner)).size).toBe(ids.size);
});
