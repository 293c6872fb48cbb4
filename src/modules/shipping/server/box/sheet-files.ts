import type { z } from 'zod';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { readSheet } from '#kit/server/excel/read.ts';
import { readOrRefuse, uploadedBytes } from '#kit/server/excel/uploaded.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { MEDIA_TYPES } from '#kit/server/list/export.ts';
import { inTenant } from '#kit/server/runtime.ts';
import type { importBoxes } from '../../contract/box/sheet.ts';
import { shipOrder } from '../../contract/order.ts';
import { boxesOf, putBoxes } from '../order/boxes.ts';
import { loaded } from '../order/load.ts';
import { boxRows, readBoxes } from './sheet.ts';

/** The boxes of an order as a workbook that the import takes. @throws notFound */
export async function boxFile(ctx: Ctx, id: string): Promise<FileReply> {
  const order = await loaded(ctx, id);
  const rows = boxRows(order.lines, await boxesOf(ctx, id));
  const bytes = await writeWorkbook([{ title: '装箱', rows }]);
  return new FileReply(`装箱表-${order.number}.xlsx`, MEDIA_TYPES.xlsx, bytes);
}

/** More problems than that nobody reads. */
const MOST_PROBLEMS = 500;

/**
 * Reads an uploaded sheet; where asked to, and with every line good, all boxes of the order are replaced by it.
 * @throws refused B0022 and B0933 for no sheet, and as `putBoxes` does; notFound
 */
export async function importBoxFile(
  open: OpenCtx,
  { id, version, write }: z.output<typeof importBoxes.body>,
): Promise<Reply<typeof importBoxes>> {
  const { bytes } = await uploadedBytes(open);
  const table = await readOrRefuse(readSheet(bytes));
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const order = await loaded(ctx, id);
      const { rows, problems, boxes } = readBoxes(table, order.lines);
      const written = write === 'yes' && problems.length === 0;
      if (written) await putBoxes(ctx, { id, version, boxes });
      else {
        const after = { number: order.number, rows, problems: problems.length };
        await audit(ctx, { action: '检查装箱表', resource: shipOrder.name, resourceId: id, after });
      }
      const pieces = boxes.flatMap((box) => box.items).reduce((sum, item) => sum + item.qty, 0);
      return { rows, boxes: boxes.length, pieces, problems: problems.slice(0, MOST_PROBLEMS), written };
    },
    { requestId: open.requestId, ip: open.ip },
  );
}
