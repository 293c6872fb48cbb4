import { useMemo, useState } from 'react';
import { dayAfter } from '#kit/contract/day.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Picture } from '#kit/web/cells/index.ts';
import { Legend, LineTrend } from '#kit/web/charts/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { PLATFORMS, type Platform } from '../contract/fields.ts';
import { type Bundles, VolumeDay, volumeDays } from '../contract/volume.ts';

type Days = Reply<typeof volumeDays>;

/** Units a day by platform over the whole span: a day on which nothing was sold is 0. */
function Course({ from, to, days }: Days) {
  const { labels, series } = useMemo(() => {
    const all: string[] = [];
    for (let day = from; day < to; day = dayAfter(day, 1)) all.push(day);
    const byPlatform = Map.groupBy(days, ({ platform }) => platform);
    const lines = [...byPlatform].map(([platform, some]) => {
      const units = new Map(some.map((one) => [one.day, one.units]));
      return { name: PLATFORMS[platform], values: all.map((day) => units.get(day) ?? '0') };
    });
    return { labels: all.map((day) => day.slice(5)), series: lines };
  }, [from, to, days]);
  return (
    <div className="drawer-section">
      <Legend items={series.map(({ name }) => ({ name }))} />
      <LineTrend labels={labels} series={series} label="近90天走势" height={240} />
    </div>
  );
}

interface Props {
  id: string | undefined;
  bundles: Bundles;
  onClose: () => void;
}

/** One product: its last ninety days by platform, as sold and out of bundles. */
export function VolumeDrawer({ id, bundles, onClose }: Props) {
  const [platform, setPlatform] = useState<Platform | 'all'>('all');
  const { data, isError, error, refetch } = useCall(
    volumeDays,
    { params: { id: id ?? '' }, query: { bundles } },
    { enabled: id !== undefined, keep: true },
  );
  const platforms = [...new Set(data?.days.map((one) => one.platform))];
  const chosen = platform !== 'all' && platforms.includes(platform) ? platform : 'all';
  const shown = data?.days.filter((one) => chosen === 'all' || one.platform === chosen) ?? [];
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={data?.product.name || data?.product.code || 'ERP销量'}
      subtitle={data?.product.code}
      picture={<Picture src={data?.product.image} size={28} />}
      tabs={[{ key: 'all', title: '全部平台' }, ...platforms.map((one) => ({ key: one, title: PLATFORMS[one] }))]}
      tab={chosen}
      onTab={(key) => setPlatform(platforms.find((one) => one === key) ?? 'all')}
    >
      {isError && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <Course {...data} days={shown} />
          <LineTable
            label="每天销量"
            row={VolumeDay}
            rows={shown}
            rowId={(row) => `${row.day} ${row.platform}`}
            none="近90天没有销量"
          />
        </>
      )}
    </DetailDrawer>
  );
}
