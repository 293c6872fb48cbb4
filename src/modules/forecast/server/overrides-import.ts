import { sql } from 'kysely';
import type { z } from 'zod';
import { lastDayOf } from '#kit/contract/day.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { readSheet } from '#kit/server/excel/read.ts';
import { readOrRefuse, uploadedBytes } from '#kit/server/excel/uploaded.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type importOverrides, OverrideForm, OverrideMode } from '../contract/overrides.ts';
import { type ItemKey, whyNotUntil } from './overrides.ts';
import { type Key, rowsOf, type SheetRow, titleOf } from './overrides-sheet.ts';
import { publish } from './publish.ts';

const MAX_ROWS = 5000;
const MAX_PROBLEMS = 200;
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

type Outcome = Reply<typeof importOverrides>;
type Problem = Outcome['problems'][number];
type Override = z.output<typeof OverrideForm>;
interface Taken {
  item: string;
  override: Override;
}

const said = ({ line, cells }: SheetRow, key: Key, reason: string): Problem => ({
  line,
  column: titleOf(key),
  value: cells[key],
  reason,
});

/** Ways by the names that people know them by. */
const MODES = new Map(OverrideMode.options.map((code) => [OverrideMode.meta()?.states?.[code]?.title ?? code, code]));

/** What the cells say of the change; a month without an end is the whole month, and without a way its total. */
function overrideOf({ mode, value, from, to, reason }: SheetRow['cells']) {
  const isMonth = MONTH.test(from);
  return OverrideForm.safeParse({
    mode: mode === '' && isMonth ? 'MONTH' : (MODES.get(mode) ?? mode),
    value: value.replace(/,(?=\d{3})/g, ''),
    from: isMonth ? `${from}-01` : from,
    to: to === '' ? (isMonth ? lastDayOf(from) : from) : to,
    reason,
  });
}

type Found = ItemKey & { sites: string[] };

/** Items of the SKUs of a sheet, their rows locked in one order. */
async function itemsOf(ctx: Ctx, skus: readonly string[]): Promise<Map<string, Found[]>> {
  const { rows } = await sql<Found>`
    SELECT id, account_id, pool, seller_sku, cutoff::text AS cutoff, sites FROM forecast.item
     WHERE company_id = ${ctx.companyId} AND seller_sku = ANY (${[...new Set(skus)]}::text[]) ORDER BY id FOR UPDATE`.execute(
    ctx.db,
  );
  return Map.groupBy(rows, (row) => row.seller_sku);
}

const siteIds = (country: string): string[] =>
  MARKETPLACES.filter((one) => one.country === country.toUpperCase() || one.name === country).map(({ id }) => id);

/** The change that a row means, or what is wrong with it. */
function takeRow(
  row: SheetRow,
  items: ReadonlyMap<string, Found[]>,
  stores: ReadonlyMap<string, string>,
): Taken | Problem {
  const { store, site, sku } = row.cells;
  const ids = siteIds(site);
  if (ids.length === 0) return said(row, 'site', '站点不存在，请填写国家代码，如 US');
  if (![...stores.values()].includes(store)) return said(row, 'store', '店铺不存在');
  const item = items
    .get(sku)
    ?.find((one) => stores.get(one.account_id) === store && one.sites.some((id) => ids.includes(id)));
  if (!item) return said(row, 'sku', 'MSKU不存在，或该店铺站点没有它的预测');
  const parsed = overrideOf(row.cells);
  const [issue] = parsed.error?.issues ?? [];
  if (issue) return said(row, (issue.path[0] as Key | undefined) ?? 'value', issue.message);
  const override = parsed.data as Override;
  const problem = whyNotUntil(override.to, item.cutoff);
  return problem ? said(row, row.cells.to === '' ? 'from' : 'to', problem.reason) : { item: item.id, override };
}

/** Puts changes in, but for those that stand already; answers the items that changed. */
async function put(ctx: Ctx, taken: readonly Taken[], write: boolean): Promise<{ fresh: number; items: string[] }> {
  const rows = JSON.stringify(taken.map(({ item, override }) => ({ item, ...override })));
  const fresh = sql`
    SELECT DISTINCT i.company_id, i.id, i.account_id, i.pool, i.seller_sku, x."from", x."to", x.mode, x.value, x.reason
      FROM jsonb_to_recordset(${rows}::jsonb) AS x (item uuid, "from" date, "to" date, mode text, value numeric, reason text)
      JOIN forecast.item AS i ON i.company_id = ${ctx.companyId} AND i.id = x.item
     WHERE NOT EXISTS (
       SELECT FROM forecast.override AS o
        WHERE o.company_id = i.company_id AND o.account_id = i.account_id AND o.pool = i.pool AND o.seller_sku = i.seller_sku
          AND o.cleared_at IS NULL AND o.from_day = x."from" AND o.to_day = x."to" AND o.mode = x.mode
          AND o.value = x.value AND o.reason = x.reason)`;
  const found = await sql<{ id: string }>`SELECT id FROM (${fresh}) AS f`.execute(ctx.db);
  const items = [...new Set(found.rows.map(({ id }) => id))];
  if (!write || items.length === 0) return { fresh: found.rows.length, items: [] };
  await sql`
    INSERT INTO forecast.override (company_id, account_id, pool, seller_sku, from_day, to_day, mode, value, reason, created_by, created_by_name)
    SELECT company_id, account_id, pool, seller_sku, "from", "to", mode, value, reason, ${ctx.userId}::uuid, ${ctx.userName}
      FROM (${fresh}) AS f`.execute(ctx.db);
  return { fresh: found.rows.length, items };
}

async function take(ctx: Ctx, rows: readonly SheetRow[], write: boolean): Promise<Outcome> {
  const stores = await storeNames(ctx);
  const items = await itemsOf(
    ctx,
    rows.map(({ cells }) => cells.sku),
  );
  const each = rows.map((row) => takeRow(row, items, stores));
  const problems = each.filter((one) => 'reason' in one);
  if (problems.length > 0)
    return { rows: rows.length, fresh: 0, written: false, problems: problems.slice(0, MAX_PROBLEMS) };
  const taken = each.filter((one) => 'override' in one);
  const { fresh, items: changed } = await put(ctx, taken, write);
  if (changed.length > 0) {
    await publish(ctx, changed);
    await audit(ctx, { action: '导入预测干预', resource: 'forecast.item', after: { rows: fresh } });
  }
  return { rows: rows.length, fresh, written: write, problems: [] };
}

/**
 * Reads an uploaded sheet of changes. The same file again changes nothing.
 * @throws refused B0933 for no sheet, B2210 missing columns, no rows or too many
 */
export async function importSheet(open: OpenCtx, write: boolean): Promise<Outcome> {
  const { bytes } = await uploadedBytes(open);
  const { rows, missing } = rowsOf(await readOrRefuse(readSheet(bytes)));
  if (missing.length > 0) throw refused(`表格缺少列：${missing.join('、')}`, 'B2210');
  if (rows.length === 0) throw refused('文件没有数据行', 'B2210');
  if (rows.length > MAX_ROWS) throw refused(`一次最多导入 ${MAX_ROWS} 行`, 'B2210');
  const { requestId, ip } = open;
  return inTenant(open.runtime, open.principal, (ctx) => take(ctx, rows, write), { requestId, ip });
}
