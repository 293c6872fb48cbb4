import { Decimal } from '#kit/contract/decimal.ts';
import { parted } from '../contract/spread.ts';

/** A line as it is typed. */
export interface DraftLine {
  key: string;
  feeType: string;
  amount: string;
  tax: string;
  remark: string;
}

/** A row of who bears it, as it is typed: an amount, or a percentage of the whole. */
export interface DraftShare {
  key: string;
  departmentId: string;
  store: string;
  sku: string;
  amount: string;
  percent: string;
}

let made = 0;
const key = () => {
  made += 1;
  return `row${made}`;
};

/** A line to type into. */
export const draftLine = (line: Partial<Omit<DraftLine, 'key'>> = {}): DraftLine => ({
  feeType: '',
  amount: '',
  tax: '',
  remark: '',
  ...line,
  key: key(),
});

/** A row to type into. */
export const draftShare = (share: Partial<Omit<DraftShare, 'key'>> = {}): DraftShare => ({
  departmentId: '',
  store: '',
  sku: '',
  amount: '',
  percent: '',
  ...share,
  key: key(),
});

const PLAIN = /^\d+(\.\d+)?$/;

/** Sum of what is typed, or null while something is no number. */
export function totalOf(amounts: readonly string[]): string | null {
  const known = amounts.map((amount) => amount || '0');
  return known.every((amount) => PLAIN.test(amount)) ? Decimal.sum(0, ...known).toFixed() : null;
}

/**
 * Rows with the amounts that their percentages of the whole come to, to the last cent; as they were while these are not numbers.
 * The last cents go where the largest rests are, so that 100 % is the whole.
 */
export function byPercent(shares: readonly DraftShare[], total: string | null, currency: string): DraftShare[] {
  const percents = shares.map(({ percent }) => percent || '0');
  const whole = totalOf(percents);
  if (total === null || whole === null) return [...shares];
  // What of the whole all rows together are: less or more than it, while somebody types.
  const part = new Decimal(total).times(whole).div(100).toFixed();
  const scaled = new Decimal(part).toFixed(2);
  const amounts = parted(new Decimal(whole).eq(100) ? total : scaled, percents, currency);
  return shares.map((share, at) => ({ ...share, amount: amounts[at] ?? '' }));
}
