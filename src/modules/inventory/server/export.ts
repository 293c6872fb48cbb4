import { finished } from 'node:stream/promises';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { exportColumns, exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';
import { type ListDef, streamed } from '#kit/server/list/page.ts';
import { inTenant } from '#kit/server/runtime.ts';
import type { exportStock } from '../contract.ts';
import { stockList } from './list.ts';

type Request = z.output<typeof exportStock.body>;

const TIMEOUT_MS = 10 * 60_000;

/** The transaction stays open while the rows stream: a cursor reads them as fast as the caller takes them. */
export function streamList<Row>(
  open: OpenCtx,
  request: Pick<Request, 'sort' | 'order' | 'columns' | 'format'>,
  spec: { title: string; resource: string; filter: unknown; list: (ctx: Ctx) => Promise<ListDef<never, Row>> },
): Promise<FileReply> {
  return new Promise((resolve, reject) => {
    inTenant(
      open.runtime,
      open.principal,
      async (ctx) => {
        const list = await spec.list(ctx);
        await audit(ctx, { action: `导出${spec.title}`, resource: spec.resource, after: { filter: spec.filter } });
        const { format } = request;
        const columns = exportColumns(ctx, list.row, request.columns);
        const body = exportStream(streamed(ctx, request, list) as AsyncIterable<object>, {
          format,
          sheet: spec.title,
          columns,
        });
        resolve(new FileReply(`${spec.title}.${format}`, MEDIA_TYPES[format], body));
        await finished(body);
      },
      { timeoutMs: TIMEOUT_MS, requestId: open.requestId, ip: open.ip },
    ).catch(reject);
  });
}

/** The stock of a filter as a file. */
export function exportAll(open: OpenCtx, request: Request): Promise<FileReply> {
  return streamList(open, request, {
    title: 'FBA库存',
    resource: 'inventory.fbaStock',
    filter: request.filter,
    list: async (ctx) => (await stockList(ctx, request.filter)) as unknown as ListDef<never, object>,
  });
}
