import { finished } from 'node:stream/promises';
import type { Column } from '#kit/contract/columns.ts';
import { audit } from '../audit.ts';
import type { Ctx } from '../context.ts';
import { FileReply, type OpenCtx } from '../http/serve.ts';
import { inTenant } from '../runtime.ts';
import { exportStream, MEDIA_TYPES } from './export.ts';

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

/**
 * Answers with rows from a cursor as a file. The transaction that the cursor needs stays open until the last byte is
 * read or the caller goes away; memory use does not depend on the number of rows.
 */
export function download(open: OpenCtx, make: (ctx: Ctx) => Promise<DownloadSpec>): Promise<FileReply> {
  return new Promise((resolve, reject) => {
    const options = { timeoutMs: 0, requestId: open.requestId, ip: open.ip };
    const work = async (ctx: Ctx) => {
      const spec = await make(ctx);
      const { action, resource, filter } = spec.audit;
      await audit(ctx, { action, resource, after: { filter } });
      const stream = exportStream(spec.rows, { format: spec.format, sheet: spec.sheet, columns: spec.columns });
      resolve(new FileReply(`${spec.name}.${spec.format}`, MEDIA_TYPES[spec.format], stream));
      await finished(stream);
    };
    inTenant(open.runtime, open.principal, work, options).catch((error: unknown) => {
      open.runtime.log.debug({ err: error }, 'download ended early');
      reject(error);
    });
  });
}
