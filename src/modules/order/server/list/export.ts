import { finished } from 'node:stream/promises';
import type { z } from 'zod';
import type { ExportQuery } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { recordFile } from '#kit/server/files.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { type TaskHandle, type TaskResult, task } from '#kit/server/jobs/define.ts';
import { startTask } from '#kit/server/jobs/enqueue.ts';
import { exportColumns, exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';
import { hiddenFields, ordered, streamed } from '#kit/server/list/page.ts';
import { inTenant, type Runtime, taskPrincipal } from '#kit/server/runtime.ts';

import { type OrderFilter, OrderRow } from '../../contract/orders.ts';
import { countUpTo, orderList } from './rows.ts';

/** Larger exports are written in the background. */
const DIRECT_ROWS = 10_000;
/** A file that was made for somebody waits for him so long. */
const KEPT_MS = 30 * 86_400_000;
const TIMEOUT_MS = 30 * 60_000;
const TASK = 'order.export';

type Asked = z.output<ReturnType<typeof ExportQuery<typeof import('../../contract/orders.ts').OrderFilter>>>;

/** What a background export needs: only columns that its owner may see. */
interface Payload {
  sort?: string | undefined;
  order?: 'asc' | 'desc' | undefined;
  filter: OrderFilter;
  columns: string[];
  format: 'xlsx' | 'csv';
  rows: number;
}

const nameOf = ({ clock }: Ctx, format: string): string => `订单-${clock.today()}.${format}`;

async function* flat(rows: AsyncIterable<OrderRow>): AsyncGenerator<object> {
  for await (const row of rows) yield { ...row, tags: row.tags.join('、') };
}

async function openStream(ctx: Ctx, asked: Omit<Payload, 'rows'>, onRow?: (count: number) => Promise<void>) {
  const { def, request } = orderList(ctx, { ...asked, filter: asked.filter });
  const columns = exportColumns(ctx, OrderRow, asked.columns);
  const rows = streamed(ctx, request, def);
  return exportStream(flat(rows), { format: asked.format, sheet: '订单', columns }, onRow);
}

async function plan(ctx: Ctx, asked: Asked): Promise<Payload> {
  const { def, request } = orderList(ctx, asked);
  // A sort that is not allowed is refused now and not in the middle of a file.
  ordered(def, request, hiddenFields(ctx, OrderRow));
  const rows = await countUpTo(ctx, asked.filter, DIRECT_ROWS);
  const columns = exportColumns(ctx, OrderRow, asked.columns).map((column) => column.key);
  await audit(ctx, {
    action: '导出订单',
    resource: 'order',
    after: { filter: asked.filter, format: asked.format, rows },
  });
  return { sort: asked.sort, order: asked.order, filter: asked.filter, columns, format: asked.format, rows };
}

/** Streams while its transaction stays open: the rows come from a cursor. */
function reply(open: OpenCtx, payload: Payload): Promise<FileReply> {
  const { runtime, principal } = open;
  return new Promise((resolve, reject) => {
    inTenant(
      runtime,
      principal,
      async (ctx) => {
        const stream = await openStream(ctx, payload);
        resolve(new FileReply(nameOf(ctx, payload.format), MEDIA_TYPES[payload.format], stream));
        await finished(stream, { writable: false });
      },
      { readOnly: true, timeoutMs: TIMEOUT_MS },
    ).catch(reject);
  });
}

/** A file at once, or the task that writes it where there are more than 10,000 rows. */
export async function exportOrders(open: OpenCtx, asked: Asked): Promise<FileReply | { taskId: string }> {
  const options = { requestId: open.requestId, ip: open.ip };
  const decided = await inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const payload = await plan(ctx, asked);
      if (payload.rows <= DIRECT_ROWS) return payload;
      return { taskId: await startTask(ctx, TASK, '导出订单', payload) };
    },
    options,
  );
  return 'taskId' in decided ? decided : reply(open, decided);
}

async function run(runtime: Runtime, handle: TaskHandle, payload: Payload): Promise<TaskResult> {
  // With every permission: what the starter may not see is not among the task's columns.
  const principal = taskPrincipal(handle);
  const total = await inTenant(runtime, principal, (ctx) => countUpTo(ctx, payload.filter, 5_000_000), {
    readOnly: true,
    timeoutMs: TIMEOUT_MS,
  });
  const stored = await inTenant(
    runtime,
    principal,
    async (ctx) => {
      const stream = await openStream(ctx, payload, (count) =>
        handle.progress((count * 100) / Math.max(1, total), `已写入 ${count} / ${total} 行`),
      );
      return runtime.files.put(handle.companyId, stream);
    },
    { readOnly: true, timeoutMs: TIMEOUT_MS },
  );
  const fileId = await inTenant(runtime, principal, (ctx) =>
    recordFile(ctx, stored, {
      name: nameOf(ctx, payload.format),
      mediaType: MEDIA_TYPES[payload.format],
      purpose: 'export',
      expiresAt: new Date(ctx.clock.ms() + KEPT_MS),
    }),
  );
  return { fileId, detail: `共 ${total} 行` };
}

export const exportTask = task<Payload>(TASK, run);
