import type { Reply } from '#kit/contract/endpoint.ts';
import { DayText, Money, StoreName } from '#kit/web/cells/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import type { drillProfit } from '../contract/report.ts';

/** 自定义费用: what documents put on the days of a row, each a link to its document. */
export function Fees({ fees }: { fees: Reply<typeof drillProfit>['fees'] }) {
  return (
    <div className="line-table is-dense">
      <table aria-label="自定义费用">
        <thead>
          <tr>
            <th>日期</th>
            <th>店铺</th>
            <th>SKU</th>
            <th>费用类型</th>
            <th>单据号</th>
            <th className="is-right">金额</th>
          </tr>
        </thead>
        <tbody>
          {fees.map((fee) => (
            <tr key={fee.id}>
              <td>
                <DayText day={fee.day} />
              </td>
              <td>
                <StoreName store={fee.store} />
              </td>
              <td>{fee.sku || '整店'}</td>
              <td>{fee.feeType}</td>
              <td>
                <TabLink to="/f/c/c" title={fee.number} query={{ id: fee.documentId }}>
                  {fee.number}
                </TabLink>
              </td>
              <td className="is-right">
                <Money amount={fee.amount} currency="CNY" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
