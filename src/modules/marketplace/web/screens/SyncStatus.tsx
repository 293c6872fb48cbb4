import { SearchOutlined } from '@ant-design/icons';
import { Button, Input, Select } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { REGION_NAMES, type Region } from '../../contract/marketplaces.ts';
import { listDead } from '../../contract/quarantine.ts';
import { type SyncMatrix, syncMatrix } from '../../contract/sync-matrix.ts';
import { DeadDrawer } from '../quarantine/DeadDrawer.tsx';
import { type Chosen, Matrix } from '../sync/Matrix.tsx';
import { StreamDrawer } from '../sync/StreamDrawer.tsx';
import '../store/store.css';
import '../sync/sync.css';

const EVERY = 10_000;

interface Filter {
  keyword: string;
  region?: Region | undefined;
  state?: 'late' | 'stopped' | undefined;
}

function Counts({ figures }: { figures: SyncMatrix['figures'] }) {
  const counts: [string, number, string][] = [
    ['数据流正常', figures.good, 'success'],
    ['延迟或重试', figures.late, figures.late > 0 ? 'warning' : ''],
    ['已停止', figures.stopped, figures.stopped > 0 ? 'danger' : ''],
    ['报表处理中', figures.openReports, ''],
    ['报表失败', figures.failedReports, figures.failedReports > 0 ? 'danger' : ''],
    ['回补中', figures.backfills, ''],
    ['24小时调用', figures.calls, ''],
    ['限流', figures.throttled, ''],
  ];
  return (
    <div className="stores-counts">
      {counts.map(([title, count, tone]) => (
        <span key={title} className={tone}>
          <b className="num">{formatInteger(count)}</b>
          {title}
        </span>
      ))}
    </div>
  );
}

function Filters({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) {
  const label = (text: string) => <span className="filter-label">{text}</span>;
  return (
    <div className="filter-bar">
      <Select
        size="small"
        style={{ width: 120 }}
        prefix={label('区域')}
        placeholder="全部"
        aria-label="区域"
        allowClear
        options={Object.entries(REGION_NAMES).map(([value, title]) => ({ value: value as Region, label: title }))}
        onChange={(region?: Region) => onChange({ ...filter, region })}
      />
      <Select
        size="small"
        style={{ width: 150 }}
        prefix={label('状态')}
        placeholder="全部"
        aria-label="状态"
        allowClear
        options={[
          { value: 'late' as const, label: '延迟或重试' },
          { value: 'stopped' as const, label: '已停止' },
        ]}
        onChange={(state?: 'late' | 'stopped') => onChange({ ...filter, state })}
      />
      <Input
        size="small"
        style={{ width: 230 }}
        prefix={<SearchOutlined className="text3" />}
        placeholder="店铺名、卖家 ID"
        aria-label="店铺名、卖家 ID"
        allowClear
        value={filter.keyword}
        onChange={(event) => onChange({ ...filter, keyword: event.target.value })}
      />
    </div>
  );
}

/** 同步监控: every store and every stream, how fresh each is, and what stands still. */
export default function SyncStatus() {
  const { active } = useTab();
  const [filter, setFilter] = useState<Filter>({ keyword: '' });
  const [chosen, setChosen] = useState<Chosen>();
  const [dead, setDead] = useState(false);
  const failed = useCall(listDead, {}, { every: active ? EVERY : false }).data?.length ?? 0;
  const query = { ...filter, keyword: filter.keyword.trim() || undefined };
  const { data, error, refetch } = useCall(
    syncMatrix,
    { query },
    { every: active ? EVERY : false, staleTime: 0, keep: true },
  );
  const filtered = query.keyword !== undefined || filter.region !== undefined || filter.state !== undefined;
  return (
    <div className="page-list">
      <ListHead title="同步监控" tabs={data ? <Counts figures={data.figures} /> : null}>
        <Button danger={failed > 0} onClick={() => setDead(true)}>
          失败任务 {formatInteger(failed)}
        </Button>
      </ListHead>
      <Filters filter={filter} onChange={setFilter} />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && data.accounts.length > 0 && <Matrix matrix={data} chosen={chosen} onOpen={setChosen} />}
      {data && data.accounts.length === 0 && (
        <Empty
          title={filtered ? '没有符合条件的账号' : '还没有授权的店铺'}
          text={filtered ? undefined : '在「店铺管理」授权店铺后，每条数据流的进度显示在这里。'}
        />
      )}
      <StreamDrawer chosen={active ? chosen : undefined} onClose={() => setChosen(undefined)} />
      <DeadDrawer open={active && dead} onClose={() => setDead(false)} />
    </div>
  );
}
