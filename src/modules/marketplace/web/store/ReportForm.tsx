import { Button, DatePicker, Select } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { reportTasks } from '../../contract/report-tasks.ts';
import type { AccountRow } from '../../contract/stores.ts';
import { reportTypes, requestReport } from '../../contract/sync.ts';

const DAY = 'YYYY-MM-DD';

/** 申请报告: a type, and the days where the type has some; says how far it reaches and how often it may be asked. */
export function ReportForm({ account }: { account: AccountRow }) {
  const [type, setType] = useState<string>();
  const [days, setDays] = useState<[Dayjs, Dayjs]>([dayjs().subtract(6, 'day'), dayjs()]);
  const types = useCall(reportTypes, {});
  const mayHurry = useAllowed('amz:report:adjust');
  const send = useSend(requestReport, {
    refreshes: [reportTasks],
    onSuccess: ({ message }) => notice.success(message),
  });
  const chosen = types.data?.find((one) => one.type === type);
  const ask = (ignore: boolean) => {
    if (!type) return;
    const range = chosen?.maxDays ? { start: days[0].format(DAY), end: days[1].format(DAY) } : {};
    send.mutate({
      query: { authid: account.authid, type, ...range, ...(ignore ? { ignore: 'true' as const } : {}) },
    });
  };
  const limits = chosen && [
    ...(chosen.listed ? ['由亚马逊自动生成，将立即拉取列表'] : []),
    ...(chosen.maxDays ? [`单次最多 ${chosen.maxDays} 天`] : []),
    ...(chosen.listed ? [] : [`间隔 ${chosen.intervalMin} 分钟`]),
  ];
  return (
    <div className="report-form">
      <Select
        size="small"
        aria-label="报表类型"
        placeholder="选择报表类型"
        showSearch={{ optionFilterProp: 'label' }}
        options={(types.data ?? []).map((one) => ({ value: one.type, label: `${one.title} ${one.type}` }))}
        popupMatchSelectWidth={false}
        {...(type === undefined ? {} : { value: type })}
        onChange={setType}
      />
      {chosen?.maxDays && !chosen.listed && (
        <DatePicker.RangePicker
          size="small"
          allowClear={false}
          value={days}
          maxDate={dayjs()}
          onChange={(next) => {
            if (next?.[0] && next[1]) setDays([next[0], next[1]]);
          }}
        />
      )}
      <Button size="small" disabled={!type} loading={send.isPending} onClick={() => ask(false)}>
        申请
      </Button>
      {mayHurry && chosen && !chosen.listed && (
        <button type="button" className="link" onClick={() => ask(true)}>
          忽略间隔
        </button>
      )}
      {limits && <span className="text3">{limits.join(' · ')}</span>}
    </div>
  );
}
