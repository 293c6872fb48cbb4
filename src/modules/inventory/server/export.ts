import type { z } from 'zod';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { streamed } from '#kit/server/list/page.ts';
import type { exportStock } from '../contract.ts';
import { stockList } from './list.ts';

const TITLE = 'FBA库存';

/** The stock of a filter as a file. */
export function exportAll(open: OpenCtx, request: z.output<typeof exportStock.body>): Promise<FileReply> {
  return download(open, async (ctx) => {
    const list = await stockList(ctx, request.filter);
    return {
      name: TITLE,
      sheet: TITLE,
      format: request.format,
      columns: exportColumns(ctx, list.row, request.columns),
      rows: streamed(ctx, request, list),
      audit: { action: `导出${TITLE}`, resource: 'inventory.fbaStock', filter: request.filter },
    };
  });
}
