import { sql } from 'kysely';
import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import { shipOrder } from '../../contract/order.ts';
import type { markBox } from '../../contract/receipt/calls.ts';
import { BoxMark } from '../../contract/receipt/receipt.ts';
import { locked } from '../order/load.ts';
import { type KnownBox, LEFT, type Sent, sentBoxes } from './load.ts';

type Input = z.output<typeof markBox.body>;
const marks = BoxMark.meta()?.states ?? {};

/** Pieces that a mark says came of each line of a box; null where it says nothing. @throws refused B1361 */
function saidOf(box: KnownBox, { mark, items }: Input): Map<string, number> | null {
  const words = `第 ${box.no} 箱`;
  if (mark !== 'PARTLY' && items.length > 0) throw refused(`${words}：只有标记为「部分」时填写【实收明细】`, 'B1361');
  const said = new Map(items.map(({ lineId, qty }) => [lineId, qty]));
  if (said.size < items.length) throw refused(`${words}【实收明细】重复填写了同一个SKU`, 'B1361');
  const stray = items.find(({ lineId }) => !box.lines.some((line) => line.lineId === lineId));
  if (stray) throw refused(`${words}【实收明细】中有不在本箱的SKU，请刷新后重试`, 'B1361');
  if (mark === 'AUTO') return null;
  const pieces = box.lines.map(({ lineId, msku, qty }) => {
    const came = mark === 'RECEIVED' ? qty : (said.get(lineId) ?? 0);
    if (came > qty) throw refused(`${words}【${msku}】实收数 ${came} 超过装箱数 ${qty}`, 'B1361', { line: lineId });
    return [msku, came] as const;
  });
  const came = pieces.reduce((total, [, qty]) => total + qty, 0);
  const packed = box.lines.reduce((total, { qty }) => total + qty, 0);
  if (mark === 'PARTLY' && (came === 0 || came === packed))
    throw refused(`${words}【收货标记】为「部分」时，实收数须大于 0 且少于装箱数 ${packed}`, 'B1361');
  return new Map(pieces);
}

/**
 * Together with what people say of other boxes, a mark must leave room for exactly what Amazon counted.
 * @throws refused B1362 more than Amazon received, or so few that the other boxes could not hold the rest
 */
function requireCounted({ boxes, counted }: Sent, box: KnownBox, said: ReadonlyMap<string, number>): void {
  const others = boxes.filter(({ no }) => no !== box.no);
  for (const { msku } of box.lines) {
    const came = said.get(msku) ?? 0;
    const received = counted.received.get(msku) ?? 0;
    const marked = others.reduce((total, one) => total + (one.marked?.get(msku) ?? 0), 0);
    const words = `第 ${box.no} 箱【${msku}】实收数 ${came}`;
    if (came > received - marked)
      throw refused(
        `${words} 超过可标记的 ${Math.max(0, received - marked)}：亚马逊已接收 ${received}，其他箱已标记 ${marked}`,
        'B1362',
      );
    const most = others.reduce((total, one) => total + (one.marked?.get(msku) ?? one.items.get(msku) ?? 0), 0);
    const packed = most + (box.items.get(msku) ?? 0);
    if (Math.min(received, packed) > most + came && came < (box.items.get(msku) ?? 0))
      throw refused(`${words} 过少：亚马逊已接收 ${received}，其他箱最多 ${most}`, 'B1362');
  }
}

async function write(ctx: Ctx, box: KnownBox, said: ReadonlyMap<string, number> | null, input: Input): Promise<number> {
  const state = input.mark === 'AUTO' ? null : input.mark;
  const key = sql`company_id = ${ctx.companyId} AND order_id = ${input.id} AND box_no = ${box.no}`;
  const { rows } = await sql<{ version: number }>`
    INSERT INTO shipping.box_receipt AS r
      (company_id, order_id, box_no, state, delivered_on, remark, updated_by_name)
    VALUES (${ctx.companyId}, ${input.id}, ${box.no}, ${state}, ${input.deliveredOn}::date, ${input.remark}, ${ctx.userName})
    ON CONFLICT (company_id, order_id, box_no) DO UPDATE
       SET state = excluded.state, delivered_on = excluded.delivered_on, remark = excluded.remark, version = r.version + 1,
           updated_at = kit.now(), updated_by_name = excluded.updated_by_name
    RETURNING version`.execute(ctx.db);
  await sql`DELETE FROM shipping.box_receipt_item WHERE ${key}`.execute(ctx.db);
  if (input.mark === 'PARTLY') {
    const items = box.lines.map(({ lineId, msku }) => ({ line: lineId, qty: said?.get(msku) ?? 0 }));
    await sql`
      INSERT INTO shipping.box_receipt_item (company_id, order_id, box_no, line_id, qty)
      SELECT ${ctx.companyId}, ${input.id}, ${box.no}, r.line, r.qty
        FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS r(line uuid, qty int)`.execute(ctx.db);
  }
  return rows[0]?.version ?? 0;
}

/**
 * Writes what somebody knows of a box of an order that has left; 「按规则分配」 takes it back, the day and the remark stay. Two
 * who mark at once go one after the other by the lock of the order.
 * @throws notFound, conflict before it has left or for a stale version, refused B1361 for pieces that the box did not hold,
 *   B1362 for what Amazon's counts do not allow, B1363 for a day to come
 */
export async function mark(ctx: Ctx, input: Input): Promise<Outcome> {
  const order = await locked(ctx, input.id);
  if (!LEFT.includes(order.state)) throw conflict('货物出库后才能标记按箱收货');
  requireMove(ctx, order.warehouse);
  const all = await sentBoxes(ctx, order);
  const sent = all.find(({ boxes }) => boxes.some(({ no }) => no === input.boxNo));
  const box = sent?.boxes.find(({ no }) => no === input.boxNo);
  if (!sent || !box) throw refused(`【箱号】第 ${input.boxNo} 箱不存在，请刷新后重试`, 'B1361');
  requireFresh(box, input.version);
  if (input.deliveredOn !== null && input.deliveredOn > ctx.clock.today())
    throw refused('【签收日】不能晚于今天', 'B1363');
  const said = saidOf(box, input);
  if (said) requireCounted(sent, box, said);
  const version = await write(ctx, box, said, input);
  const title = `第 ${box.no} 箱：${marks[input.mark]?.title ?? input.mark}`;
  await note(ctx, shipOrder.name, order.id, {
    kind: 'note',
    title: `按箱收货 ${title}`,
    ...(input.remark ? { body: input.remark } : {}),
  });
  const known = ({ mark: now, deliveredOn, remark }: Pick<KnownBox, 'mark' | 'deliveredOn' | 'remark'>) => ({
    mark: now,
    deliveredOn,
    remark,
  });
  await audit(ctx, {
    action: '发货单·按箱收货标记',
    resource: shipOrder.name,
    resourceId: order.id,
    before: { box: box.no, ...known(box), items: box.mark === 'PARTLY' ? Object.fromEntries(box.marked ?? []) : {} },
    after: {
      number: order.number,
      box: box.no,
      ...known(input),
      items: input.mark === 'PARTLY' ? Object.fromEntries(said ?? []) : {},
    },
  });
  return outcome({ id: order.id, number: order.number, state: order.state, version }, `${title}，已保存`);
}
