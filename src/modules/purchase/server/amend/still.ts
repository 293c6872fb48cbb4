import { Decimal } from '#kit/contract/decimal.ts';
import type { Order, OrderLine } from '../order/load.ts';
import type { LineChange } from './apply.ts';

/** Why a line cannot change so, or nothing. */
export function lineObstacle(line: OrderLine, after: LineChange['after']): string | undefined {
  const came = line.received - line.replaced;
  if (line.cancelled > 0) return `第${line.lineNo}行已结束收货，不能变更`;
  if (after.qty !== line.qty && after.qty < came) return `第${line.lineNo}行的数量不能少于已收 ${came}`;
  if (new Decimal(after.unitPrice).eq(line.unitPrice)) return undefined;
  if (line.gift) return `第${line.lineNo}行是赠品，不能改价`;
  if (line.received > 0) return `第${line.lineNo}行已收货，不能改价；请减少数量后另下采购单`;
  return new Decimal(after.unitPrice).isZero() ? `第${line.lineNo}行的单价须大于0` : undefined;
}

/** A change as it is held against its order: lines, or what a platform takes for all of it. */
interface Asked {
  changes: readonly LineChange[];
  /** Order currency; null for a change of lines. */
  platformTotal: string | null;
}

/** Why a change that waited no longer fits the order, which has moved on since; or nothing. */
export function amendmentObstacle(order: Order, { changes, platformTotal }: Asked): string | undefined {
  const open = platformTotal === null ? ['ordered'] : ['approved', 'ordered'];
  if (!open.includes(order.state)) return '采购单已结束，不能变更';
  for (const { lineId, before, after } of changes) {
    const line = order.lines.find((one) => one.id === lineId);
    if (!line || line.qty !== before.qty) return '采购单已变动，请驳回后重新申请变更';
    const why = lineObstacle(line, after);
    if (why) return why;
  }
  return undefined;
}
