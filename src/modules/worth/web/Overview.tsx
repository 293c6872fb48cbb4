import { formatInteger, formatMoney } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { type Figure, FigureLine } from '#kit/web/cards/Figures.tsx';
import { Tag, When } from '#kit/web/cells/index.ts';
import { type FilterValue, useFilter } from '#kit/web/list/index.ts';
import { Proof } from '#kit/web/proof/Proof.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Banner } from '#kit/web/states/index.ts';
import { COST, Stage, type WorthFilter } from '../contract/fields.ts';
import { worthSummary } from '../contract/worth.ts';
import { Trend } from './Trend.tsx';
import './worth.css';

const TITLES = Stage.meta()?.states ?? {};

/** What the whole filter is worth on the day, by stage; whether that is complete, and whether the ledger says the same. */
export function Overview({ filter }: { filter: FilterValue }) {
  const { data } = useCall(worthSummary, { body: { filter: filter as WorthFilter } }, { keep: true });
  const seesCost = useAllowed(COST);
  const put = useFilter();
  const worth = (net: string | null | undefined) => (net ? formatMoney(net, 'CNY') : '—');
  const figures = data?.known
    ? [
        {
          key: 'all',
          label: data.uncostedSkus > 0 ? '净值（不完整）' : '净值',
          value: seesCost ? worth(data.all.net) : formatInteger(data.all.qty),
          hint: seesCost ? `${formatInteger(data.all.qty)} 件 · 减值 ${worth(data.all.reserve)}` : '件',
        },
        ...data.stages.map(
          ({ stage, qty, net }): Figure => ({
            key: stage,
            label: TITLES[stage]?.title ?? stage,
            value: seesCost ? worth(net) : formatInteger(qty),
            hint: `${formatInteger(qty)} 件`,
          }),
        ),
      ]
    : undefined;
  if (data && !data.known) return data.day ? <Banner>{data.day} 当日无库存快照</Banner> : null;
  return (
    <div className="worth-overview">
      {data && data.uncostedSkus > 0 && (
        <Banner>
          {data.uncostedSkus} 个SKU未维护成本，货值不完整，{' '}
          <button type="button" className="link" onClick={() => put('uncosted', 'true')}>
            查看未核价
          </button>
        </Banner>
      )}
      {data && data.missingStocks > 0 && <Banner>{data.missingStocks} 个FBA库存当日无快照，货值不完整</Banner>}
      <FigureLine figures={figures} />
      {data?.day && (
        <div className="worth-day">
          <span>截至 {data.day}</span>
          {data.frozen && <Tag tone="done" title="已冻结" />}
          {data.madeAt && (
            <span className="label">
              更新于 <When at={data.madeAt} />
            </span>
          )}
          <span className="spring" />
          {data.proof?.here && data.proof.ledger && (
            <Proof
              total={data.proof.here}
              lines={data.proof.ledger}
              currency="CNY"
              text="自有仓库货值与库存账一致"
              off="自有仓库货值与库存账不一致"
            />
          )}
        </div>
      )}
      {seesCost && data?.day && <Trend filter={filter} to={data.day} onPick={(day) => put('day', day)} />}
    </div>
  );
}
