import type { z } from 'zod';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type exportOssSummary, type exportPeriodReport, OssRow, PeriodRow } from '../../contract/report.ts';
import { ossRows, periodRows } from './sums.ts';

const RESOURCE = 'vat.report';

async function* each<T extends object>(rows: readonly T[]): AsyncGenerator<T> {
  yield* rows;
}

/** The report of periods as a file. */
export function exportPeriods(open: OpenCtx, body: z.output<typeof exportPeriodReport.body>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `VAT期间报表-${body.from}-${body.to}`,
    sheet: 'VAT期间报表',
    format: body.format,
    columns: exportColumns(ctx, PeriodRow, undefined),
    rows: each((await periodRows(ctx, body)).rows),
    audit: { action: '导出VAT期间报表', resource: RESOURCE, filter: body },
  }));
}

/** A quarter's summary for the one-stop shop as a file. */
export function exportOss(open: OpenCtx, body: z.output<typeof exportOssSummary.body>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `OSS申报汇总-${body.quarter}`,
    sheet: 'OSS申报汇总',
    format: body.format,
    columns: exportColumns(ctx, OssRow, undefined),
    rows: each((await ossRows(ctx, body)).rows),
    audit: { action: '导出OSS申报汇总', resource: RESOURCE, filter: body },
  }));
}
