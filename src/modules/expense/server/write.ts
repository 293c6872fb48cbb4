import type { Ctx } from '#kit/server/context.ts';
import { siteOf } from '#modules/listing/server/index.ts';
import type { LineInput, ShareInput } from '../contract/document.ts';

type Part = 'expense.line' | 'expense.department_share' | 'expense.store_share';

const cleared = (ctx: Ctx, table: Part, id: string) =>
  ctx.db.deleteFrom(table).where('company_id', '=', ctx.companyId).where('document_id', '=', id).execute();

/** Replaces the lines of an expense, whose row the caller holds. */
export async function writeLines(ctx: Ctx, id: string, lines: readonly LineInput[]): Promise<void> {
  await cleared(ctx, 'expense.line', id);
  await ctx.db
    .insertInto('expense.line')
    .values(
      lines.map(({ feeType, amount, tax, remark }, index) => ({
        company_id: ctx.companyId,
        document_id: id,
        line_no: index + 1,
        fee_type: feeType,
        amount,
        tax: tax ?? null,
        remark,
      })),
    )
    .execute();
}

/** Replaces the shares of an expense, whose row the caller holds: departments and stores lie apart. */
export async function writeShares(ctx: Ctx, id: string, shares: readonly ShareInput[]): Promise<void> {
  await cleared(ctx, 'expense.department_share', id);
  await cleared(ctx, 'expense.store_share', id);
  const key = (index: number) => ({ company_id: ctx.companyId, document_id: id, row_no: index + 1 });
  const departments = shares.flatMap(({ departmentId, amount }, index) =>
    departmentId === undefined ? [] : [{ ...key(index), department_id: departmentId, amount }],
  );
  const stores = shares.flatMap(({ store, sku, amount }, index) => {
    if (store === undefined) return [];
    const { accountId, marketplaceId } = siteOf(store);
    return [{ ...key(index), account_id: accountId, marketplace_id: marketplaceId, sku, amount }];
  });
  if (departments.length > 0) await ctx.db.insertInto('expense.department_share').values(departments).execute();
  if (stores.length > 0) await ctx.db.insertInto('expense.store_share').values(stores).execute();
}
