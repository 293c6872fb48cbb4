import type { z } from 'zod';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { CatalogItem, type exportCatalog } from '../../contract/catalog.ts';
import { siteOf, siteParts } from '../site.ts';

const TITLE = '商品搜索';

async function* each(items: readonly CatalogItem[]): AsyncGenerator<object> {
  yield* items;
}

/** What somebody fetched of the catalogue, as a file. @throws 404 for a site of others */
export async function exportFound(open: OpenCtx, wish: z.output<typeof exportCatalog.body>): Promise<FileReply> {
  const { site, items, format } = wish;
  await siteOf(open, siteParts(site));
  return download(open, async (ctx) => ({
    name: TITLE,
    sheet: TITLE,
    format,
    columns: exportColumns(ctx, CatalogItem, undefined),
    rows: each(items),
    audit: { action: `导出${TITLE}`, resource: 'publish.catalog', filter: { count: items.length } },
  }));
}
