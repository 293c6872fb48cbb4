import { formatMoney } from '#kit/contract/format.ts';
import type { ReportCheck, ReportLoader, ReportPlan, ReportSource } from '#modules/marketplace/server/index.ts';
import { classify } from '../contract/fee-map.ts';
import { loadSettlement, readingOf } from './load.ts';
import { settlementV1, settlementV2 } from './readers.ts';

/** Reads a whole file as a load would, but writes nothing. @throws FileRefused */
async function check(source: ReportSource): Promise<ReportCheck> {
  const { reading } = readingOf(source);
  const head = await reading.header;
  const unmapped = new Set<string>();
  let rows = 0;
  for await (const batch of reading.rows) {
    rows += batch.length;
    for (const { transactionType, amountType, amountDescription } of batch) {
      const { code } = classify(transactionType, amountType, amountDescription);
      if (code === 'UNMAPPED') unmapped.add(`${amountType}/${amountDescription}`);
    }
  }
  const names = [...unmapped].slice(0, 5).join('、');
  return {
    rows,
    from: head.startAt,
    to: head.endAt,
    summary: `结算编号 ${head.settlementId} · 合计 ${formatMoney(head.totalAmount, head.currency)} · 差额 ${formatMoney('0', head.currency)}`,
    warnings: [...head.warnings, ...(unmapped.size > 0 ? [`${unmapped.size} 种费用待归类，将计入利润：${names}`] : [])],
  };
}

export const settlementLoader: ReportLoader = {
  reportTypes: [settlementV2.type, settlementV1.type],
  title: '结算报告',
  check,
  load: loadSettlement,
};

/** Amazon makes settlements by itself, about every two weeks and on every payout asked for; we look for new ones. */
export const settlementPlan: ReportPlan = {
  code: 'settlements',
  title: '结算报告',
  reportType: settlementV2.type,
  how: 'list',
  windowDays: 90,
  historyDays: 90,
  priority: 30,
  cadenceSec: 30 * 60,
  sloMin: 24 * 60,
  whileSuspended: true,
};
