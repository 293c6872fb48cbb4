import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { Cause, CheckDetail } from '../../contract/check.ts';
import { checkRow, rowOf } from './list.ts';
import type { DbRow } from './rows.ts';

/** Reasons that the row of a day shows by itself, those that account for the whole difference first. */
export function causesOf(row: DbRow): Cause[] {
  const causes: Cause[] = [];
  const add = (code: string, title: string, text: string, more: Partial<Cause> = {}) =>
    causes.push({ code, title, text, units: null, amount: null, explains: false, ...more });
  const gap = new Decimal(row.sales_gap).abs().gte('0.005');
  if (row.waiting > 0) add('history', '历史订单读取中', '这一天的历史订单报表还在生成或入库，完成后自动重新核对。');
  if (row.failed > 0) {
    add('historyFailed', '历史订单报表失败', '覆盖这一天的历史订单报表没有取到，请在「报表任务」重新申请。');
  }
  const over = (at: string | null) => at !== null && Date.parse(at) >= Date.parse(row.day_end);
  if (!over(row.read_to)) add('running', '当天尚未结束', '亚马逊只统计到核对时刻，当天结束后才有结论。');
  if (!over(row.orders_read_to)) {
    add('behind', '订单尚未读到当天结束', '实时订单同步还没有读到这一天结束，追上后自动重新核对。');
  }
  if (row.cancelled > 0) {
    const whole = row.units === row.own_units + row.cancelled;
    const text = whole
      ? '差异等于已取消的件数：亚马逊仍计入已取消的订单，本系统不计。'
      : '本系统不计已取消的件数；亚马逊可能在取消后一段时间内仍计入。';
    add('cancelled', '已取消', text, { units: row.cancelled, explains: whole });
  }
  if (!new Decimal(row.estimated).isZero()) {
    add('estimated', '待定价订单', '待处理订单亚马逊还没有给出价格，本系统按在售价估算，发货后更正为实际成交价。', {
      amount: row.estimated,
      explains: gap && row.unit_gap === 0 && row.order_gap === 0,
    });
  }
  if (row.unpriced > 0) {
    add('unpriced', '没有价格', '既没有成交价也没有在售价，本系统的销售额不含这些件数。', {
      units: row.unpriced,
      explains: gap && row.unit_gap === 0 && row.order_gap === 0,
    });
  }
  if (row.replaced > 0) {
    add('replaced', '换货订单', '免费换货不是销售，两边都不计；若差异恰为此数，说明亚马逊计入了换货。', {
      units: row.replaced,
    });
  }
  if (row.mcf > 0) {
    add('mcf', '多渠道订单', '其他渠道由 FBA 代发的订单，本系统不计入亚马逊销售。', { units: row.mcf });
  }
  return causes.sort((a, b) => Number(b.explains) - Number(a.explains));
}

/**
 * Why a day of a site is counted differently.
 * @throws 404 where Amazon has counted nothing of it, or for anybody else's
 */
export async function whyOf(
  ctx: Ctx,
  place: { accountId: string; marketplaceId: string; day: string },
): Promise<CheckDetail> {
  const row = await checkRow(ctx, place);
  if (!row) throw notFound('这一天还没有可核对的数据');
  return { row: rowOf(row, await storeNames(ctx)), causes: causesOf(row) };
}
