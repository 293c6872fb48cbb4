import { columnsOf } from '#kit/contract/columns.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { transition } from '#kit/server/document.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';
import {
  BadRow,
  type MappingOptions,
  ORDER_LIST,
  type OrderListMapping,
  type readMapping,
  reportUpload,
  type saveMapping,
} from '../../contract/uploads.ts';
import { readTable } from '../files/index.ts';
import { sourceOf } from '../reports/load.ts';
import type { ReportSource } from '../streams.ts';
import { type Batch, checkValues, findBatch, lockBatch } from './batches.ts';
import { checkOrderList, overlapWarnings } from './check.ts';
import { uploadKind } from './commit.ts';
import { mappingFor, rememberMapping } from './mapping.ts';
import { readOrderList } from './order-list.ts';

const SAMPLE_ROWS = 5;
const SAMPLE_CELL = 80;

async function orderListOf(ctx: Ctx, id: string): Promise<{ batch: Batch; source: ReportSource }> {
  const batch = await findBatch(ctx, id);
  if (!batch) throw notFound('上传批次不存在');
  if (batch.report_type !== ORDER_LIST) throw refused('只有订单列表需要列映射', 'B0334');
  return { batch, source: await sourceOf(ctx, batch.document_id) };
}

/** Headers, first rows and the mapping in use of an order list. */
export async function mappingOf(ctx: Ctx, id: string): Promise<Reply<typeof readMapping>> {
  const { batch, source } = await orderListOf(ctx, id);
  const table = await readTable(source.open);
  const known = await mappingFor(ctx, table.headers);
  const sample: string[][] = [];
  for await (const rows of table.rows()) {
    for (const row of rows.slice(0, SAMPLE_ROWS)) sample.push(row.values.map((cell) => cell.slice(0, SAMPLE_CELL)));
    break;
  }
  return {
    headers: table.headers,
    sample,
    mapping: batch.mapping ?? known.mapping,
    options: { ...(batch.options ?? known.options), marketplaceId: batch.marketplace_id },
    remembered: known.remembered,
  };
}

export interface MappingInput {
  id: string;
  mapping: OrderListMapping;
  options: MappingOptions;
}

function without<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)) as Partial<T>;
}

function siteOf(batch: Batch, source: ReportSource, options: MappingOptions): string {
  const wanted = options.marketplaceId ?? batch.marketplace_id;
  if (!wanted) throw refused('请选择订单列表所属的站点', 'B0333');
  if (!source.account.marketplaceIds.includes(wanted)) throw refused('该店铺没有启用所选站点', 'B0332');
  return wanted;
}

/** Takes another mapping for an order list, checks the file with it and remembers it for the next file of this form. */
export async function remap(ctx: Ctx, input: MappingInput): Promise<Reply<typeof saveMapping>> {
  await lockBatch(ctx, input.id);
  const { batch, source } = await orderListOf(ctx, input.id);
  if (!['uploaded', 'checked'].includes(batch.state)) {
    throw conflict(`单据当前为「${reportUpload.states[batch.state].title}」，不能修改映射`);
  }
  const site = siteOf(batch, source, input.options);
  const mapping = without(input.mapping) as OrderListMapping;
  const options = without({ ...input.options, marketplaceId: site }) as MappingOptions;
  const { headers } = await readTable(source.open);
  const { result, problem } = await checkOrderList(source, mapping, options, site);
  const more = result ? await overlapWarnings(ctx, batch.account_id, batch.report_type, result) : [];
  const found = result && { ...result, warnings: [...result.warnings, ...more] };
  await ctx.db
    .updateTable('marketplace.upload_batch')
    .set({
      ...checkValues(found, problem),
      marketplace_id: site,
      mapping: JSON.stringify(mapping),
      options: JSON.stringify(options),
      ...(problem === null ? {} : { state: 'uploaded' }),
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', batch.id)
    .execute();
  if (result) await rememberMapping(ctx, headers, mapping, options);
  if (problem !== null) return { id: batch.id, state: 'uploaded', error: problem };
  await transition(ctx, uploadKind(), batch.id, 'check');
  return { id: batch.id, state: 'checked', error: null };
}

async function* badRows(source: ReportSource, batch: Batch, site: string): AsyncGenerator<BadRow> {
  const reading = await readOrderList(source.open, batch.mapping ?? {}, batch.options ?? {}, site);
  for await (const { errors } of reading.rows()) {
    for (const error of errors) {
      yield { line: error.lineNo, column: error.column, value: error.value, reason: error.message };
    }
  }
}

/** Every bad row of an order list as CSV, not only the first ones that the page shows. */
export async function badRowsFile(ctx: Ctx, id: string): Promise<FileReply> {
  const { batch, source } = await orderListOf(ctx, id);
  const site = siteOf(batch, source, {});
  const body = exportStream(badRows(source, batch, site), {
    format: 'csv',
    sheet: '错误行',
    columns: columnsOf(BadRow),
  });
  return new FileReply(`${batch.number}-错误行.csv`, MEDIA_TYPES.csv, body);
}
