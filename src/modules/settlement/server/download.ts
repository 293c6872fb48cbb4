import { finished } from 'node:stream/promises';
import type { Column } from '#kit/contract/columns.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';
import { inTenant } from '#kit/server/runtime.ts';

export interface DownloadSpec {
  /** File name without its ending. */
  name: string;
  sheet: string;
  format: 'xlsx' | 'csv';
  columns: readonly Column[];
  rows: AsyncIterable<object>;
  /** What the log says of it: who took which part of the company's figures along. */
  audit: { action: string; resource: string; filter: unknown };
}

/** The same rows, but with the first one read already: a query that is refused is refused before the file begins. */
async function begun(rows: AsyncIterable<object>): Promise<AsyncIterable<object>> {
  const iterator = rows[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
}

/**
 * Answers with rows from a cursor as a file. The transaction that the cursor needs stays open until the last byte is
 * read or the caller goes away; memory use does not depend on the number of rows.
 */
export function download(open: OpenCtx, make: (ctx: Ctx) => Promise<DownloadSpec>): Promise<FileReply> {
  return new Promise((resolve, reject) => {
    const options = { timeoutMs: 0, requestId: open.requestId, ip: open.ip };
    const work = async (ctx: Ctx) => {
      const spec = await make(ctx);
      await audit(ctx, {
        action: spec.audit.action,
        resource: spec.audit.resource,
        after: { filter: spec.audit.filter },
      });
      const rows = await begun(spec.rows);
      const stream = exportStream(rows, { format: spec.format, sheet: spec.sheet, columns: spec.columns });
      resolve(new FileReply(`${spec.name}.${spec.format}`, MEDIA_TYPES[spec.format], stream));
      await finished(stream);
    };
    inTenant(open.runtime, open.principal, work, options).catch((error: unknown) => {
      open.runtime.log.debug({ err: error }, 'download ended early');
      reject(error);
    });
  });
}
