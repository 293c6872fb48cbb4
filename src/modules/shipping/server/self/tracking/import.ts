import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { AppError, refused } from '#kit/server/errors.ts';
import { readSheet } from '#kit/server/excel/read.ts';
import { readOrRefuse, uploadedBytes } from '#kit/server/excel/uploaded.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { selfDoc } from '../../../contract/self/doc.ts';
import { SelfWay } from '../../../contract/self/input.ts';
import type { importSelfTracking } from '../../../contract/self/work.ts';
import { act } from '../act.ts';
import { loaded } from '../load.ts';
import { putWay } from '../way.ts';
import { type Cells, type Key, rowsOf, type SheetRow, titleOf } from './sheet.ts';

const MAX_ROWS = 2000;
const MAX_PROBLEMS = 200;

type Outcome = Reply<typeof importSelfTracking>;
type Problem = Outcome['problems'][number];

/** What an import came to; thrown to undo what only a check had written. */
class Checked extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('checked');
    this.outcome = outcome;
  }
}

/** Open documents by their own number and by those of their orders; several where an order is sent in several parcels. */
async function docsBy(ctx: Ctx, references: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ reference: string; id: string }>`
    SELECT DISTINCT r.reference, d.id FROM unnest(${[...new Set(references)]}::text[]) AS r(reference)
      JOIN shipping.self_doc AS d ON d.company_id = ${ctx.companyId} AND d.state NOT IN ('cancelled', 'returned')
       AND (d.number = upper(r.reference) OR EXISTS (
         SELECT FROM shipping.self_order AS s WHERE s.company_id = d.company_id AND s.doc_id = d.id
            AND s.amazon_order_id = r.reference))`.execute(ctx.db);
  return new Map([...Map.groupBy(rows, (row) => row.reference)].map(([key, mine]) => [key, mine.map(({ id }) => id)]));
}

const FIELDS: Record<string, Key> = {
  carrier: 'carrier',
  trackingNo: 'tracking',
  weightG: 'weight',
  actualFee: 'fee',
  currency: 'currency',
};

/** What the cells say of the way; what they do not say is left out. */
function wayOf(cells: Cells) {
  return SelfWay.partial().safeParse({
    trackingNo: cells.tracking,
    ...(cells.carrier ? { carrier: cells.carrier } : {}),
    ...(cells.weight ? { weightG: Number(cells.weight) } : {}),
    ...(cells.fee ? { actualFee: cells.fee.replace(/^[¥￥$]|,(?=\d{3})/g, '') } : {}),
    ...(cells.currency ? { currency: cells.currency } : {}),
  });
}

const said = ({ line, cells }: SheetRow, key: Key, reason: string): Problem => ({
  line,
  column: titleOf(key),
  value: cells[key],
  reason,
});

/** Writes one row and, where the parcel has left, reports it; the problem where it cannot be. */
async function takeRow(ctx: Ctx, row: SheetRow, ids: readonly string[]): Promise<Problem | undefined> {
  const [id] = ids;
  if (id === undefined) return said(row, 'reference', '没有进行中的自发货单');
  if (ids.length > 1) return said(row, 'reference', '该订单有多张自发货单，请填写自发货单号');
  if (row.cells.tracking === '') return said(row, 'tracking', '运单号不能为空');
  const way = wayOf(row.cells);
  const [issue] = way.error?.issues ?? [];
  if (issue) return said(row, FIELDS[String(issue.path[0])] ?? 'tracking', issue.message);
  try {
    const doc = await loaded(ctx, id);
    const given = Object.fromEntries(Object.entries(way.data ?? {}).filter(([key]) => keysOf(row.cells).has(key)));
    const { channelId, carrier, trackingNo, weightG, length, width, height, estimatedFee, actualFee, currency } = doc;
    const before = {
      channelId,
      carrier,
      trackingNo,
      weightG,
      length,
      width,
      height,
      estimatedFee,
      actualFee,
      currency,
    };
    await putWay(ctx, { id, ...before, ...given });
    const next = await loaded(ctx, id);
    if (next.state === 'out' && next.carrier !== '' && next.orders.some(({ write }) => write === null)) {
      await act(ctx, 'mark', { id });
    }
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return said(row, 'tracking', error.message);
    throw error;
  }
}

/** Fields that a row says something of. */
const keysOf = (cells: Cells): Set<string> =>
  new Set(Object.entries(FIELDS).flatMap(([field, key]) => (cells[key] === '' ? [] : [field])));

async function take(ctx: Ctx, rows: readonly SheetRow[], write: boolean): Promise<Outcome> {
  const docs = await docsBy(
    ctx,
    rows.map(({ cells }) => cells.reference),
  );
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const row of rows) {
    const ids = docs.get(row.cells.reference) ?? [];
    const [id] = ids;
    const twice = id !== undefined && ids.length === 1 && seen.has(id);
    const problem = twice ? said(row, 'reference', '单据重复') : await takeRow(ctx, row, ids);
    if (id !== undefined) seen.add(id);
    if (problem) problems.push(problem);
  }
  const written = write && problems.length === 0;
  const outcome = { rows: rows.length, written, problems: problems.slice(0, MAX_PROBLEMS) };
  if (!written) throw new Checked(outcome);
  await audit(ctx, { action: '导入运单号', resource: selfDoc.name, after: { rows: rows.length } });
  return outcome;
}

/**
 * Reads an uploaded sheet of tracking numbers; a mere check does the same and undoes it. The same file again changes nothing.
 * @throws refused B0933 for no sheet, B1412 missing columns, no rows or too many
 */
export async function importTracking(open: OpenCtx, write: boolean): Promise<Outcome> {
  const { bytes } = await uploadedBytes(open);
  const { rows, missing } = rowsOf(await readOrRefuse(readSheet(bytes)));
  if (missing.length > 0) throw refused(`表格缺少列：${missing.join('、')}`, 'B1412');
  if (rows.length === 0) throw refused('文件没有数据行', 'B1412');
  if (rows.length > MAX_ROWS) throw refused(`一次最多导入 ${MAX_ROWS} 行`, 'B1412');
  const { requestId, ip } = open;
  return inTenant(open.runtime, open.principal, (ctx) => take(ctx, rows, write), { requestId, ip }).catch(
    (error: unknown) => {
      if (error instanceof Checked) return error.outcome;
      throw error;
    },
  );
}
