import { sql } from 'kysely';
import { type Ctx, can } from '#kit/server/context.ts';
import { BANK } from '#modules/supplier/contract.ts';
import {
  parseTerms,
  type SupplierSheetRow,
  sheetRows,
  takeSheetRow,
  termsAddUp,
} from '#modules/supplier/server/index.ts';
import { code, type ImportColumn, oneOf, type Read, share, text } from '../columns.ts';
import type { ImportDef } from '../kind.ts';
import { doubled } from './shared.ts';

const INVOICES = { none: '不开票', normal: '普通发票', special: '专用发票' } as const;

/** Payment terms in words. */
function terms(cell: string): Read {
  const stages = parseTerms(cell);
  if (stages === undefined) return { reason: '结算条款看不懂', suggestion: '例如 下单后 30%，到货后30天 70%' };
  if (!termsAddUp(stages)) return { reason: '结算条款各阶段比例合计须为100%', suggestion: '请检查比例' };
  return { value: cell.trim() };
}

/** An account; what an export has masked means that it stays. */
function account(cell: string): Read {
  const bare = cell.trim();
  if (bare.startsWith('****')) return { value: '' };
  return bare === '' || /^[0-9A-Za-z -]{5,40}$/.test(bare)
    ? { value: bare }
    : { reason: '请输入正确的收款账号', suggestion: '5到40位字母或数字，单元格设为文本' };
}

const columns: ImportColumn[] = [
  {
    key: 'short_name',
    title: '简称',
    aliases: ['供应商', '供应商简称'],
    required: true,
    read: text(50),
    sample: '华瑞',
  },
  { key: 'code', title: '编码', aliases: ['供应商编码'], read: text(30), sample: 'S00001' },
  { key: 'full_name', title: '全称', read: text(200), sample: '东莞市华瑞五金有限公司' },
  { key: 'tax_id', title: '税号', read: text(30) },
  { key: 'currency', title: '币种', read: code(/^[A-Z]{3}$/, '币种为三位代码', '例如 CNY'), sample: 'CNY' },
  { key: 'terms', title: '结算条款', read: terms, sample: '下单后 30%，到货后30天 70%' },
  { key: 'invoice_type', title: '发票类型', read: oneOf(INVOICES), sample: '专用发票' },
  { key: 'invoice_rate', title: '税率', read: share(0.99), sample: '13%' },
  { key: 'contact', title: '联系人', read: text(50) },
  { key: 'phone', title: '电话', read: text(30) },
  { key: 'email', title: '邮箱', read: text(100) },
  { key: 'wechat', title: '微信', read: text(50) },
  { key: 'alibaba_member', title: '1688会员', read: text(100) },
  { key: 'website', title: '网址', read: text(200) },
  { key: 'address', title: '地址', read: text(300) },
  { key: 'remark', title: '备注', read: text(500) },
  { key: 'bank_name', title: '开户行', read: text(100) },
  { key: 'account_name', title: '户名', read: text(100) },
  { key: 'account', title: '收款账号', read: account },
];

interface DbRow extends Record<string, string | null> {
  short_name: string;
}

function sheetRow(ctx: Ctx, row: DbRow): SupplierSheetRow {
  const { bank_name: bankName, account_name: accountName, account: sealed } = row;
  const open = (name: string) => row[name] ?? undefined;
  return {
    shortName: row.short_name,
    code: open('code'),
    fullName: open('full_name'),
    taxId: open('tax_id'),
    currency: open('currency'),
    terms: open('terms'),
    invoiceType: open('invoice_type') as SupplierSheetRow['invoiceType'],
    invoiceRate: open('invoice_rate'),
    contact: open('contact'),
    phone: open('phone'),
    email: open('email'),
    wechat: open('wechat'),
    alibabaMember: open('alibaba_member'),
    website: open('website'),
    address: open('address'),
    remark: open('remark'),
    bank:
      bankName && accountName && sealed
        ? { bankName, accountName, account: ctx.runtime.secrets.decrypt(sealed) }
        : undefined,
  };
}

/** Suppliers are hundreds, not hundreds of thousands: one after the other, by the rules of the form. */
async function write(ctx: Ctx): Promise<number> {
  const { rows } = await sql<DbRow>`SELECT * FROM pg_temp.import_row ORDER BY line_no`.execute(ctx.db);
  let changed = 0;
  for (const row of rows) if (await takeSheetRow(ctx, sheetRow(ctx, row))) changed += 1;
  return changed;
}

async function* current(ctx: Ctx): AsyncGenerator<object> {
  for await (const { bank, invoiceType, ...row } of sheetRows(ctx)) {
    yield {
      code: row.code,
      short_name: row.shortName,
      full_name: row.fullName,
      tax_id: row.taxId,
      currency: row.currency,
      terms: row.terms,
      invoice_type: invoiceType && INVOICES[invoiceType],
      invoice_rate: row.invoiceRate,
      contact: row.contact,
      phone: row.phone,
      email: row.email,
      wechat: row.wechat,
      alibaba_member: row.alibabaMember,
      website: row.website,
      address: row.address,
      remark: row.remark,
      bank_name: bank?.bankName,
      account_name: bank?.accountName,
      account: bank?.account,
    };
  }
}

export const supplierImport: ImportDef = {
  title: '供应商',
  columns,
  permission: 'erp:supplier:edit',
  viewPermission: 'erp:supplier:view',
  secret: 'account',
  problems: (ctx) => sql`
    ${doubled(['short_name'], 'short_name')}
    UNION ALL SELECT line_no, 'code', '与第 ' || first || ' 行重复', '请删除其中一行'
      FROM (SELECT line_no, min(line_no) OVER (PARTITION BY lower(code)) AS first FROM pg_temp.import_row
             WHERE code IS NOT NULL) AS n WHERE line_no > first
    UNION ALL SELECT r.line_no, 'short_name', '简称已被其他供应商使用', '编码为 ' || s.code
      FROM pg_temp.import_row AS r JOIN supplier.supplier AS s
        ON s.company_id = ${ctx.companyId} AND lower(s.short_name) = lower(r.short_name) AND lower(s.code) <> lower(r.code)
    UNION ALL SELECT line_no, 'account', '没有修改收款账户的权限', '请留空'
      FROM pg_temp.import_row WHERE account IS NOT NULL AND NOT ${can(ctx, BANK)}::boolean
    UNION ALL SELECT line_no, 'account', '开户行、户名和账号须同时填写', '请补全，或都留空'
      FROM pg_temp.import_row WHERE account IS NOT NULL AND (bank_name IS NULL OR account_name IS NULL)`,
  write,
  current,
};
