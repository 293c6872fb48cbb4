import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { LedgerPartDef, LedgerSource, LedgerVariant } from '#kit/server/ledger-source.ts';
import { FEE_CODES, type PlSection, SECTIONS } from '../contract/fees.ts';
import { type SettledFee, settledFees } from './sums.ts';

/** Where the sections stand; a balance only moves between Amazon and the seller. */
const SUBJECTS: Readonly<Record<Exclude<PlSection, 'BALANCE'>, string>> = {
  REVENUE: '500101',
  REFUND: '500101',
  FEE: '560105',
  ADS: '560104',
  REIMBURSEMENT: '5301',
  TAX: '222107',
  UNMAPPED: '560105',
};

/** Fee codes that stand elsewhere than their section. */
const BY_FEE: Readonly<Record<string, string>> = {
  REFUND_FEE_BACK: '560101',
  REFUND_ADMIN: '560101',
  COMMISSION: '560101',
  CLOSING: '560101',
  DSF: '560101',
  FBA_FULFIL: '560102',
  FBA_MCF: '560102',
  FBA_RETURN: '560102',
  PREP: '560102',
  FBA_STORAGE: '560103',
  FBA_AGED: '560103',
  AWD: '560103',
  LIQUIDATION: '5051',
};

/** The one balance that is a debt of its own: what Amazon lent. */
const LOAN = 'LOAN';

const parts: Record<string, LedgerPartDef> = {
  RECEIVABLE: { title: '应收亚马逊', subject: '112201', monetary: true, exact: true },
  LOAN: { title: '亚马逊贷款', subject: '2241', monetary: true },
  ...Object.fromEntries(
    Object.entries(SUBJECTS).map(([section, subject]) => [section, { title: SECTIONS[section as PlSection], subject }]),
  ),
};

const variants = (): Readonly<Record<string, LedgerVariant[]>> => {
  const all: Record<string, LedgerVariant[]> = {};
  for (const [key, { title, section }] of Object.entries(FEE_CODES)) {
    if (section === 'BALANCE') continue;
    all[section] = [...(all[section] ?? []), { key, title, subject: BY_FEE[key] ?? '' }];
  }
  return all;
};

/** What one settlement brought: income and costs against what Amazon owes for it. */
function partsOf(fees: readonly SettledFee[]) {
  const counted = fees.filter(
    ({ feeCode, section, amount }) => (section !== 'BALANCE' || feeCode === LOAN) && !new Decimal(amount).isZero(),
  );
  const owed = sum(counted.map(({ amount }) => amount));
  const currency = fees[0]?.currency ?? 'CNY';
  return [
    { part: 'RECEIVABLE', currency, amount: owed },
    ...counted.map(({ feeCode, section, amount }) => ({
      part: feeCode === LOAN ? LOAN : section,
      ...(feeCode === LOAN ? {} : { variant: feeCode }),
      currency,
      amount: new Decimal(amount).negated().toFixed(),
    })),
  ];
}

/** Settlements as the general ledger books them, each once it has ended, in its own currency. */
export const settlementSource: LedgerSource = {
  name: 'settlement',
  title: '亚马逊结算',
  about: '应收账款-亚马逊 对 收入、退款、平台费用、广告、赔偿与代扣税；预留与转账是往来，不生成分录',
  sort: 10,
  by: 'DOCUMENT',
  parts,
  variants: async () => variants(),
  facts: async (ctx, month) =>
    [...Map.groupBy(await settledFees(ctx, month), ({ documentId }) => documentId)].flatMap(([id, fees]) => {
      const [first] = fees;
      if (!first) return [];
      return [
        {
          ref: id,
          day: first.day,
          number: first.settlementId,
          path: `/amazon/payment/detail?id=${id}`,
          parts: partsOf(fees),
        },
      ];
    }),
};
