import type { Reply } from '#kit/contract/endpoint.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { DayText, Money, StoreName } from '#kit/web/cells/index.ts';
import type { drillProfit } from '../contract/report.ts';

/** What the pieces of each day cost, in CNY. */
export function Costs({ costs }: { costs: Reply<typeof drillProfit>['costs'] }) {
  return (
    <div className="line-table is-dense">
      <table aria-label="采购成本">
        <thead>
          <tr>
            <th>日期</th>
            <th>店铺</th>
            <th className="is-right">发货件数</th>
            <th className="is-right">采购单价</th>
            <th className="is-right">采购成本</th>
          </tr>
        </thead>
        <tbody>
          {costs.map((cost) => (
            <tr key={`${cost.day} ${cost.store.name} ${cost.store.country}`}>
              <td>
                <DayText day={cost.day} />
              </td>
              <td>
                <StoreName store={cost.store} />
              </td>
              <td className="is-right num">{formatInteger(cost.units)}</td>
              <td className="is-right">
                {cost.amount === null ? (
                  <span className="warning">缺成本</span>
                ) : cost.unitCost === null ? (
                  '成本调整'
                ) : (
                  <Money amount={cost.unitCost} currency="CNY" />
                )}
              </td>
              <td className="is-right">
                <Money amount={cost.amount} currency="CNY" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
