import { Button, Select } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { download, useCall, useSend } from '#kit/web/api/index.ts';
import { CardsPage } from '#kit/web/cards/index.ts';
import { State, When } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import {
  exportPerformance,
  getPerformance,
  MetricState,
  performanceSites,
  Standing,
} from '../../contract/performance.ts';
import { requestReport } from '../../contract/sync.ts';
import { AlertDialog } from '../performance/AlertDialog.tsx';
import { Course } from '../performance/Course.tsx';
import { MetricList } from '../performance/MetricList.tsx';
import '../performance/performance.css';
import '../store/store.css';

const TYPE = 'GET_V2_SELLER_PERFORMANCE_REPORT';
const FIRST = 'orderDefectRate.mfn';
const YEAR = 365;

interface Place {
  groupid: string;
  marketplaceid: string;
}

function Board({ place }: { place: Place }) {
  const [chosen, setChosen] = useState(FIRST);
  const query = useCall(getPerformance, { query: place }, { keep: true });
  const metrics = query.data?.metrics ?? [];
  return (
    <>
      {(['service', 'policy', 'shipping'] as const).map((card) => (
        <MetricList key={card} card={card} metrics={metrics} query={query} chosen={chosen} onPick={setChosen} />
      ))}
      <Course site={place} metric={chosen} />
    </>
  );
}

function Head({ place, onAlert }: { place: Place; onAlert: () => void }) {
  const { data } = useCall(getPerformance, { query: place }, { keep: true });
  const refresh = useSend(requestReport, {
    refreshes: [getPerformance],
    onSuccess: () => notice.success('已申请绩效报告，几分钟后更新'),
  });
  return (
    <>
      {data && <State value={data.standing} states={Standing.meta()?.states} />}
      <span className="spring" />
      {data?.capturedAt && (
        <span className="fresh">
          数据更新于 <When at={data.capturedAt} />
        </span>
      )}
      <Allowed code="amz:report:run">
        <Button
          size="small"
          disabled={!data}
          loading={refresh.isPending}
          onClick={() => data && refresh.mutate({ query: { authid: data.authid, type: TYPE } })}
        >
          刷新
        </Button>
      </Allowed>
      <Allowed code="amz:performance:config">
        <Button size="small" onClick={onAlert}>
          设置预警
        </Button>
      </Allowed>
      <Allowed code="amz:performance:export">
        <Button size="small" onClick={() => void download(exportPerformance, { query: { ...place, days: YEAR } })}>
          导出
        </Button>
      </Allowed>
    </>
  );
}

/** 店铺绩效 (`site`: "storeId/marketplaceId"): how the marketplace judges a store's site, in three cards, and how that went day by day. */
export default function Performance() {
  const sites = useCall(performanceSites, {});
  const { address } = useTab();
  const [picked, setPicked] = useState(new URLSearchParams(address.split('?')[1]).get('site') ?? undefined);
  const [alerting, setAlerting] = useState(false);
  const states = MetricState.meta()?.states ?? {};
  const options = (sites.data ?? []).map((site) => ({
    value: `${site.groupid}/${site.marketplaceid}`,
    label: `${site.store} ${site.country}${['warning', 'bad'].includes(site.state) ? ` · ${states[site.state]?.title}` : ''}`,
  }));
  const value = picked ?? options[0]?.value;
  const [groupid, marketplaceid] = value?.split('/') ?? [];
  const place = groupid && marketplaceid ? { groupid, marketplaceid } : undefined;
  const filters = (
    <>
      <Select
        size="small"
        aria-label="店铺站点"
        style={{ width: 300 }}
        prefix={<span className="filter-label">店铺站点</span>}
        showSearch={{ optionFilterProp: 'label' }}
        options={options}
        value={value ?? null}
        onChange={setPicked}
      />
      {place && <Head place={place} onAlert={() => setAlerting(true)} />}
    </>
  );
  return (
    <>
      <CardsPage filters={filters}>
        {place && <Board key={value} place={place} />}
        {sites.isError && !sites.data && <ErrorState error={sites.error} onRetry={() => void sites.refetch()} />}
        {sites.data?.length === 0 && (
          <div style={{ gridColumn: '1 / -1' }}>
            <Empty title="还没有授权的站点" text="授权店铺后，每天自动获取一次绩效报告并保留历史。" />
          </div>
        )}
      </CardsPage>
      {alerting && <AlertDialog onClose={() => setAlerting(false)} />}
    </>
  );
}
