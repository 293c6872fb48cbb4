import { DatePicker, Modal, Select } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Waterfall } from '#kit/web/charts/index.ts';
import type { FilterValue } from '#kit/web/list/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { GroupBy, type WorthFilter } from '../contract/fields.ts';
import { DiffRow, worthDiff, worthTrend } from '../contract/worth.ts';
import './worth.css';

const CHANGES = [
  ['quantity', '数量影响'],
  ['cost', '成本影响'],
  ['fresh', '新增'],
  ['gone', '减少'],
  ['writeDown', '减值变动'],
] as const;
const GROUPS = GroupBy.options.map((value) => ({ value, label: GroupBy.meta()?.states?.[value]?.title ?? value }));

interface Props {
  filter: FilterValue;
  onClose: () => void;
}

/** 两日差异: what made the net value of one day that of another. */
export function DiffDialog({ filter, onClose }: Props) {
  const last = (filter as WorthFilter).day ?? dayjs().format('YYYY-MM-DD');
  const monthEnd = dayjs(last).startOf('month').subtract(1, 'day').format('YYYY-MM-DD');
  const [chosen, setFrom] = useState<string>();
  const [to, setTo] = useState(last);
  const [by, setBy] = useState<GroupBy>('STAGE');
  const { day: _, ...rest } = filter as WorthFilter;
  // Worth is known from some day on: the first day of all that is asked about, where the month's end is before it.
  const { data: days } = useCall(worthTrend, { body: { from: monthEnd, to: last, filter: {} } });
  const firstKnown = days?.find(({ known }) => known)?.day;
  const from = chosen ?? firstKnown ?? monthEnd;
  const { data, isError, error, refetch } = useCall(
    worthDiff,
    { body: { from, to, by, filter: rest } },
    { enabled: chosen !== undefined || days !== undefined, keep: true },
  );
  return (
    <Modal title="两日差异" open width={1080} footer={null} onCancel={onClose}>
      <div className="worth-bar">
        <DatePicker.RangePicker
          aria-label="期初与期末"
          allowClear={false}
          value={[dayjs(from), dayjs(to)]}
          onChange={(days) => {
            if (!days?.[0] || !days[1]) return;
            setFrom(days[0].format('YYYY-MM-DD'));
            setTo(days[1].format('YYYY-MM-DD'));
          }}
        />
        <Select aria-label="分组" style={{ width: 150 }} options={GROUPS} value={by} onChange={setBy} />
      </div>
      {isError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          {data && (
            <Waterfall
              label="净值变动"
              currency="CNY"
              height={220}
              steps={[
                { name: '期初净值', amount: data.total.before ?? '0', kind: 'total' },
                ...CHANGES.map(([key, name]) => ({ name, amount: data.total[key] ?? '0', kind: 'change' as const })),
                { name: '期末净值', amount: data.total.after ?? '0', kind: 'total' },
              ]}
            />
          )}
          <LineTable label="差异明细" row={DiffRow} rows={data?.rows} {...(data ? { totals: data.total } : {})} />
        </>
      )}
    </Modal>
  );
}
