import { formatPercent } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Card } from '#kit/web/cards/index.ts';
import { Percent, State, StoreName } from '#kit/web/cells/index.ts';
import { MetricState } from '#modules/marketplace/contract/performance.ts';
import { performance, type ShopMetric } from '../../contract/cards.ts';
import { useLinks } from '../links.ts';
import type { CardProps } from './props.ts';

const STATES = MetricState.meta()?.states;
const TONES: Partial<Record<MetricState, string>> = { bad: 'danger', warning: 'warning' };

/** What the report asks for, e.g. <1 %. */
function targetOf({ target, condition }: ShopMetric): string {
  if (target === null) return '';
  return `目标 ${condition === 'GREATER_THAN' ? '>' : '<'}${formatPercent(target)}`;
}

function Metric({ metric }: { metric: ShopMetric }) {
  return (
    <span className="home-metric" title={targetOf(metric)}>
      <span className="label">{metric.title}</span>
      <span className={TONES[metric.state]}>
        <Percent value={metric.value} />
      </span>
      <span className="label">{targetOf(metric)}</span>
    </span>
  );
}

/** How the marketplace judges each site, the worst first; a site opens its page. */
export function Shops({ filter }: CardProps) {
  const links = useLinks(filter);
  const query = useCall(performance, { body: { filter } }, { keep: true });
  const { data } = query;
  const watched = data?.sites.filter(({ state }) => state === 'bad' || state === 'warning').length ?? 0;
  return (
    <Card
      title="店铺绩效"
      scope={data && `${data.sites.length} 个站点${watched > 0 ? ` · ${watched} 个需关注` : ''}`}
      query={query}
    >
      {data === null && <div className="card-state">无查看店铺绩效的权限</div>}
      {data?.sites.length === 0 && <div className="card-state">还没有授权的站点</div>}
      <ul className="card-list is-lined is-scrolled home-shops">
        {data?.sites.map((site) => (
          <li key={`${site.accountId} ${site.marketplaceId}`}>
            <div className="home-account">
              <button
                type="button"
                className="drill"
                onClick={() => links.performance(site.storeId, site.marketplaceId)}
              >
                <StoreName store={site.store} />
              </button>
              <span className="spring" />
              {site.violations !== null && (
                <span className={site.violations > 0 ? 'danger' : 'label'}>政策违规 {site.violations}</span>
              )}
              <State value={site.state} states={STATES} />
            </div>
            <div className="home-metrics">
              {site.metrics.map((metric) => (
                <Metric key={metric.key} metric={metric} />
              ))}
              {site.metrics.length === 0 && <span className="label">还没有绩效报告</span>}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
