import type { z } from 'zod';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { streamed } from '#kit/server/list/page.ts';
import { type exportWall, WallRow } from '../contract/wall.ts';
import { namesOf, wallList, wallRow } from './list.ts';

const TITLE = '商品分析';

/** The rows of a filter as a file; tags by their names. */
export function exportAll(open: OpenCtx, request: z.output<typeof exportWall.body>): Promise<FileReply> {
  return download(open, async (ctx) => {
    const names = await namesOf(ctx, 'all');
    const list = {
      ...wallList(ctx, request.filter),
      map: (row: Parameters<typeof wallRow>[0]) => {
        const shown = wallRow(row, names);
        return { ...shown, tags: shown.tags.map((tag) => tag.name).join('、') };
      },
    };
    return {
      name: TITLE,
      sheet: TITLE,
      format: request.format,
      columns: exportColumns(ctx, WallRow, request.columns),
      rows: streamed(ctx, request, list),
      audit: { action: `导出${TITLE}`, resource: 'analysis.wall', filter: request.filter },
    };
  });
}
