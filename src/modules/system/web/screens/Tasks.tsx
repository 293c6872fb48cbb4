import { Segmented } from 'antd';
import { useState } from 'react';
import { useTab } from '#kit/web/tabs/scope.ts';
import { JobList } from '../JobList.tsx';
import { ScheduleList } from '../ScheduleList.tsx';

const TABS = { jobs: '长任务', schedules: '定时任务' } as const;
type Tab = keyof typeof TABS;

function tabOf(address: string): Tab {
  return new URLSearchParams(address.split('?')[1] ?? '').get('tab') === 'jobs' ? 'jobs' : 'schedules';
}

/** 任务: what runs by the clock, and what somebody started. */
export default function Tasks() {
  const { address } = useTab();
  const [tab, setTab] = useState<Tab>(() => tabOf(address));
  const kinds = (
    <Segmented
      aria-label="任务种类"
      value={tab}
      onChange={setTab}
      options={(['schedules', 'jobs'] as const).map((value) => ({ value, label: TABS[value] }))}
    />
  );
  return tab === 'jobs' ? <JobList kinds={kinds} /> : <ScheduleList kinds={kinds} />;
}
