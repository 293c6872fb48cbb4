import type { Ctx } from '#kit/server/context.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { MEDIA_TYPES } from '#kit/server/list/export.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { storedForm } from '../definition.ts';
import { type Draft, draftsOf, formKey } from '../draft/row.ts';
import { cellsOf, textIn } from './cells.ts';

/** What says which draft a row is; its version guards what was changed meanwhile. */
export const HEADS = [
  { code: 'draft', label: '草稿编号' },
  { code: 'version', label: '版本' },
  { code: 'sku', label: '平台SKU' },
  { code: 'store', label: '店铺' },
  { code: 'site', label: '站点' },
] as const;

/** A spreadsheet takes titles of so many characters. */
const TITLE = 31;

const NOTES = [
  ['每行是一份草稿，修改后在「商品刊登」导入；第一行是属性，第二行是属性代码，请勿修改前五列与第二行。'],
  ['清空单元格就是删除该值。需要其他属性时，在右侧加一列，第二行写属性代码，例如 bullet_point[5].value。'],
  ['导入只修改草稿，核对后再提交。售价与库存不在这里修改。'],
];

async function sheetOf(ctx: Ctx, drafts: readonly [Draft, ...Draft[]], stores: ReadonlyMap<string, string>) {
  const form = await storedForm(ctx, drafts[0]);
  const used = (name: string) => drafts.flatMap(({ attributes }) => attributes[name] ?? []).length > 0;
  const cells = form.attributes
    .filter(({ name, locked }) => locked === undefined && used(name))
    .flatMap((attribute) =>
      cellsOf(
        attribute,
        drafts.map(({ attributes }) => attributes[attribute.name] ?? []),
      ),
    );
  const rows = drafts.map((draft) => [
    draft.id,
    String(draft.version),
    draft.seller_sku,
    stores.get(draft.account_id) ?? '',
    countryOf(draft.marketplace_id),
    ...cells.map((cell) => textIn(cell, draft.attributes[cell.attribute.name])),
  ]);
  const heads = [...HEADS, ...cells];
  return [heads.map(({ label }) => label), heads.map(({ code }) => code), ...rows];
}

async function workbook(ctx: Ctx, ids: readonly string[]): Promise<Buffer> {
  const groups = Map.groupBy(await draftsOf(ctx, ids), formKey);
  const stores = await storeNames(ctx);
  const sheets: { title: string; rows: string[][] }[] = [];
  for (const [first, ...others] of groups.values()) {
    if (!first) continue;
    const number = String(sheets.length + 1);
    const title = `${number} ${countryOf(first.marketplace_id)} ${first.product_type}`.slice(0, TITLE);
    sheets.push({ title, rows: await sheetOf(ctx, [first, ...others], stores) });
  }
  return writeWorkbook([...sheets, { title: '说明', rows: NOTES }]);
}

/** 批量编辑表 of some drafts: their attributes as text. @throws 404 */
export async function draftWorkbook(open: OpenCtx, ids: readonly string[]): Promise<FileReply> {
  const { runtime, principal, requestId, ip } = open;
  const bytes = await inTenant(runtime, principal, (ctx) => workbook(ctx, ids), { requestId, ip, readOnly: true });
  return new FileReply('批量编辑表.xlsx', MEDIA_TYPES.xlsx, bytes);
}
