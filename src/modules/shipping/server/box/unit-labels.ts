import type { z } from 'zod';
import { MOST_LABELS } from '#kit/contract/unit-layout.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { fnskuLabel, unitLabelsPdf } from '#kit/server/pdf/unit.ts';
import type { printUnitLabels } from '../../contract/box/labels.ts';
import { boxesOf } from '../order/boxes.ts';
import { loaded, type ShipOrder } from '../order/load.ts';

type Input = z.output<typeof printUnitLabels.body>;

/** Copies by line: as named, as a box holds them, or one for each piece that the seller labels. */
async function copiesOf(ctx: Ctx, order: ShipOrder, { lines, boxNo }: Input): Promise<Map<string, number>> {
  if (lines) return new Map(lines.map(({ lineId, copies }) => [lineId, copies]));
  if (boxNo !== undefined) {
    const [box] = await boxesOf(ctx, order.id, boxNo);
    return new Map((box?.items ?? []).map(({ lineId, qty }) => [lineId, qty]));
  }
  const picked = order.lines.some((line) => line.picked > 0);
  const mine = order.lines.filter((line) => line.labelOwner === 'SELLER');
  return new Map(mine.map((line) => [line.id, picked ? line.picked : line.qty]));
}

/**
 * FNSKU labels: Code 128, the number, the title as far as it fits, and "New", one for each piece.
 * @throws notFound, refused B1357 for a line without an FNSKU, nothing to label, or more than fit in one file
 */
export async function unitLabels(ctx: Ctx, input: Input): Promise<FileReply> {
  const order = await loaded(ctx, input.id);
  const copies = await copiesOf(ctx, order, input);
  const known = new Set(order.lines.map((line) => line.id));
  if ([...copies.keys()].some((id) => !known.has(id))) throw refused('明细行不存在，请刷新后重试', 'B1357');
  const lines = order.lines.filter((line) => (copies.get(line.id) ?? 0) > 0);
  const without = lines.filter((line) => line.fnsku === null).map((line) => line.msku);
  if (without.length > 0)
    throw refused(`平台SKU【${without.slice(0, 10).join('、')}】没有FNSKU，不能打印标签`, 'B1357');
  const total = lines.reduce((sum, line) => sum + (copies.get(line.id) ?? 0), 0);
  if (total === 0) throw refused('没有需要打印的标签', 'B1357');
  if (total > MOST_LABELS) throw refused(`一次最多打印 ${MOST_LABELS} 张标签，请分批选择`, 'B1357');
  const labels = lines.flatMap((line) =>
    Array.from({ length: copies.get(line.id) ?? 0 }, () => fnskuLabel(line.fnsku ?? '', line.title || line.msku)),
  );
  const pdf = unitLabelsPdf(labels, input.layout, input.used);
  return new FileReply(`FNSKU标签-${order.number}.pdf`, 'application/pdf', pdf, true);
}
