import { Button } from 'antd';
import { lastDayOf } from '#kit/contract/day.ts';
import { useCall } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { filterFields, filterQuery } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { VIEW as PROFIT, ProfitFilter } from '#modules/profit/contract/report.ts';
import { EDIT, PerformanceMonth, type PerformanceRow, performanceMonths } from '../contract/report.ts';
import type { PersonOption } from './TargetDialog.tsx';

interface Props {
  row: PerformanceRow | undefined;
  /** Months "yyyy-MM" of the list. */
  from: string;
  to: string;
  onClose: () => void;
  onAim: (person: PersonOption) => void;
}

/** What it is about stays in sight. */
const PINNED = { commission: { pinned: 'right' } } as const;
const FIELDS = filterFields(ProfitFilter);

/** 月度业绩: a person's months with figures, target and commission. */
export function PersonDrawer({ row, from, to, onClose, onAim }: Props) {
  const [mayEdit, mayProfit] = [useAllowed(EDIT), useAllowed(PROFIT)];
  const { data, isError, error, refetch } = useCall(
    performanceMonths,
    { body: { person: row?.id ?? 'none', from, to } },
    { enabled: row !== undefined, keep: true },
  );
  const query = filterQuery(FIELDS, { dimension: 'owner', date: { from: `${from}-01`, to: lastDayOf(to) } });
  return (
    <DetailDrawer
      open={row !== undefined}
      onClose={onClose}
      title={row?.name ?? ''}
      subtitle={row?.department}
      scope={`${from === to ? from : `${from} 至 ${to}`} · 按当日负责人 · CNY`}
      extra={
        mayEdit &&
        row &&
        row.id !== 'none' && (
          <Button size="small" onClick={() => onAim({ value: row.id, label: row.name })}>
            设置目标
          </Button>
        )
      }
      foot={
        mayProfit && (
          <TabLink to="/finance/profitReport" title="利润报表" query={query}>
            在利润报表按负责人查看
          </TabLink>
        )
      }
    >
      {isError && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!isError && (
        <LineTable
          label="月度业绩"
          row={PerformanceMonth}
          rows={data?.months}
          rowId={({ month }) => month}
          columns={PINNED}
          {...(data ? { totals: data.row } : {})}
          none="这段时间没有业绩"
        />
      )}
    </DetailDrawer>
  );
}
