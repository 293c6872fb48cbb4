import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { inquiryDocument } from '../../contract/inquiry.ts';
import type { Tier } from '../../contract/parts.ts';
import { auditChange, requireVersion } from '../catalogue/shared.ts';
import { tierProblem, tierWarning } from '../catalogue/tiers.ts';

const RESOURCE = inquiryDocument.name;

/** An inquiry, locked. @throws notFound */
async function locked(ctx: Ctx, id: string) {
  const row = await ctx.db
    .selectFrom('product.inquiry')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('询价单不存在或已删除');
  return row;
}

/** The same, while it takes offers. @throws AppError B0780 otherwise */
async function lockedOpen(ctx: Ctx, id: string) {
  const row = await locked(ctx, id);
  if (row.state !== 'open') throw refused('询价单已定价或已关闭，请先重新询价', 'B0780');
  return row;
}

interface InquiryInput {
  id?: string | undefined;
  version?: number | undefined;
  productId: string;
  qty: number;
  dueOn?: string | null | undefined;
  remark?: string | undefined;
}

async function requireProduct(ctx: Ctx, id: string): Promise<void> {
  const row = await ctx.db
    .selectFrom('product.local_product')
    .select('lifecycle')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('is_spelling', '=', false)
    .executeTakeFirst();
  if (!row) throw notFound('产品不存在或已删除');
  if (row.lifecycle === 'offline') throw refused('该SKU已归档，请先恢复', 'B0781');
}

/** Opens an inquiry, or changes its pieces. @throws AppError B0780 closed, B0781 archived product, 409 stale version */
export async function saveInquiryRow(ctx: Ctx, input: InquiryInput): Promise<{ id: string }> {
  const values = { qty: input.qty, due_on: input.dueOn ?? null, remark: input.remark || null };
  if (input.id) {
    const before = await lockedOpen(ctx, input.id);
    requireVersion(ctx, input.version, before);
    await ctx.db
      .updateTable('product.inquiry')
      .set({
        ...values,
        version: before.version + 1,
        updated_at: sql<string>`kit.now()`,
        updated_by_name: ctx.userName,
      })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', before.id)
      .execute();
    await auditChange(ctx, { action: '修改询价单', resource: RESOURCE, resourceId: before.id }, before, values);
    return { id: before.id };
  }
  await requireProduct(ctx, input.productId);
  const number = await nextNumber(ctx, inquiryDocument.number, ctx.clock.today());
  const row = await ctx.db
    .insertInto('product.inquiry')
    .values({
      company_id: ctx.companyId,
      number,
      product_id: input.productId,
      ...values,
      created_by_name: ctx.userName,
      updated_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(ctx, { action: '新增询价单', resource: RESOURCE, resourceId: row.id, after: { number, ...values } });
  return row;
}

interface OfferInput {
  id: string;
  supplierId: string;
  currency: string;
  taxIncluded: boolean;
  tiers: readonly Tier[];
  moq: number;
  orderMultiple: number;
  leadDays: number;
  validFrom?: string | undefined;
  validTo?: string | null | undefined;
  remark?: string | undefined;
  confirmed: boolean;
}

async function replaceTiers(ctx: Ctx, { id, supplierId, tiers }: OfferInput): Promise<void> {
  await ctx.db
    .deleteFrom('product.offer_tier')
    .where('company_id', '=', ctx.companyId)
    .where('inquiry_id', '=', id)
    .where('supplier_id', '=', supplierId)
    .execute();
  await ctx.db
    .insertInto('product.offer_tier')
    .values(
      tiers.map(({ minQty, unitPrice }) => ({
        company_id: ctx.companyId,
        inquiry_id: id,
        supplier_id: supplierId,
        min_qty: minQty,
        unit_price: unitPrice,
      })),
    )
    .execute();
}

/**
 * Puts a supplier's offer into an open inquiry, in the place of one that he made before.
 * @throws AppError B0742 tiers that cannot be, B0743 a rise that is not confirmed, B0782 days in the wrong order, B0783 a
 *   supplier that may not be chosen
 */
export async function putOfferRow(ctx: Ctx, input: OfferInput): Promise<{ id: string }> {
  const problem = tierProblem(input.tiers);
  if (problem) throw refused(problem, 'B0742');
  const warning = tierWarning(input.tiers);
  if (warning && !input.confirmed) throw refused(warning, 'B0743');
  const validFrom = input.validFrom ?? ctx.clock.today();
  if (input.validTo && input.validTo < validFrom) throw refused('失效日期不能早于生效日期', 'B0782');
  await lockedOpen(ctx, input.id);
  const supplier = await ctx.db
    .selectFrom('supplier.supplier')
    .select('state')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', input.supplierId)
    .executeTakeFirst();
  if (!supplier || supplier.state === 'blacklisted') throw refused('供应商不存在或在黑名单中', 'B0783');
  const values = {
    currency: input.currency,
    tax_included: input.taxIncluded,
    moq: input.moq,
    order_multiple: input.orderMultiple,
    lead_days: input.leadDays,
    valid_from: validFrom,
    valid_to: input.validTo ?? null,
    remark: input.remark || null,
    created_by_name: ctx.userName,
  };
  await ctx.db
    .insertInto('product.offer')
    .values({ company_id: ctx.companyId, inquiry_id: input.id, supplier_id: input.supplierId, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'inquiry_id', 'supplier_id'])
        .doUpdateSet({ ...values, created_at: sql<string>`kit.now()` }),
    )
    .execute();
  await replaceTiers(ctx, input);
  const { supplierId, tiers } = input;
  const after = { supplierId, ...values, tiers };
  await audit(ctx, { action: '登记报价', resource: RESOURCE, resourceId: input.id, after });
  return { id: input.id };
}

/** Takes an offer out of an open inquiry. @throws notFound, AppError B0780 */
export async function dropOfferRow(ctx: Ctx, input: { id: string; supplierId: string }): Promise<'success'> {
  await lockedOpen(ctx, input.id);
  const gone = await ctx.db
    .deleteFrom('product.offer')
    .where('company_id', '=', ctx.companyId)
    .where('inquiry_id', '=', input.id)
    .where('supplier_id', '=', input.supplierId)
    .returning(['currency', 'valid_from', 'valid_to'])
    .executeTakeFirst();
  if (!gone) throw notFound('报价不存在或已删除');
  const before = { supplierId: input.supplierId, ...gone };
  await audit(ctx, { action: '删除报价', resource: RESOURCE, resourceId: input.id, before });
  return 'success';
}
