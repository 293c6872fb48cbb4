import { Decimal, ratio, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { classOf, feeTitle, type PlSection, SECTIONS } from '../contract/fees.ts';
import type { FeeNode, SettlementDetail } from '../contract/settlements.ts';
import { settlementRow } from './list.ts';
import { checksOf } from './verify.ts';

interface TotalRow {
  transaction_type: string;
  amount_type: string;
  amount_description: string;
  fee_code: string;
  pl_section: PlSection;
  shop: boolean;
  amount: string;
  quantity: number;
  line_count: number;
}

async function totalsOf(ctx: Ctx, id: string): Promise<TotalRow[]> {
  const rows = await ctx.db
    .selectFrom('settlement.fee_total')
    .select(['transaction_type', 'amount_type', 'amount_description', 'fee_code', 'pl_section', 'shop', 'amount'])
    .select(['quantity', 'line_count'])
    .where('company_id', '=', ctx.companyId)
    .where('source_doc_id', '=', id)
    .execute();
  return rows as TotalRow[];
}

function itemsOf(rows: readonly TotalRow[], sales: string): FeeNode['items'] {
  const byItem = Map.groupBy(rows, (row) => `${row.fee_code}\t${row.amount_description}`);
  const items = [...byItem.values()].map((group) => {
    const [first] = group;
    const amount = sum(group.map((row) => row.amount));
    return {
      title: feeTitle(first?.fee_code ?? ''),
      amountDescription: first?.amount_description ?? '',
      feeCode: first?.fee_code ?? '',
      amount,
      share: ratio(amount, sales),
      lines: group.reduce((count, row) => count + row.line_count, 0),
    };
  });
  return items.toSorted((a, b) => new Decimal(b.amount).abs().comparedTo(new Decimal(a.amount).abs()));
}

/** The tree section → amount with each one's part of the gross sales. */
function treeOf(rows: readonly TotalRow[], sales: string): FeeNode[] {
  return (Object.keys(SECTIONS) as PlSection[]).flatMap((section) => {
    const own = rows.filter((row) => row.pl_section === section);
    if (own.length === 0) return [];
    const amount = sum(own.map((row) => row.amount));
    return [{ section, title: SECTIONS[section], amount, share: ratio(amount, sales), items: itemsOf(own, sales) }];
  });
}

/** Everything that the detail of a settlement shows. @throws 404 for an unknown or superseded one */
export async function detailOf(ctx: Ctx, id: string): Promise<SettlementDetail> {
  const settlement = await settlementRow(ctx, id);
  if (!settlement) throw notFound('结算单不存在或已被新版本替换');
  const rows = await totalsOf(ctx, id);
  const amounts = (keep: (row: TotalRow) => boolean) => sum(rows.filter(keep).map((row) => row.amount));
  const sales = amounts((row) => row.fee_code === 'PRINCIPAL');
  const counts = (row: TotalRow) => classOf(row.pl_section) !== 'BALANCE';
  const shopRows = rows.filter((row) => row.shop && counts(row));
  return {
    settlement,
    figures: {
      sales,
      units: rows.filter((row) => row.fee_code === 'PRINCIPAL').reduce((units, row) => units + row.quantity, 0),
      orders: settlement.orderCount,
      skuNet: amounts((row) => !row.shop && counts(row)),
      shopFees: sum(shopRows.map((row) => row.amount)),
      fees: amounts((row) => ['FEE', 'ADS'].includes(row.pl_section)),
    },
    tree: treeOf(rows, sales),
    shop: itemsOf(shopRows, sales),
    proof: { total: settlement.total, lineSum: settlement.lineSum, gap: settlement.gap },
    checks: await checksOf(ctx, id, rows),
  };
}
