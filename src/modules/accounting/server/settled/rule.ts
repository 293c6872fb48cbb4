import { Decimal, round, sum } from '#kit/contract/decimal.ts';
import { FEE_CODES } from '#modules/settlement/contract/fees.ts';
import type { SettledFee } from '#modules/settlement/server/index.ts';

/** Version of the rule: a voucher keeps the one that it was made by. */
export const RULE_VERSION = 1;

/** 应收账款-亚马逊: what Amazon owes; reserves and charges move inside of it. */
export const RECEIVABLE = '112201';

const SALES = '500101';
const OTHER_SALES = '5051';
const COMMISSION = '560101';
const FULFILMENT = '560102';
const STORAGE = '560103';
const ADS = '560104';
const OTHER_FEES = '560105';
const REIMBURSED = '5301';
const TAX = '222107';
const LOANS = '2241';

/** Codes of subjects by fee code, where the section does not say it. */
const BY_FEE: Readonly<Record<string, string>> = {
  REFUND_FEE_BACK: COMMISSION,
  REFUND_ADMIN: COMMISSION,
  COMMISSION,
  CLOSING: COMMISSION,
  DSF: COMMISSION,
  FBA_FULFIL: FULFILMENT,
  FBA_MCF: FULFILMENT,
  FBA_RETURN: FULFILMENT,
  PREP: FULFILMENT,
  FBA_STORAGE: STORAGE,
  FBA_AGED: STORAGE,
  AWD: STORAGE,
  LIQUIDATION: OTHER_SALES,
  LOAN: LOANS,
};

/** Code of the subject that a fee is booked on; undefined for what only moves between Amazon and the seller. */
function subjectOf({ feeCode, section }: Pick<SettledFee, 'feeCode' | 'section'>): string | undefined {
  const own = BY_FEE[feeCode];
  if (own) return own;
  switch (section) {
    case 'REVENUE':
    case 'REFUND':
      return SALES;
    case 'ADS':
      return ADS;
    case 'REIMBURSEMENT':
      return REIMBURSED;
    case 'TAX':
      return TAX;
    case 'BALANCE':
      return undefined;
    default:
      return OTHER_FEES;
  }
}

/** A line by the code of its subject; one of both amounts is '', CNY. */
export interface RuleLine {
  code: string;
  summary: string;
  debit: string;
  credit: string;
}

const onDebit = (amount: Decimal) =>
  amount.gt(0) ? { debit: round(amount, 2), credit: '' } : { debit: '', credit: round(amount.negated(), 2) };

const titlesOf = (fees: readonly SettledFee[]): string => {
  const titles = fees.map(
    ({ feeCode }) => (FEE_CODES as Readonly<Record<string, { title: string }>>)[feeCode]?.title ?? '待归类',
  );
  return [...new Set(titles)].join('、').slice(0, 120);
};

/**
 * The entries of one settlement in CNY at a rate (CNY for one unit of its currency): what Amazon owes for it against income,
 * costs and taxes by subject. Lines are rounded to the cent; what rounding leaves of the rounded whole goes to the largest
 * line. No lines where nothing but balances moved.
 */
export function settlementLines(fees: readonly SettledFee[], rate: string): RuleLine[] {
  const [first] = fees;
  if (!first) return [];
  const bySubject = Map.groupBy(fees, (fee) => subjectOf(fee));
  bySubject.delete(undefined);
  const parts = [...bySubject].flatMap(([code, of]) => {
    const exact = new Decimal(sum(of.map(({ amount }) => amount))).times(rate);
    return code === undefined || exact.isZero() ? [] : [{ code, of, amount: exact.toDecimalPlaces(2), exact }];
  });
  const whole = new Decimal(sum(parts.map(({ exact }) => exact.toFixed()))).toDecimalPlaces(2);
  const left = whole.minus(sum(parts.map(({ amount }) => amount.toFixed())));
  const largest = parts.reduce<(typeof parts)[number] | undefined>(
    (most, part) => (most?.amount.abs().gte(part.amount.abs()) ? most : part),
    undefined,
  );
  if (largest) largest.amount = largest.amount.plus(left);
  const booked = parts.filter(({ amount }) => !amount.isZero()).toSorted((a, b) => a.code.localeCompare(b.code));
  const summary = `亚马逊结算 ${first.settlementId}`;
  const lines = booked.map(({ code, of, amount }) => ({
    code,
    summary: `${summary} ${titlesOf(of)}`,
    ...onDebit(amount.negated()),
  }));
  return whole.isZero() ? lines : [{ code: RECEIVABLE, summary, ...onDebit(whole) }, ...lines];
}
