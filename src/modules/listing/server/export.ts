import type { z } from 'zod';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, streamed } from '#kit/server/list/page.ts';
import type { exportListings } from '../contract.ts';
import { listingList } from './list.ts';

const TITLE = '在线商品';

/** The listings of a filter as a file. */
export function exportAll(open: OpenCtx, request: z.output<typeof exportListings.body>): Promise<FileReply> {
  return download(open, async (ctx) => {
    const list = (await listingList(ctx, request.filter)) as unknown as ListDef<never, object>;
    return {
      name: TITLE,
      sheet: TITLE,
      format: request.format,
      columns: exportColumns(ctx, list.row, request.columns),
      rows: streamed(ctx, request, list),
      audit: { action: `导出${TITLE}`, resource: 'listing.listing', filter: request.filter },
    };
  });
}
