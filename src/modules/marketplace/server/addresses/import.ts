import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { AddressForm, type AddressImport } from '../../contract/addresses.ts';
import { MARKETPLACES } from '../../contract/marketplaces.ts';
import { FileRefused } from '../files/refusal.ts';
import { type GenericTable, readTable, type TableRow } from '../files/table.ts';
import { insertAddress, updateAddress } from './save.ts';

/** Headings as the export writes them, and fields of the form. */
export const HEADINGS = {
  名称: 'name',
  店铺: 'storeId',
  站点: 'marketplaceId',
  国家: 'country',
  '省/州': 'state',
  城市: 'city',
  区县: 'district',
  详细地址: 'line1',
  地址2: 'line2',
  邮政编码: 'postalCode',
  电话: 'phone',
  公司: 'company',
  邮箱: 'email',
  默认: 'isDefault',
} as const;
type Heading = keyof typeof HEADINGS;

const REQUIRED: readonly Heading[] = ['名称', '店铺', '国家', '城市', '详细地址', '邮政编码', '电话'];
const MAX_ROWS = 5_000;
const PREVIEW = 20;

interface Known {
  id: string;
  version: number;
  form: Record<string, unknown>;
}

interface Line {
  line: number;
  form: AddressForm;
  known: Known | undefined;
}

interface Sheet {
  lines: Line[];
  rows: number;
  problems: AddressImport['problems'];
}

const yes = (text: string) => ['是', 'true', '1', 'y', 'yes', '√'].includes(text.toLowerCase());
const keyOf = (store: string, site: string, name: string) => `${store}\t${site}\t${name.toLowerCase()}`;

async function storesByName(ctx: Ctx): Promise<Map<string, string>> {
  const rows = await ctx.db
    .selectFrom('marketplace.store')
    .select(['id', 'name'])
    .where('company_id', '=', ctx.companyId)
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.name, row.id]));
}

async function knownAddresses(ctx: Ctx): Promise<Map<string, Known>> {
  const rows = await ctx.db
    .selectFrom('marketplace.ship_from_address')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('disabled', '=', false)
    .execute();
  return new Map(
    rows.map((row) => [
      keyOf(row.store_id, row.marketplace_id, row.name),
      {
        id: row.id,
        version: row.version,
        form: {
          company: row.company_name,
          state: row.state,
          district: row.district,
          line2: row.address_line2,
          email: row.email,
          isDefault: row.is_default,
        },
      },
    ]),
  );
}

function siteOf(text: string): string | undefined {
  if (text === '' || text === '全部') return '';
  const wanted = text.toUpperCase();
  return MARKETPLACES.find((market) => market.country === wanted || market.name === text || market.id === text)?.id;
}

/** Cells of a row by heading, those columns only that the file has. */
function cellsOf(table: GenericTable, row: TableRow): Partial<Record<Heading, string>> {
  const entries = table.headers.flatMap((heading, index) =>
    Object.hasOwn(HEADINGS, heading) ? [[heading, (row.values[index] ?? '').trim()]] : [],
  );
  return Object.fromEntries(entries) as Partial<Record<Heading, string>>;
}

interface Names {
  stores: ReadonlyMap<string, string>;
  known: ReadonlyMap<string, Known>;
  seen: Set<string>;
}

function readRow(table: GenericTable, row: TableRow, names: Names): Line | AddressImport['problems'] {
  const cells = cellsOf(table, row);
  const problem = (column: Heading, reason: string) => {
    return [{ line: row.lineNo, key: cells.名称 ?? '', column, value: cells[column] ?? '', reason }];
  };
  const storeId = names.stores.get(cells.店铺 ?? '');
  if (!storeId) return problem('店铺', cells.店铺 ? '店铺不存在' : '店铺不能为空');
  const marketplaceId = siteOf(cells.站点 ?? '');
  if (marketplaceId === undefined) return problem('站点', '站点不存在，请填国家代码，如 US');
  const key = keyOf(storeId, marketplaceId, cells.名称 ?? '');
  if (names.seen.has(key)) return problem('名称', '文件中有相同店铺、站点和名称的行');
  names.seen.add(key);
  const known = names.known.get(key);
  const texts = Object.fromEntries(
    Object.entries(cells)
      .filter(([heading]) => !['店铺', '站点', '默认'].includes(heading))
      .map(([heading, text]) => [HEADINGS[heading as Heading], text]),
  );
  const isDefault = cells.默认 === undefined ? (known?.form.isDefault ?? false) : yes(cells.默认);
  const parsed = AddressForm.safeParse({ ...known?.form, ...texts, storeId, marketplaceId, isDefault });
  if (parsed.success) return { line: row.lineNo, form: parsed.data, known };
  return problemsOf(parsed.error, problem);
}

