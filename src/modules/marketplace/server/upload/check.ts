import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import type { CheckResult, MappingOptions, OrderListMapping } from '../../contract/uploads.ts';
import { loaderOf } from '../reports/load.ts';
import type { ReportSource } from '../streams.ts';
import { asksForMapping, orderListResult, readOrderList } from './order-list.ts';

/** Outcome of a check that did not refuse the file. */
export interface Checked {
  result: CheckResult | null;
  /** Why an order list cannot be loaded as it is: the mapping leaves something open, or lines are bad. */
  problem: string | null;
}

/** Reads an Amazon report to its end. @throws FileRefused */
export async function checkReport(runtime: Pick<Runtime, 'modules'>, source: ReportSource): Promise<Checked> {
  const { rows, from, to, summary, warnings } = await loaderOf(runtime, source.reportType).check(source);
  return { result: { rows, from, to, summary, warnings, badRows: [], badCount: 0 }, problem: null };
}

/** Why a list that was read cannot be loaded: all of its lines must be good. */
function problemOf(result: CheckResult): string | null {
  if (result.badCount > 0) return `有 ${result.badCount} 行错误，请修正文件或映射后再入库`;
  return result.rows === 0 ? '文件没有数据行' : null;
}

/** Reads an order list to its end through a mapping. @throws FileRefused for a file that no mapping can save */
export async function checkOrderList(
  source: Pick<ReportSource, 'open'>,
  mapping: OrderListMapping,
  options: MappingOptions,
  marketplaceId: string,
): Promise<Checked> {
  try {
    const reading = await readOrderList(source.open, mapping, options, marketplaceId);
    const result = orderListResult(reading, mapping, options, marketplaceId);
    return { result, problem: problemOf(result) };
  } catch (error) {
    if (!asksForMapping(error)) throw error;
    return { result: null, problem: error.message };
  }
}

/** Says where an earlier file of the same kind covers some of the same time; the rows themselves are merged by key. */
export async function overlapWarnings(
  ctx: Ctx,
  accountId: string,
  reportType: string,
  result: CheckResult,
): Promise<string[]> {
  if (!result.from || !result.to) return [];
  const { rows } = await sql<{ number: string; file_name: string }>`
    SELECT number, file_name FROM marketplace.upload_batch
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND report_type = ${reportType}
       AND state = 'loaded' AND left(period_from, 10) <= left(${result.to}, 10) AND left(period_to, 10) >= left(${result.from}, 10)
     ORDER BY id DESC LIMIT 3`.execute(ctx.db);
  return rows.map((row) => `期间与已入库的 ${row.number}（${row.file_name}）重叠，相同的行不会重复写入`);
}
