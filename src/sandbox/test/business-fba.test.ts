import { describe, expect, it } from 'vitest';
import { createBusiness } from '../business/index.ts';
import { DAY, firstAccount, START, tiny } from './business-support.ts';

const NOW = START + 45 * DAY + 11 * 3_600_000;
const US = 'ATVPDKIKX0DER';
const sum = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((total, row) => total + of(row), 0);

describe('the warehouse ledger', () => {
  it('is conserved every day, in every warehouse and disposition, and ends in the stock books', () => {
    const business = createBusiness({ seed: 'demo-1', scenario: 'demo', startAt: START });
    expect(business.audit(START + 70 * DAY)).toEqual([]);
    const [account] = business.accounts;
    const books = account && business.fba(account, US, START + 70 * DAY);
    const events = new Set(books?.movements.map((move) => `${move.event}${move.reason}`));
    expect([...events].sort()).toEqual([
      'AdjustmentsD',
      'AdjustmentsE',
      'AdjustmentsF',
      'AdjustmentsM',
      'CustomerReturns',
      'Receipts',
      'Shipments',
      'VendorReturns',
      'WhseTransfers',
    ]);
    expect(new Set(books?.removals.map((one) => one.type))).toEqual(new Set(['Return', 'Disposal']));
    expect(books?.reimbursements.length).toBeGreaterThan(0);
  });

  it('agrees with returns, removals and reimbursements, which are told elsewhere', () => {
    const business = tiny();
    const account = firstAccount(business);
    const { movements, returns, removals, days } = business.fba(account, US, NOW);
    const of = (event: string) => movements.filter((move) => move.event === event);
    expect(returns.length).toBeGreaterThan(0);
    expect(sum(of('CustomerReturns'), (move) => move.quantity)).toBe(returns.length);
    expect(new Set(returns.map((one) => one.plate)).size).toBe(returns.length);
    const gone = sum([...of('VendorReturns'), ...movements.filter((m) => m.reason === 'D')], (move) => -move.quantity);
    expect(gone).toBe(
      sum(
        removals.filter((one) => one.doneAt !== undefined),
        (one) => one.quantity,
      ),
    );
    expect(sum(days, (day) => day.receipts)).toBe(sum(of('Receipts'), (move) => move.quantity));
  });

  it('tells every movement apart, so that a row told twice is known for what it is', () => {
    const { movements } = tiny().fba(firstAccount(tiny()), US, NOW);
    expect(new Set(movements.map((move) => JSON.stringify(move))).size).toBe(movements.length);
  });

  it('shows nothing of the future, and the same past from everywhere', () => {
    const ahead = tiny();
    ahead.fba(firstAccount(ahead), US, NOW + 30 * DAY);
    for (const at of [START + 16 * DAY, START + 31 * DAY + 3_600_000, NOW]) {
      const other = tiny();
      const books = ahead.fba(firstAccount(ahead), US, at);
      expect(books).toEqual(other.fba(firstAccount(other), US, at));
      expect(books.movements.every((move) => move.at <= at)).toBe(true);
    }
  });
});
