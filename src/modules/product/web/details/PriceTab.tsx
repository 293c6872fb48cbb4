import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { cacheKey, call } from '#kit/web/api/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { LineTrend } from '#kit/web/charts/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { useAllowed } from '#kit/web/session.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { PRICE_VIEW } from '../../contract/fields.ts';
import { inquiryDocument } from '../../contract/inquiry.ts';
import type { ProductDetail } from '../../contract/material.ts';
import { type PriceList, priceHistory } from '../../contract/parts.ts';

const ALWAYS = '2000-01-01';

/** Steps of values over days as one value for each of the given days: the last one that began by then. */
function stepped(days: readonly string[], steps: readonly { day: string; value: string }[]): (string | null)[] {
  return days.map((day) => steps.findLast((step) => step.day <= day)?.value ?? null);
}

const named = (day: string) => (day === ALWAYS ? '最初' : day);

function CostChart({ costs }: { costs: ProductDetail['costs'] }) {
  const days = [...new Set([...costs.map((one) => one.day), companyDay()])].sort();
  const values = stepped(
    days,
    costs.map((one) => ({ day: one.day, value: one.unitCost })),
  );
  const series = [{ name: '采购成本', values, measure: { kind: 'money' as const, currency: 'CNY' } }];
  return <LineTrend label="采购成本" labels={days.map(named)} series={series} height={220} />;
}

function PriceChart({ lists, names }: { lists: readonly (readonly PriceList[])[]; names: readonly string[] }) {
  const days = [...new Set([...lists.flat().map((one) => one.validFrom), companyDay()])].sort();
  const currency = lists.flat()[0]?.currency ?? 'CNY';
  const series = lists.map((own, at) => ({
    name: names[at] ?? '',
    measure: { kind: 'money' as const, currency },
    // The newest list is the first; on one day the newer one counts.
    values: stepped(
      days,
      own.toReversed().map((one) => ({ day: one.validFrom, value: one.tiers[0]?.unitPrice ?? '0' })),
    ),
  }));
  return <LineTrend label="首档报价" labels={days} series={series} height={220} />;
}

/** 价格: cost and quotes over time, and the tiers that hold today. */
export function PriceTab({ product }: { product: ProductDetail }) {
  const mayPrice = useAllowed(PRICE_VIEW);
  const histories = useQueries({
    queries: product.supplies.map(({ supplierId }) => {
      const input = { body: { productId: product.id, supplierId } };
      return {
        queryKey: cacheKey(priceHistory, input),
        queryFn: () => call(priceHistory, input, { quiet: true, scope: supplierId }),
        enabled: mayPrice,
      };
    }),
  });
  const lists = useMemo(() => histories.map((one) => one.data ?? []), [histories]);
  const quoted = lists.some((own) => own.length > 0);
  return (
    <>
      <div className="detail-charts">
        {product.costs && product.costs.length > 0 && (
          <section>
            <h2>采购成本（每件）</h2>
            <CostChart costs={product.costs} />
          </section>
        )}
        {quoted && (
          <section>
            <h2>供应商首档报价</h2>
            <PriceChart lists={lists} names={product.supplies.map((one) => one.supplier)} />
          </section>
        )}
      </div>
      {mayPrice && (
        <p className="detail-link">
          <TabLink to={inquiryDocument.detail} title="询价与报价" query={{ 'f.keyword': product.sku }}>
            询价记录
          </TabLink>
        </p>
      )}
      <div className="line-table is-dense">
        <table aria-label="供应商报价">
          <thead>
            <tr>
              <th>供应商</th>
              <th className="is-right">起订量</th>
              <th className="is-right">倍数</th>
              <th className="is-right">供货周期(天)</th>
              <th>档价</th>
              <th>含税</th>
              <th>生效日期</th>
            </tr>
          </thead>
          <tbody>
            {product.supplies.map((one) => (
              <tr key={one.id}>
                <td>
                  {one.supplier}
                  {one.isDefault && <span className="text3">　默认</span>}
                </td>
                <td className="is-right num">{one.moq}</td>
                <td className="is-right num">{one.orderMultiple}</td>
                <td className="is-right num">{one.leadDays}</td>
                <td>
                  {one.prices?.tiers?.map((tier) => (
                    <span key={tier.minQty} className="num">
                      ≥{tier.minQty} <Money amount={tier.unitPrice} currency={one.prices?.currency ?? 'CNY'} />　
                    </span>
                  )) ?? '—'}
                </td>
                <td>{one.prices ? (one.prices.taxIncluded ? '含税' : '未税') : '—'}</td>
                <td>{one.prices?.validFrom ?? '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {product.supplies.length === 0 && <div className="line-table-none">没有供应商，请在编辑页「采购」中添加</div>}
      </div>
    </>
  );
}
