import { capitalYuan } from '#kit/contract/capital.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import { formatExactMoney } from '#kit/contract/format.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { filled, type Placeholder } from '../../contract/clause.ts';
import { InvoiceType, OVERSEA, PRICE } from '../../contract/fields.ts';
import type { OrderHead } from '../../contract/order.ts';

/** The two who sign: the company, and the supplier by his full name where it is known. */
export async function partiesOf(ctx: Ctx, supplierId: string): Promise<{ company: string; supplier: string }> {
  const company = await ctx.db
    .selectFrom('identity.company')
    .select('name')
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  const supplier = await ctx.db
    .selectFrom('supplier.supplier')
    .select(['full_name', 'short_name'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', supplierId)
    .executeTakeFirst();
  return { company: company?.name ?? '', supplier: supplier?.full_name || (supplier?.short_name ?? '') };
}

/** What clauses say of an order. */
export type Said = Pick<
  OrderHead,
  | 'number'
  | 'supplierId'
  | 'warehouse'
  | 'expectedOn'
  | 'termsText'
  | 'currency'
  | 'amount'
  | 'invoiceType'
  | 'createdByName'
  | 'createdAt'
  | 'incoterm'
  | 'placedAt'
>;

/** A share as a contract says it: 0.0005 is 0.05%. */
const percent = (share: string) => `${new Decimal(share).times(100).toFixed()}%`;

async function valuesOf(ctx: Ctx, order: Said, penalty: string | null): Promise<Record<Placeholder, string>> {
  const parties = await partiesOf(ctx, order.supplierId);
  // Amounts in a text are amounts all the same.
  const priced = (words: (amount: string) => string) => (can(ctx, PRICE) ? words(order.amount ?? '0') : '***');
  return {
    采购方: parties.company,
    供应商: parties.supplier,
    采购单号: order.number,
    签订日期: ctx.clock.dayOf(new Date(order.placedAt ?? order.createdAt)),
    交期: order.expectedOn ?? '以明细为准',
    交货地点: order.warehouse,
    付款条件: order.termsText,
    币种: order.currency,
    贸易术语: can(ctx, OVERSEA) ? (order.incoterm ?? '—') : '***',
    合同总额: priced((amount) => formatExactMoney(amount, order.currency)),
    大写金额: priced((amount) => (order.currency === 'CNY' ? capitalYuan(amount) : '—')),
    发票: InvoiceType.meta()?.states?.[order.invoiceType]?.title ?? '',
    采购员: order.createdByName,
    违约金比例: penalty === null ? '—' : percent(penalty),
  };
}

/** Clauses with what the order says in place of their placeholders; amounts only for who may see them. */
export async function filledClauses(
  ctx: Ctx,
  order: Said,
  lines: readonly string[],
  penalty: string | null,
): Promise<string[]> {
  if (lines.length === 0) return [];
  const values = await valuesOf(ctx, order, penalty);
  return lines.map((line) => filled(line, values));
}
