import { Decimal } from '#kit/contract/decimal.ts';
import { formatMoney, formatPercent } from '#kit/contract/format.ts';
import { useAllowed } from '#kit/web/session.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import type { ProfitTotal } from '../contract/report.ts';

const isSome = (amount: string | null): amount is string => amount !== null && !new Decimal(amount).isZero();

/** How far the figures can be trusted, each doubt with its number and what to do about it. */
export function Quality({ total }: { total: ProfitTotal | undefined }) {
  const seesCost = useAllowed('fin:cost:view');
  if (!total) return null;
  const { missingCostSkus, missingRates, presetRates, unmapped, unallocated, settledShare, late } = total.quality;
  return (
    <>
      {seesCost && missingCostSkus > 0 && (
        <span className="report-doubt is-warning">
          {missingCostSkus} 个 SKU 缺少采购成本，毛利润偏高{' '}
          <TabLink to="/product/cost" title="采购成本" query={{ 'f.state': 'missing' }}>
            去补录
          </TabLink>
        </span>
      )}
      {missingRates.length > 0 && (
        <span className="report-doubt is-warning" title={missingRates.join('、')}>
          缺少汇率：{missingRates.slice(0, 2).join('、')}
          {missingRates.length > 2 && ` 等 ${missingRates.length} 项`}
        </span>
      )}
      {isSome(unmapped) && (
        <span className="report-doubt is-warning">待归类费用 {formatMoney(unmapped, total.currency)}</span>
      )}
      {isSome(unallocated) && <span className="report-doubt">未分摊 {formatMoney(unallocated, total.currency)}</span>}
      {isSome(late) && (
        <span className="report-doubt" title="所属月份已关账，入账到其后的月份；按归属口径查看原月份">
          含以前期间调整 {formatMoney(late, total.currency)}
        </span>
      )}
      {presetRates.length > 0 && (
        <span className="report-doubt" title={presetRates.join('、')}>
          按预置汇率折算
        </span>
      )}
      {settledShare !== null && Number(settledShare) < 1 && (
        <span className="report-doubt">已结算 {formatPercent(settledShare, 0)}，其余为预估</span>
      )}
    </>
  );
}
