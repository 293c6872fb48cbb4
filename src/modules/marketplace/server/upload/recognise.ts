import { refused } from '#kit/server/errors.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { ORDER_LIST } from '../../contract/uploads.ts';
import {
  FileRefused,
  REQUIRED_FIELDS,
  readerOf,
  readTable,
  type Sniffed,
  sniff,
  suggestMapping,
} from '../files/index.ts';
import { loaderOf } from '../reports/load.ts';
import { reportLoaders } from '../streams.ts';
import { orderListLoaderOf } from './order-list.ts';
import type { Spooled } from './spool.ts';

export interface ReportType {
  value: string;
  label: string;
}

/** Report types that somebody can load, by their readers' names; the sellers' own order list last. */
export function uploadableTypes(runtime: Pick<Runtime, 'modules'>): ReportType[] {
  const known = extensionsOf(runtime.modules, reportLoaders).flatMap((loader) =>
    loader.reportTypes.map((type) => ({ value: type, label: readerOf(type)?.title ?? loader.title })),
  );
  const lists = orderListLoaderOf(runtime);
  return [...known, ...(lists ? [{ value: ORDER_LIST, label: lists.title }] : [])];
}

/** Name of a report type for people. */
export function titleOfType(runtime: Pick<Runtime, 'modules'>, type: string): string {
  return uploadableTypes(runtime).find((one) => one.value === type)?.label ?? readerOf(type)?.title ?? type;
}

const UNKNOWN = '不是已知的亚马逊报表；如果是订单列表，请选择「订单列表」类型后按列映射导入';

function asOrderList(runtime: Pick<Runtime, 'modules'>): string {
  if (!orderListLoaderOf(runtime)) throw refused('暂不支持导入订单列表', 'B0331');
  return ORDER_LIST;
}

/** A recognised report, unless the user named another type that does not fit. */
function asReport(runtime: Pick<Runtime, 'modules'>, found: Sniffed & { kind: 'report' }, asked?: string): string {
  if (asked === ORDER_LIST) {
    throw new FileRefused('FOREIGN', `这是${found.title}，请选择该报表类型上传`);
  }
  // Some types share their columns; then the user's word decides which of them it is.
  if (asked && readerOf(asked)?.matches(found.headers) !== 1) {
    const title = titleOfType(runtime, asked);
    throw new FileRefused('FOREIGN', `文件与所选报表类型不符：选择的是「${title}」，文件是「${found.title}」`);
  }
  const type = asked ?? found.type;
  loaderOf(runtime, type);
  return type;
}

/** A table of unknown meaning: an order list if the user says so, or if its headers say so. */
async function asTable(
  runtime: Pick<Runtime, 'modules'>,
  file: Spooled,
  found: Sniffed & { kind: 'table' },
  asked?: string,
): Promise<string> {
  if (asked === ORDER_LIST) return asOrderList(runtime);
  if (asked) {
    const reader = readerOf(asked);
    const missing = found.format === 'text' ? reader?.missing(found.headers) : undefined;
    const detail = missing?.length ? `：缺少 ${missing.join('、')}` : '';
    throw new FileRefused('COLUMNS', `文件列与报表类型不符（${titleOfType(runtime, asked)}）${detail}`);
  }
  const headers = found.format === 'xlsx' ? (await readTable(file.plain)).headers : found.headers;
  const mapping = suggestMapping(headers);
  if (REQUIRED_FIELDS.some((field) => !mapping[field])) throw new FileRefused('FOREIGN', UNKNOWN);
  return asOrderList(runtime);
}

/**
 * The report type of a file: what it looks like, and what the user says where that leaves a choice.
 * @throws FileRefused FOREIGN or COLUMNS, with the reason; AppError where nobody loads the type
 */
export async function recognise(
  runtime: Pick<Runtime, 'modules'>,
  file: Spooled,
  marketplaceId: string | undefined,
  asked: string | undefined,
): Promise<string> {
  if (asked && !uploadableTypes(runtime).some((type) => type.value === asked)) {
    throw refused(`暂不支持的报表类型：${asked}`, 'B0310');
  }
  const found = await sniff(file.head, { marketplaceId });
  if (found.kind === 'report') return asReport(runtime, found, asked);
  if (found.kind === 'table') return asTable(runtime, file, found, asked);
  // Near a known report, but the user says that it is his own list.
  if (asked === ORDER_LIST && found.code === 'COLUMNS') return asOrderList(runtime);
  throw new FileRefused(found.code, found.reason);
}
