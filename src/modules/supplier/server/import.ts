import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { BANK, type Contact, type Stage, type SupplierDetail, type SupplierForm } from '../contract.ts';
import { ask, type Bank, payTo } from './bank.ts';
import { detail, save } from './save.ts';
import { parseTerms, termsText } from './words.ts';

/** A supplier as a sheet says it; what is left out stays as it is. Terms in words, the rate as a ratio. */
export interface SupplierSheetRow {
  code?: string | undefined;
  shortName: string;
  fullName?: string | undefined;
  taxId?: string | undefined;
  currency?: string | undefined;
  invoiceType?: SupplierForm['invoiceType'] | undefined;
  invoiceRate?: string | undefined;
  terms?: string | undefined;
  contact?: string | undefined;
  phone?: string | undefined;
  email?: string | undefined;
  wechat?: string | undefined;
  alibabaMember?: string | undefined;
  website?: string | undefined;
  address?: string | undefined;
  remark?: string | undefined;
  /** Asks for a change of the account, which counts a day after somebody else has agreed; null: nothing. */
  bank?: Bank | null | undefined;
}

async function idOf(ctx: Ctx, row: SupplierSheetRow): Promise<string | undefined> {
  const [column, value] = row.code ? (['code', row.code] as const) : (['short_name', row.shortName] as const);
  const found = await ctx.db
    .selectFrom('supplier.supplier')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where(sql<string>`lower(${sql.ref(column)})`, '=', value.toLowerCase())
    .executeTakeFirst();
  return found?.id;
}

/** The first contact as the sheet says it; the others stay. */
function contactsOf(row: SupplierSheetRow, before: readonly Contact[]): Contact[] | undefined {
  const [first, ...others] = before;
  const name = row.contact ?? first?.name;
  if (name === undefined) return undefined;
  const said = { phone: row.phone, email: row.email, wechat: row.wechat };
  const kept = { role: '', phone: '', email: '', wechat: '', ...first, name };
  const told = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  return [{ ...kept, ...told }, ...others];
}

const FORM = [
  'fullName',
  'taxId',
  'currency',
  'invoiceType',
  'invoiceRate',
  'alibabaMember',
  'website',
  'address',
  'remark',
] as const;

function formOf(row: SupplierSheetRow, before: SupplierDetail | undefined): SupplierForm {
  const { receiveTolerance } = before ?? {};
  const plain = { shortName: row.shortName, currency: 'CNY', invoiceType: 'none', invoiceRate: '0' } as const;
  const base: SupplierForm = { ...plain, ...(receiveTolerance === undefined ? {} : { receiveTolerance }) };
  const told = FORM.filter((key) => row[key] !== undefined).map((key) => [key, row[key]]);
  const stands = before ? FORM.map((key) => [key, before[key]]) : [];
  return { ...base, ...Object.fromEntries(stands), ...Object.fromEntries(told) };
}

/** All that a sheet can say of a supplier, as text that is the same where it says the same. */
function told(form: SupplierForm, contacts: readonly Contact[] | undefined, terms: readonly Stage[] | undefined) {
  const plain = { ...form, invoiceRate: new Decimal(form.invoiceRate).toFixed() };
  const stages = terms?.map(({ anchor, days, share }) => [anchor, days, new Decimal(share).toFixed()]);
  const people = contacts?.map(({ name, role, phone, email, wechat }) => [name, role, phone, email, wechat]);
  return JSON.stringify([form.shortName, ...FORM.map((key) => plain[key] ?? ''), people ?? [], stages ?? []]);
}

/**
 * Enters a supplier of a sheet, or changes the one with its code, without a code the one with its short name. Answers
 * whether anything changed. @throws AppError as `save` and the change of bank details do
 */
export async function takeSheetRow(ctx: Ctx, row: SupplierSheetRow): Promise<boolean> {
  const id = await idOf(ctx, row);
  const before = id ? await detail(ctx, id) : undefined;
  const form = formOf(row, before);
  const contacts = contactsOf(row, before?.contacts ?? []);
  const terms = row.terms === undefined ? before?.terms : parseTerms(row.terms);
  const same = before && told(form, contacts, terms) === told(before, before.contacts, before.terms);
  const saved = same
    ? before
    : await save(ctx, {
        ...form,
        ...(before ? { id: before.id, code: before.code } : { code: row.code }),
        terms,
        contacts,
      });
  return (await askOther(ctx, saved.id, row.bank)) || !same;
}

/** Asks for bank details unless they are those that count already; answers whether it did. */
async function askOther(ctx: Ctx, id: string, bank: Bank | null | undefined): Promise<boolean> {
  if (!bank || !can(ctx, BANK)) return false;
  const now = await payTo(ctx, id);
  if (now && now.account === bank.account && now.bankName === bank.bankName && now.accountName === bank.accountName) {
    return false;
  }
  await ask(ctx, { id, ...bank });
  return true;
}

/** Suppliers as sheet rows by code; bank details, masked, for those alone who may see them. */
export async function* sheetRows(ctx: Ctx): AsyncGenerator<SupplierSheetRow & { code: string }> {
  const rows = await ctx.db
    .selectFrom('supplier.supplier')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .orderBy('code')
    .execute();
  for (const { id } of rows) {
    const { terms, contacts, bank, ...one } = await detail(ctx, id);
    const [first] = contacts;
    yield {
      ...one,
      terms: termsText(terms),
      contact: first?.name,
      phone: first?.phone,
      email: first?.email,
      wechat: first?.wechat,
      bank: can(ctx, BANK) ? bank : null,
    };
  }
}
