import './today.css';
import { type ReactNode, useMemo, useState } from 'react';
import { round } from '#kit/contract/decimal.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Country, Money, Trend } from '#kit/web/cells/index.ts';
import { Legend, type LegendItem, LineTrend, type TrendSeries } from '#kit/web/charts/index.ts';
import type { FilterValue } from '#kit/web/list/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { type TodayFilter, type TodaySite, todayCurve, todaySummary } from '../contract/today.ts';

const REFRESH_MS = 60_000;

function Versus({
  site,
  change,
  base,
  label,
}: {
  site: TodaySite;
  change: string | null;
  base: number;
  label: string;
}) {
  const title = `截至 ${site.closedTime}：${site.closedUnits} 件，对比 ${base} 件`;
  return (
    <span className="today-versus" title={title}>
      <span className="label">{label}</span>
      {change === null && site.closedUnits === 0 ? (
        <span className="text3">—</span>
      ) : (
        <Trend change={change} good="up" />
      )}
    </span>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="today-line">
      <span className="label">{label}</span>
      <span className="num">{children}</span>
    </span>
  );
}

/** The day so far of one marketplace, by its own clock. */
function SiteCard({ site, chosen, onChoose }: { site: TodaySite; chosen: boolean; onChoose: () => void }) {
  return (
    <button type="button" className={`today-card${chosen ? ' is-on' : ''}`} aria-pressed={chosen} onClick={onChoose}>
      <span className="today-head">
        <Country code={site.country} />
        <b>{site.name}</b>
        <span className="spring" />
        <span className="label num">站点时间 {site.localTime.slice(5)}</span>
      </span>
      <span className="today-figures">
        <span className="figure-value">{formatInteger(site.units)} 件</span>
        <Line label="订单">{formatInteger(site.orders)}</Line>
        <Line label="每单件数">{site.unitsPerOrder === null ? '—' : round(site.unitsPerOrder, 2)}</Line>
        <Line label="预计全天">{site.projection === null ? '—' : formatInteger(site.projection)}</Line>
      </span>
      <span className="today-figures">
        <Line label="销售额">
          <Money amount={site.productSales} currency={site.currency} />
        </Line>
        {site.estimated !== null && Number(site.estimated) > 0 && (
          <Line label="含预估">
            <Money amount={site.estimated} currency={site.currency} />
          </Line>
        )}
        <Line label="件均价">
          <Money amount={site.averagePrice} currency={site.currency} />
        </Line>
      </span>
      <span className="today-figures">
        <Versus site={site} change={site.vsYesterday} base={site.yesterdayUnits} label="较昨日同时段" />
        <Versus site={site} change={site.vsLastWeek} base={site.lastWeekUnits} label="较上周同日" />
      </span>
    </button>
  );
}

const LEGEND: LegendItem[] = [{ name: '今日' }, { name: '昨日' }, { name: '上周同日', line: 'dashed' }];

const FOLDED = 'today:curve-folded';
/** On a low screen the rows below need the place more than the curve does. */
const curveHeight = () => (window.innerHeight < 860 ? 96 : 150);

function Curve({ site, filter }: { site: TodaySite; filter: TodayFilter }) {
  const [folded, setFolded] = useState(() => localStorage.getItem(FOLDED) === 'yes');
  const fold = (next: boolean) => {
    localStorage.setItem(FOLDED, next ? 'yes' : 'no');
    setFolded(next);
  };
  const { data, isError, error, refetch } = useCall(
    todayCurve,
    { body: { marketplaceId: site.marketplaceId, filter } },
    { keep: true, every: REFRESH_MS },
  );
  const series = useMemo<TrendSeries[]>(
    () =>
      data
        ? [
            { name: '今日', values: data.today },
            { name: '昨日', values: data.yesterday },
            { name: '上周同日', values: data.lastWeek, role: 'previous' },
          ]
        : [],
    [data],
  );
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <section className="today-curve" aria-label="半小时销量走势">
      <header>
        <b>{site.name} 半小时销量</b>
        <span className="label">站点时间 · 截至 {site.closedTime}</span>
        <span className="spring" />
        {!folded && <Legend items={LEGEND} />}
        <button type="button" className="link" aria-expanded={!folded} onClick={() => fold(!folded)}>
          {folded ? '展开走势' : '收起走势'}
        </button>
      </header>
      {data && !folded && (
        <LineTrend labels={data.slots} series={series} label={`${site.name} 半小时销量`} height={curveHeight()} />
      )}
    </section>
  );
}

/** One card per marketplace, and the curve of the one that is chosen. */
export function TodayBoard({ filter }: { filter: FilterValue }) {
  const [chosen, setChosen] = useState<string>();
  const asked = filter as TodayFilter;
  const { data, isError, error, refetch } = useCall(
    todaySummary,
    { body: { filter: asked } },
    { keep: true, every: REFRESH_MS },
  );
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="today-board" aria-busy="true" />;
  const site = data.sites.find((each) => each.marketplaceId === chosen) ?? data.sites[0];
  if (!site) return null;
  return (
    <div className="today-board">
      <div className="today-cards">
        {data.sites.map((each) => (
          <SiteCard
            key={each.marketplaceId}
            site={each}
            chosen={each === site}
            onChoose={() => setChosen(each.marketplaceId)}
          />
        ))}
      </div>
      <Curve site={site} filter={asked} />
    </div>
  );
}