function problemsOf(error: z.ZodError, problem: (column: Heading, reason: string) => AddressImport['problems']) {
  const byField = new Map(Object.entries(HEADINGS).map(([heading, field]) => [field as string, heading as Heading]));
  return error.issues.flatMap((issue) => {
    const heading = byField.get(String(issue.path[0])) ?? '名称';
    return problem(heading, issue.message);
  });
}

function missingHeadings(table: GenericTable): AddressImport['problems'] {
  return REQUIRED.filter((heading) => !table.headers.includes(heading)).map((heading) => ({
    line: 1,
    key: '',
    column: heading,
    value: '',
    reason: `缺少列「${heading}」，请使用导入模板的表头`,
  }));
}

async function readSheet(ctx: Ctx, table: GenericTable): Promise<Sheet> {
  const missing = missingHeadings(table);
  if (missing.length > 0) return { lines: [], rows: 0, problems: missing };
  const names = { stores: await storesByName(ctx), known: await knownAddresses(ctx), seen: new Set<string>() };
  const sheet: Sheet = { lines: [], rows: 0, problems: [] };
  for await (const batch of table.rows()) {
    for (const row of batch) {
      if (row.values.every((value) => value.trim() === '')) continue;
      sheet.rows += 1;
      if (sheet.rows > MAX_ROWS) throw refused(`一次最多导入${MAX_ROWS}行`, 'B0363');
      const read = readRow(table, row, names);
      if (Array.isArray(read)) sheet.problems.push(...read);
      else sheet.lines.push(read);
    }
  }
  return sheet;
}

async function write(ctx: Ctx, lines: readonly Line[]): Promise<void> {
  for (const { form, known } of lines) {
    if (known) await updateAddress(ctx, known.id, known.version, form);
    else await insertAddress(ctx, form);
  }
  await audit(ctx, { action: '导入发货地址', resource: 'marketplace.address', after: { rows: lines.length } });
}

async function tableOf(open: OpenCtx, sha256: string): Promise<GenericTable> {
  try {
    return await readTable(() => open.runtime.files.open(open.principal.companyId, sha256));
  } catch (error) {
    if (error instanceof FileRefused) throw refused(error.message, 'B0362');
    throw error;
  }
}

/**
 * Checks every row of a table of addresses; with `commit`, and without a single bad row, writes them all in one
 * transaction: an address of the same store, site and name is changed, any other is added. Columns that the file lacks
 * stay as they are.
 */
export async function importTable(open: OpenCtx, commit: boolean): Promise<AddressImport> {
  if (!open.upload) throw refused('请选择要上传的文件', 'B0022');
  const upload = await open.upload();
  const { sha256 } = await open.runtime.files.put(open.principal.companyId, upload.stream);
  const table = await tableOf(open, sha256);
  const options = { requestId: open.requestId, ip: open.ip };
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`address-import ${ctx.companyId}`}, 0))`.execute(
        ctx.db,
      );
      const { lines, rows, problems } = await readSheet(ctx, table);
      const written = commit && problems.length === 0 && rows > 0;
      if (written) await write(ctx, lines);
      const changed = lines.filter((line) => line.known).length;
      const preview = lines.slice(0, PREVIEW).map(({ line, form, known }) => {
        const { name, country, city, line1, postalCode, phone } = form;
        return [String(line), known ? '修改' : '新增', name, country, city, line1, postalCode, phone];
      });
      return { rows, added: lines.length - changed, changed, problems: problems.slice(0, 500), preview, written };
    },
    options,
  );
}
