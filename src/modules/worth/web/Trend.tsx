import dayjs from 'dayjs';
import { useMemo } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Stacks } from '#kit/web/charts/index.ts';
import type { FilterValue } from '#kit/web/list/index.ts';
import { Stage, type WorthFilter } from '../contract/fields.ts';
import { worthTrend } from '../contract/worth.ts';

const CNY = { kind: 'money', currency: 'CNY' } as const;
const DAYS = 60;
const TITLES = Stage.meta()?.states ?? {};

interface Props {
  filter: FilterValue;
  /** The last day. */
  to: string;
  onPick: (day: string) => void;
}

/** Net value by stage over the last 60 days; a day that is not known has no bar and says so. */
export function Trend({ filter, to, onPick }: Props) {
  const from = dayjs(to)
    .subtract(DAYS - 1, 'day')
    .format('YYYY-MM-DD');
  const { day: _, ...rest } = filter as WorthFilter;
  const { data } = useCall(worthTrend, { body: { from, to, filter: rest } }, { keep: true });
  const { labels, stacks } = useMemo(() => {
    const days = data ?? [];
    const found = Stage.options.filter((stage) => days.some((one) => one.stages.some((part) => part.stage === stage)));
    return {
      labels: days.map(({ day, known }) => (known ? day.slice(5) : `${day.slice(5)} 无快照`)),
      stacks: found.map((stage) => ({
        name: TITLES[stage]?.title ?? stage,
        values: days.map(({ stages }) => stages.find((part) => part.stage === stage)?.net ?? null),
      })),
    };
  }, [data]);
  if (stacks.length === 0) return null;
  return (
    <div className="worth-trend">
      <Stacks
        label="库存货值走势"
        labels={labels}
        stacks={stacks}
        measure={CNY}
        height={200}
        onPick={(index) => {
          const day = data?.[index];
          if (day?.known) onPick(day.day);
        }}
      />
    </div>
  );
}
