import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import type { LedgerFact, LedgerPart, LedgerSource, LedgerVariant } from '#kit/server/ledger-source.ts';
import { paymentRequest } from '../../contract/requests.ts';
import { paidDocuments } from '../payables/documents.ts';

/** Subjects of accounts by how they pay. */
const ACCOUNTS: Readonly<Record<string, string>> = {
  CASH: '1001',
  BANK: '1002',
  ALIPAY: '101201',
  WECHAT: '101201',
  WALLET: '101201',
  CREDIT_CARD: '2241',
  PLATFORM_TERM: '2241',
  OTHER: '101201',
};

/** Subjects of categories by the names that they usually have: what a platform pays out is owed already. */
const CATEGORIES: Readonly<Record<string, string>> = { 平台回款: '112201', 手续费: '560302', 利息: '560303' };

/** Kinds of documents whose debts are booked by their own modules: they end here. */
const bookedThere = (ctx: Ctx): string[] =>
  extensionsOf(ctx.runtime.modules, paidDocuments)
    .filter(({ booked }) => booked)
    .map(({ type }) => type);

interface Entry {
  posting: string;
  day: string;
  number: string;
  title: string;
  sourceType: string;
  sourceId: string;
  book: string;
  variant: string;
  currency: string;
  amount: string;
  base: string | null;
}

/** Entries of a month's postings. Openings are left out: the books have opening balances of their own. */
async function entriesOf(ctx: Ctx, month: string): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    SELECT p.id AS posting, p.business_date::text AS day, p.source_number AS number, p.title, p.source_type AS "sourceType",
           p.source_id AS "sourceId",
           CASE WHEN e.book = 'EXPENSE' AND r.id IS NOT NULL THEN 'EXPENSE_DUE'
                WHEN e.book = 'EXPENSE' AND e.purpose = 'FEE' THEN 'FEE' ELSE e.book END AS book,
           CASE WHEN e.book = 'ACCOUNT' THEN e.item_id::text ELSE coalesce(e.category_id::text, '') END AS variant,
           e.currency, e.amount::text AS amount, e.base::text AS base
      FROM finance.posting AS p
      JOIN finance.entry AS e ON e.company_id = p.company_id AND e.posting_id = p.id
      LEFT JOIN finance.payment_request AS r
        ON p.source_type = ${paymentRequest.name} AND r.company_id = p.company_id AND r.id::text = p.source_id
       AND r.subject_type = ANY (${bookedThere(ctx)}::text[])
     WHERE p.company_id = ${ctx.companyId} AND p.business_date >= ${month}::date
       AND p.business_date < (${month}::date + interval '1 month')::date
       AND NOT EXISTS (SELECT FROM finance.entry AS o
                        WHERE o.company_id = p.company_id AND o.posting_id = p.id AND o.book = 'OPENING')
     ORDER BY p.business_date, p.id, e.line_no`.execute(ctx.db);
  return rows;
}

/** What currencies meet in counts for nothing: what is left in CNY is the exchange gain or loss. */
const partOf = ({ book, variant, currency, amount, base }: Entry): LedgerPart[] =>
  book === 'EXCHANGE'
    ? []
    : [
        {
          part: book,
          ...(variant ? { variant } : {}),
          currency,
          amount,
          ...(base === null ? {} : { base }),
        },
      ];

async function facts(ctx: Ctx, month: string): Promise<LedgerFact[]> {
  const postings = Map.groupBy(await entriesOf(ctx, month), ({ posting }) => posting);
  return [...postings].flatMap(([ref, entries]) => {
    const [first] = entries;
    const parts = entries.flatMap(partOf);
    if (!first || parts.length === 0) return [];
    return [
      {
        ref,
        day: first.day,
        number: `${first.number} ${first.title}`,
        document: { type: first.sourceType, id: first.sourceId },
        parts,
      },
    ];
  });
}

async function variants(ctx: Ctx): Promise<Readonly<Record<string, LedgerVariant[]>>> {
  const accounts = await ctx.db
    .selectFrom('finance.cash_account')
    .select(['id', 'name', 'method'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('name')
    .execute();
  const categories = await ctx.db
    .selectFrom('finance.category')
    .select(['id', 'name', 'direction'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('name')
    .execute();
  const of = (wanted: string) =>
    categories
      .filter(({ direction }) => direction === wanted)
      .map(({ id, name }): LedgerVariant => ({ key: id, title: name, subject: CATEGORIES[name] ?? '' }));
  return {
    ACCOUNT: accounts.map(({ id, name, method }) => ({ key: id, title: name, subject: ACCOUNTS[method] ?? '' })),
    INCOME: of('IN'),
    EXPENSE: of('OUT'),
  };
}

/** What moved money and debts as the general ledger books it: each posting of the cash ledger, in its own currencies. */
export const moneySource: LedgerSource = {
  name: 'finance.posting',
  title: '资金与往来',
  about: '收付款、转账换汇、应付与预付的发生与结清、已实现汇兑损益；期初余额在总账期初凭证里录入',
  sort: 20,
  by: 'DOCUMENT',
  parts: {
    ACCOUNT: { title: '资金账户', subject: '1002', monetary: true, exact: true },
    PAYABLE: { title: '应付账款', subject: '2202', monetary: true, exact: true },
    PREPAID: { title: '预付账款', subject: '1123', exact: true },
    RECEIVABLE: { title: '其他应收款', subject: '1221', monetary: true, exact: true },
    GOODS: { title: '采购与运费（材料采购）', subject: '1401' },
    INCOME: { title: '收入', subject: '5051' },
    EXPENSE: { title: '费用支出', subject: '560206' },
    EXPENSE_DUE: { title: '支付费用单', subject: '2241', monetary: true, exact: true },
    FEE: { title: '手续费', subject: '560302' },
    GAIN: { title: '汇兑损益', subject: '560301' },
  },
  rest: 'GAIN',
  variants,
  facts,
};
