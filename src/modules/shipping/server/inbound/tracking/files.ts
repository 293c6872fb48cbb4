import type { z } from 'zod';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict } from '#kit/server/errors.ts';
import { readSheet } from '#kit/server/excel/read.ts';
import { readOrRefuse, uploadedBytes } from '#kit/server/excel/uploaded.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { MEDIA_TYPES } from '#kit/server/list/export.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { shipOrder } from '../../../contract/order.ts';
import type { importTracking } from '../../../contract/tracking-sheet.ts';
import { rowOf } from '../../order/detail.ts';
import { putTracking, required } from '../choose.ts';
import { loadView } from '../load.ts';
import type { View } from '../types.ts';
import { type Parcel, readTracking, trackingRows } from './sheet.ts';

/** Boxes that go as parcels of a carrier of the seller's own: partners of Amazon's bring their numbers, freight has a bill. */
function parcelsOf({ shipments, boxes }: View): Parcel[] {
  const own = new Map(
    shipments
      .filter(
        ({ transport }) => transport?.mode === 'GROUND_SMALL_PARCEL' && transport.solution === 'USE_YOUR_OWN_CARRIER',
      )
      .map(({ shipmentId, shipmentNo }) => [shipmentId, shipmentNo]),
  );
  return boxes.flatMap(({ no, amazonBoxId, trackingNo, shipmentId }) => {
    const shipmentNo = own.get(shipmentId ?? '');
    return shipmentNo === undefined ? [] : [{ no, amazonBoxId, shipmentNo, trackingNo }];
  });
}

/** The boxes of an order as a workbook that the import takes. @throws notFound, conflict where the way is not the product's */
export async function trackingFile(ctx: Ctx, id: string): Promise<FileReply> {
  await rowOf(ctx, id);
  const view = await loadView(ctx, id);
  if (!view) throw conflict('该发货单不由系统处理平台货件');
  const bytes = await writeWorkbook([{ title: '追踪号', rows: trackingRows(parcelsOf(view)) }]);
  return new FileReply(`追踪号-${view.order.number}.xlsx`, MEDIA_TYPES.xlsx, bytes);
}

/** More problems than that nobody reads. */
const MOST_PROBLEMS = 500;

/**
 * Reads an uploaded sheet; where asked to, and with every line good, its tracking numbers are written.
 * @throws refused B0022 and B0933 for no sheet, and as `putTracking` does; notFound
 */
export async function importTrackingFile(
  open: OpenCtx,
  { id, write }: z.output<typeof importTracking.body>,
): Promise<Reply<typeof importTracking>> {
  const { bytes } = await uploadedBytes(open);
  const table = await readOrRefuse(readSheet(bytes));
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const view = await required(ctx, id);
      const all = parcelsOf(view);
      const { rows, problems, parcels } = readTracking(table, all);
      const named = new Set(parcels.map(({ no }) => no));
      const left = all.filter(({ no, trackingNo }) => !named.has(no) && trackingNo === '').length;
      const written = write === 'yes' && problems.length === 0;
      if (written) await putTracking(ctx, { id, parcels, bills: [] });
      else {
        const after = { number: view.order.number, rows, problems: problems.length };
        await audit(ctx, { action: '检查追踪号表', resource: shipOrder.name, resourceId: id, after });
      }
      return { rows, open: left, problems: problems.slice(0, MOST_PROBLEMS), written };
    },
    { requestId: open.requestId, ip: open.ip },
  );
}
