import { useCall } from '#kit/web/api/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { bindSeller } from '../../contract/stores.ts';
import { listUsage, UsageFilter, UsageRow } from '../../contract/usage.ts';
import { UsageCharts } from '../api/UsageCharts.tsx';
import { accountsOf } from '../store/health.ts';

const DEFAULTS = { period: 'day' };

/** 接口用量: what each store uses of what Amazon allows, by operation. */
export default function ApiUsage() {
  const seesStores = useAllowed('amz:store:view');
  const stores = useCall(bindSeller, {}, { enabled: seesStores });
  const tab = useTab();
  return (
    <ListScreen
      name="marketplace/apiUsage"
      title="接口用量"
      unit="项"
      endpoint={listUsage}
      row={UsageRow}
      filter={UsageFilter}
      defaults={DEFAULTS}
      options={{
        authid: accountsOf(stores.data?.stores ?? []).map(({ authid, gname }) => ({ value: authid, label: gname })),
      }}
      density="dense"
      above={(filter) => <UsageCharts filter={filter} />}
      onOpen={({ id, operation }) =>
        tab.open('/amazon/apiLog', {
          title: '接口日志',
          query: { 'f.authid': id.split(' ')[0], 'f.operation': operation },
        })
      }
      empty={
        <Empty title="还没有接口调用" text="授权店铺后，各店铺、各操作的调用次数与限速余量显示在这里，保留 14 天。" />
      }
      note="点击一行查看这些调用的日志"
    />
  );
}
