import { refused } from '#kit/server/errors.ts';
import { plainHeading } from '#kit/server/excel/headings.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { FileRefused, type GenericTable, readTable } from '#modules/marketplace/server/index.ts';
import { productIdsBySku } from '#modules/product/server/index.ts';
import type { ExternalLine } from '../../contract/external.ts';

const COLUMNS = { sku: 'SKU', available: '可用', locked: '锁定', inTransit: '在途' } as const;
type Key = keyof typeof COLUMNS;
const NUMBERS = ['available', 'locked', 'inTransit'] as const;
const MAX_ROWS = 20_000;
const MAX_PROBLEMS = 500;

/** An empty sheet with the headings. */
export function externalTemplateFile(): FileReply {
  const columns = Object.values(COLUMNS).map((title) => ({ key: title, title, kind: 'text' as const, nullable: true }));
  const none = (async function* (): AsyncGenerator<object> {})();
  const sheet = exportStream(none, { format: 'xlsx', sheet: '三方仓库存', columns });
  return new FileReply('三方仓库存模板.xlsx', MEDIA_TYPES.xlsx, sheet);
}

interface Found {
  rows: number;
  lines: ExternalLine[];
  problems: { line: number; sku: string; column: string; value: string; reason: string }[];
}

async function readLines(table: GenericTable): Promise<Found> {
  const headers = table.headers.map(plainHeading);
  const places = Object.fromEntries(
    Object.entries(COLUMNS).map(([key, title]) => [key, headers.indexOf(plainHeading(title))]),
  ) as Record<Key, number>;
  const missing = (['sku', 'available'] as const).filter((key) => places[key] < 0).map((key) => COLUMNS[key]);
  if (missing.length > 0) throw refused(`表格缺少列：${missing.join('、')}`, 'B0860');
  const found: Found = { rows: 0, lines: [], problems: [] };
  const seen = new Map<string, number>();
  const complain = (line: number, sku: string, column: string, value: string, reason: string) => {
    if (found.problems.length < MAX_PROBLEMS) found.problems.push({ line, sku, column, value, reason });
  };
  for await (const batch of table.rows()) {
    for (const { lineNo, values } of batch) {
      const cell = (key: Key) => (places[key] < 0 ? '' : (values[places[key]] ?? '').trim());
      const sku = cell('sku');
      if (sku === '' && NUMBERS.every((key) => cell(key) === '')) continue;
      found.rows += 1;
      if (found.rows > MAX_ROWS) throw refused(`一次最多导入 ${MAX_ROWS} 行`, 'B0860');
      const before = seen.get(sku);
      if (sku === '') complain(lineNo, sku, COLUMNS.sku, '', 'SKU不能为空');
      else if (sku.length > 100) complain(lineNo, sku, COLUMNS.sku, sku, 'SKU不能超过100个字符');
      else if (before !== undefined) complain(lineNo, sku, COLUMNS.sku, sku, `与第 ${before} 行重复`);
      seen.set(sku, lineNo);
      const wrong = NUMBERS.filter((key) => !/^\d{0,8}$/.test(cell(key)));
      for (const key of wrong) complain(lineNo, sku, COLUMNS[key], cell(key), '数量须为不小于0的整数');
      const count = (key: Key) => Number(cell(key) || 0);
      found.lines.push({ sku, available: count('available'), locked: count('locked'), inTransit: count('inTransit') });
    }
  }
  if (found.rows === 0) throw refused('文件没有数据行', 'B0860');
  return found;
}

/**
 * Reads a list of a third-party warehouse whole; writes nothing. One bad row is enough that none is taken.
 * @throws refused B0860 for a file that cannot be read
 */
export async function check(open: OpenCtx) {
  if (!open.upload) throw refused('请选择要上传的文件', 'B0022');
  const { stream } = await open.upload();
  const { files } = open.runtime;
  const stored = await files.put(open.principal.companyId, stream);
  const found = await readTable(() => files.open(open.principal.companyId, stored.sha256))
    .then(readLines)
    .catch((error: unknown) => {
      throw error instanceof FileRefused ? refused(error.message, 'B0860') : error;
    });
  const { rows, problems, lines } = found;
  if (problems.length > 0) return { rows, problems, lines: [], unknown: 0 };
  const skus = lines.map((line) => line.sku);
  const known = await inTenant(open.runtime, open.principal, (ctx) => productIdsBySku(ctx, skus));
  return { rows, problems, lines, unknown: lines.length - known.size };
}
