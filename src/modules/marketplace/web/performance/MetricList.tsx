import type { UseQueryResult } from '@tanstack/react-query';
import { formatInteger, formatPercent } from '#kit/contract/format.ts';
import { Card } from '#kit/web/cards/index.ts';
import { Tag } from '#kit/web/cells/index.ts';
import { CARD_TITLES, type MetricCard, MetricState, type ShownMetric } from '../../contract/performance.ts';

const STATES = MetricState.meta()?.states ?? {};

/** The value as people read it: 0.85 %, 3, 1,000. */
export function metricText({ kind, value, amazon }: Pick<ShownMetric, 'kind' | 'value' | 'amazon'>): string {
  if (value === null || (kind === 'rate' && amazon === 'NONE')) return '—';
  return kind === 'rate' ? formatPercent(value) : formatInteger(Number(value));
}

function targetText({ kind, target, condition }: ShownMetric): string | undefined {
  if (kind !== 'rate' || target === null || condition === null) return undefined;
  return `目标 ${condition === 'LESS_THAN' ? '低于' : '高于'} ${formatPercent(target)}`;
}

function detailOf(metric: ShownMetric): string {
  const { orders, part, from, to, kind } = metric;
  const parts = [
    targetText(metric),
    orders === null ? undefined : `${part === null ? '' : `${formatInteger(part)} / `}${formatInteger(orders)} 单`,
    from && to ? `${from.slice(5)} 至 ${to.slice(5)}` : undefined,
  ];
  return kind === 'rate' ? parts.filter((one) => one !== undefined).join(' · ') : '';
}

interface RowProps {
  metric: ShownMetric;
  on: boolean;
  onPick: () => void;
}

function Row({ metric, on, onPick }: RowProps) {
  const state = STATES[metric.state];
  const detail = detailOf(metric);
  return (
    <button
      type="button"
      className={`health-row${on ? ' is-on' : ''}${detail ? '' : ' is-slim'}`}
      aria-pressed={on}
      title="查看走势"
      onClick={onPick}
    >
      <span>{metric.title}</span>
      <b className="num">{metricText(metric)}</b>
      <Tag tone={state?.tone ?? 'off'} title={state?.title ?? ''} />
      {detail && <span className="text3">{detail}</span>}
    </button>
  );
}

interface Props {
  card: MetricCard;
  metrics: readonly ShownMetric[];
  query: Pick<UseQueryResult, 'isError' | 'error' | 'isPending' | 'isFetching' | 'refetch'>;
  chosen: string;
  onPick: (key: string) => void;
}

/** One of the three cards; a figure opens its course. */
export function MetricList({ card, metrics, query, chosen, onPick }: Props) {
  return (
    <Card title={CARD_TITLES[card]} span={4} query={query}>
      <div className="health-list">
        {metrics
          .filter((metric) => metric.card === card)
          .map((metric) => (
            <Row key={metric.key} metric={metric} on={metric.key === chosen} onPick={() => onPick(metric.key)} />
          ))}
      </div>
    </Card>
  );
}
