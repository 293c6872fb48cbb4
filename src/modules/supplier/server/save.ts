import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import {
  BANK,
  type Contact,
  type Grade,
  type Stage,
  type SupplierDetail,
  type SupplierForm,
  type SupplierState,
  supplierDocument,
} from '../contract.ts';
import { bankOf, openChange } from './bank.ts';
import { changeGrade, settleProposal } from './grading/change.ts';

const RESOURCE = 'supplier';

interface SaveInput extends SupplierForm {
  id?: string | undefined;
  version?: number | undefined;
  terms?: Stage[] | undefined;
  contacts?: Contact[] | undefined;
}

function requireTerms(stages: readonly Stage[]): void {
  if (stages.length === 0) return;
  const sum = stages.reduce((total, stage) => total.plus(stage.share), new Decimal(0));
  if (!sum.equals(1)) throw refused(`结算条款各阶段比例合计须为100%，现为${sum.times(100).toFixed()}%`, 'B0720');
}

async function requireFree(
  ctx: Ctx,
  column: 'code' | 'short_name',
  title: string,
  value: string,
  id: string | undefined,
) {
  const other = await ctx.db
    .selectFrom('supplier.supplier')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where(sql<string>`lower(${sql.ref(column)})`, '=', value.toLowerCase())
    .executeTakeFirst();
  if (other && other.id !== id) throw refused(`供应商${title}「${value}」已存在`, 'B0721');
}

function columnsOf(input: SaveInput) {
  return {
    short_name: input.shortName,
    full_name: input.fullName ?? '',
    tax_id: input.taxId || null,
    currency: input.currency,
    invoice_type: input.invoiceType,
    invoice_rate: input.invoiceType === 'none' ? '0' : input.invoiceRate,
    receive_tolerance: input.receiveTolerance || null,
    alibaba_member: input.alibabaMember || null,
    website: input.website || null,
    address: input.address || null,
    remark: input.remark || null,
    ...(input.terms ? { terms: JSON.stringify(input.terms) } : {}),
  };
}

async function putContacts(ctx: Ctx, supplierId: string, contacts: readonly Contact[]): Promise<void> {
  await ctx.db
    .deleteFrom('supplier.contact')
    .where('company_id', '=', ctx.companyId)
    .where('supplier_id', '=', supplierId)
    .execute();
  if (contacts.length === 0) return;
  await ctx.db
    .insertInto('supplier.contact')
    .values(
      contacts.map((one, index) => ({
        company_id: ctx.companyId,
        supplier_id: supplierId,
        line_no: index + 1,
        ...one,
      })),
    )
    .execute();
}

async function rowOf(ctx: Ctx, id: string, lock = false) {
  const query = ctx.db
    .selectFrom('supplier.supplier')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** Changed fields only, by column. */
function difference(before: Record<string, unknown>, after: Record<string, unknown>) {
  const plain = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value ?? ''));
  const keys = Object.keys(after).filter((key) => plain(before[key]) !== plain(after[key]));
  const pick = (from: Record<string, unknown>) => Object.fromEntries(keys.map((key) => [key, from[key] ?? null]));
  return { before: pick(before), after: pick(after) };
}

async function insert(ctx: Ctx, input: SaveInput): Promise<string> {
  const code = input.code ?? (await nextNumber(ctx, supplierDocument.number, ''));
  await requireFree(ctx, 'code', '编码', code, undefined);
  const values = { code, ...columnsOf(input) };
  const row = await ctx.db
    .insertInto('supplier.supplier')
    .values({ company_id: ctx.companyId, ...values, created_by_name: ctx.userName, updated_by_name: ctx.userName })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(ctx, { action: '新增供应商', resource: RESOURCE, resourceId: row.id, after: values });
  return row.id;
}

async function update(ctx: Ctx, id: string, input: SaveInput): Promise<void> {
  const before = await rowOf(ctx, id, true);
  if (input.version !== undefined && input.version !== before.version) {
    throw conflict(`单据已被${before.updated_by_name}修改，请刷新`);
  }
  if (input.code) await requireFree(ctx, 'code', '编码', input.code, id);
  const values = { ...(input.code ? { code: input.code } : {}), ...columnsOf(input) };
  await ctx.db
    .updateTable('supplier.supplier')
    .set({
      ...values,
      version: sql<number>`version + 1`,
      updated_at: sql<string>`kit.now()`,
      updated_by_name: ctx.userName,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  const changed = difference(before as never, {
    ...values,
    ...(values.terms ? { terms: JSON.parse(values.terms) } : {}),
  });
  await audit(ctx, { action: '修改供应商', resource: RESOURCE, resourceId: id, ...changed });
}

/** Enters or changes a supplier. @throws AppError B0720 terms that do not add up, B0721 a name that is taken, 409 stale */
export async function save(ctx: Ctx, input: SaveInput): Promise<SupplierDetail> {
  requireTerms(input.terms ?? []);
  await requireFree(ctx, 'short_name', '简称', input.shortName, input.id);
  const id = input.id ?? (await insert(ctx, input));
  if (input.id) await update(ctx, input.id, input);
  if (input.contacts) await putContacts(ctx, id, input.contacts);
  return detail(ctx, id);
}

/** Everything about a supplier; bank details masked, and only for whoever may see them. */
export async function detail(ctx: Ctx, id: string): Promise<SupplierDetail> {
  const row = await rowOf(ctx, id);
  const contacts = await ctx.db
    .selectFrom('supplier.contact')
    .select(['name', 'role', 'phone', 'email', 'wechat'])
    .where('company_id', '=', ctx.companyId)
    .where('supplier_id', '=', id)
    .orderBy('line_no')
    .execute();
  const bank = can(ctx, BANK);
  return {
    id,
    code: row.code,
    shortName: row.short_name,
    fullName: row.full_name,
    taxId: row.tax_id ?? undefined,
    currency: row.currency,
    invoiceType: row.invoice_type as SupplierForm['invoiceType'],
    invoiceRate: row.invoice_rate,
    receiveTolerance: row.receive_tolerance ?? undefined,
    alibabaMember: row.alibaba_member ?? undefined,
    website: row.website ?? undefined,
    address: row.address ?? undefined,
    remark: row.remark ?? undefined,
    state: row.state as SupplierState,
    grade: row.grade as Grade,
    serviceScore: row.service_score,
    terms: row.terms as unknown as Stage[],
    contacts,
    bank: bank ? await bankOf(ctx, id) : null,
    bankChange: bank ? await openChange(ctx, id) : null,
    version: row.version,
  };
}

/** Sets grade and service points by hand, with a reason; another grade also decides what was proposed. */
export async function grade(
  ctx: Ctx,
  input: { id: string; grade: Grade; serviceScore: string | null; reason: string },
): Promise<void> {
  const before = await rowOf(ctx, input.id, true);
  await ctx.db
    .updateTable('supplier.supplier')
    .set({ service_score: input.serviceScore, version: sql<number>`version + 1` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', input.id)
    .execute();
  if (before.grade !== input.grade) {
    const cause = { source: 'manual', reason: input.reason } as const;
    await changeGrade(ctx, input.id, before.grade as Grade, input.grade, cause);
    await settleProposal(ctx, input.id, input.grade, input.reason);
  }
  await audit(ctx, {
    action: '供应商评级',
    resource: RESOURCE,
    resourceId: input.id,
    before: { grade: before.grade, serviceScore: before.service_score },
    after: { grade: input.grade, serviceScore: input.serviceScore, reason: input.reason },
  });
}
