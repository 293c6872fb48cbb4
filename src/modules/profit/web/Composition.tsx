import { Decimal } from '#kit/contract/decimal.ts';
import { Money, Percent, ProgressBar } from '#kit/web/cells/index.ts';
import { Waterfall } from '#kit/web/charts/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import type { ProfitRow } from '../contract/report.ts';
import { compositionOf, type DrillKey, waterfallOf } from './composition.ts';

function Bar({ share }: { share: string | null }) {
  const width = share === null ? 0 : Math.min(100, new Decimal(share).abs().times(100).toNumber());
  return (
    <span className="share-bar" aria-hidden="true">
      <i style={{ width: `${width}%` }} />
    </span>
  );
}

function Heads({ row }: { row: ProfitRow }) {
  const seesCost = useAllowed('fin:cost:view');
  return (
    <dl className="profit-figures">
      <div>
        <dt>{seesCost ? '毛利润' : 'SKU结算'}</dt>
        <dd>
          <Money amount={seesCost ? row.profit : row.platformNet} currency={row.currency} good="up" />
        </dd>
      </div>
      {seesCost && (
        <>
          <div>
            <dt>毛利率</dt>
            <dd>
              <Percent value={row.margin} good="up" />
            </dd>
          </div>
          <div>
            <dt>ROI</dt>
            <dd>
              <Percent value={row.roi} good="up" />
            </dd>
          </div>
        </>
      )}
      {row.settledShare !== null && (
        <div className="profit-settled">
          <dt>{Number(row.settledShare) < 1 ? '已结算，其余为预估' : '全部已结算'}</dt>
          <dd>
            <ProgressBar percent={Number(row.settledShare) * 100} />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** Pieces without a cost make the profit look too good: said where the profit is shown. */
function MissingCost({ row }: { row: ProfitRow }) {
  const seesCost = useAllowed('fin:cost:view');
  if (!seesCost || row.costMissing === 0) return null;
  return (
    <div className="profit-missing">
      <span className="report-doubt is-warning">
        {row.costMissing} 件缺少采购成本，毛利润偏高
        <TabLink to="/product/cost" title="采购成本" query={{ 'f.state': 'missing' }}>
          去补录
        </TabLink>
      </span>
    </div>
  );
}

/** 利润构成: the way from the sales to the profit as a picture, and every amount in a line that opens. */
export function Composition({ row, onOpen }: { row: ProfitRow; onOpen: (key: DrillKey) => void }) {
  if (row.fxMissing) return <div className="line-table-none">缺少 {row.currency} 汇率，无法折算</div>;
  const lines = compositionOf(row);
  const steps = waterfallOf(row);
  const pick = (index: number) => {
    const key = steps[index]?.opens;
    if (key) onOpen(key);
  };
  return (
    <>
      <Heads row={row} />
      <MissingCost row={row} />
      <div className="profit-chart">
        <Waterfall steps={steps} currency={row.currency} label="利润构成" height={240} onPick={pick} />
      </div>
      <div className="line-table is-dense">
        <table aria-label="利润构成明细">
          <thead>
            <tr>
              <th>费用</th>
              <th>说明</th>
              <th className="is-right">金额</th>
              <th className="is-right">占销售额</th>
              <th />
              <th>来源</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.key}>
                <td>{line.title}</td>
                <td className="text3">{line.note}</td>
                <td className="is-right">
                  <Money amount={line.amount} currency={row.currency} />
                </td>
                <td className="is-right">
                  <Percent value={line.share} />
                </td>
                <td>
                  <Bar share={line.share} />
                </td>
                <td>
                  <button type="button" className="link" onClick={() => onOpen(line.key)}>
                    {line.source}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
