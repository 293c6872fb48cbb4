import { useMemo } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Picture } from '#kit/web/cells/index.ts';
import { Legend, LineTrend, type Measure, type TrendSeries } from '#kit/web/charts/index.ts';
import { DetailDrawer as Drawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { type DetailFilter, type DetailRow, detailSeries } from '../contract/details.ts';
import { drillOf } from './drill.ts';

interface Props {
  filter: DetailFilter;
  row: DetailRow | undefined;
  measure: string;
  onClose: () => void;
  onPrev?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
}

const ORDERS = '/amazon/sale/order/list';

/** One row of the pivot by period, beside what it is held against; a period opens its orders. */
export function DetailDrawer({ filter, row, measure, onClose, onPrev, onNext }: Props) {
  const tab = useTab();
  const { data, isError, error, refetch } = useCall(
    detailSeries,
    { body: { filter, key: row?.id ?? '' } },
    { enabled: row !== undefined, keep: true },
  );
  const drawn = useMemo(() => {
    if (!data) return undefined;
    const unit: Measure =
      data.kind === 'money' ? { kind: 'money', currency: data.currency ?? '' } : { kind: 'integer' };
    const series: TrendSeries[] = [{ name: measure, values: data.points.map(({ now }) => now), measure: unit }];
    if (data.points.some(({ before }) => before !== null)) {
      series.push({ name: '对比期', values: data.points.map(({ before }) => before), measure: unit, role: 'previous' });
    }
    const open = data.points.at(-1)?.partial ? 1 : 0;
    return {
      labels: data.points.map(({ title }) => title),
      series,
      unfinished: open,
      events: data.points.filter(({ out }) => out).map(({ title }) => ({ from: title, to: title, name: '断货' })),
    };
  }, [data, measure]);
  const drill = row && drillOf(filter, row.id);
  const orders = (from: string, to: string) => ({ ...drill?.query, 'f.dates': `${from}~${to}` });
  const [first, last] = [data?.points[0], data?.points.at(-1)];
  const pick = (index: number) => {
    const point = data?.points[index];
    if (point && drill?.path === ORDERS) tab.open(ORDERS, { title: '订单列表', query: orders(point.from, point.to) });
  };
  return (
    <Drawer
      open={row !== undefined}
      onClose={onClose}
      title={row?.product.name || row?.product.code || '销量详情'}
      subtitle={row?.product.code}
      {...(row?.product.image ? { picture: <Picture src={row.product.image} size={28} /> } : {})}
      onPrev={onPrev}
      onNext={onNext}
      stepLabel="切换行"
      {...(drill && first && last
        ? {
            extra: (
              <TabLink to={drill.path} title={drill.title} query={orders(first.from, last.to)}>
                {drill.word}
              </TabLink>
            ),
          }
        : {})}
    >
      {isError && <ErrorState error={error} onRetry={() => void refetch()} />}
      {drawn && (
        <div className="drawer-section">
          <Legend items={drawn.series.map(({ name, role }) => (role ? { name, line: 'dashed' as const } : { name }))} />
          <LineTrend {...drawn} label={`${measure}走势`} height={300} onPick={pick} />
          <p className="label sales-note">
            {drill?.path === ORDERS && '点击一个周期查看其订单。'}
            {drawn.events.length > 0 && '灰色为有断货日的周期（按每日FBA可售库存）。'}
          </p>
        </div>
      )}
    </Drawer>
  );
}
