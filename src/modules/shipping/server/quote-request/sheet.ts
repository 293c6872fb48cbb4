import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { MEDIA_TYPES } from '#kit/server/list/export.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { HEADS } from './columns.ts';
import { requestDetail } from './detail.ts';

async function bytesFor(ctx: Ctx, id: string, carrierId: string) {
  const { request, goods, asked } = await requestDetail(ctx, id);
  const carrier = asked.find((one) => one.carrierId === carrierId);
  if (!carrier) throw notFound('没有向这家物流商询价');
  const answer = ['', '', 'kg', '', '', '', '', 'CNY', '', '', '', ''];
  const heads = ['仓库', '货件编号', '箱数', '件数', '实重(kg)', '材积重(kg)', '体积(m³)', '箱规'];
  const lines = goods.map((one) => [
    one.center,
    one.shipmentNos,
    String(one.boxes),
    String(one.pieces),
    one.weight ?? '',
    one.volumetric ?? '',
    one.volume ?? '',
    one.specs,
  ]);
  const bytes = await writeWorkbook([
    // The first one is filled in and read again.
    { title: '报价', rows: [HEADS, [request.number, carrier.carrier, ...answer.slice(1)]] },
    { title: '货物', rows: [heads, ...lines] },
    { title: '说明', rows: carrier.text.split('\n').map((line) => [line]) },
  ]);
  return { bytes, name: `询价表-${request.number}-${carrier.carrier}.xlsx` };
}

/** 询价表 for one forwarder: a row to fill in that the import takes, the goods, and the question in words. @throws notFound */
export async function questionSheet(open: OpenCtx, id: string, carrierId: string): Promise<FileReply> {
  const { requestId, ip } = open;
  const { bytes, name } = await inTenant(open.runtime, open.principal, (ctx) => bytesFor(ctx, id, carrierId), {
    requestId,
    ip,
  });
  return new FileReply(name, MEDIA_TYPES.xlsx, bytes);
}
