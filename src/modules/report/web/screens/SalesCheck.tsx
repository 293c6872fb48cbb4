import { useState } from 'react';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { CheckFilter, CheckRow, countChecks, salesCheck } from '../../contract/check.ts';
import { WhyDrawer } from '../check/WhyDrawer.tsx';

/** 销售核对: our own count of each day of a site against Amazon's, and why they differ. */
export default function SalesCheck() {
  const { active } = useTab();
  const [opened, setOpened] = useState<CheckRow>();
  const sites = useSiteOptions();
  return (
    <>
      <ListScreen
        name="report/check"
        title="销售核对"
        unit="天"
        endpoint={salesCheck.list}
        exportEndpoint={salesCheck.export}
        row={CheckRow}
        filter={CheckFilter}
        options={{ sites }}
        tabs={{ field: 'verdict', counts: countChecks }}
        density="dense"
        current={opened?.id}
        onOpen={setOpened}
        empty={
          <Empty
            title="还没有可核对的数据"
            text="授权店铺后，系统每小时向亚马逊询问各站点每天的订单数、销量和销售额，与本系统的汇总逐日核对。"
          />
        }
      />
      <WhyDrawer row={active ? opened : undefined} onClose={() => setOpened(undefined)} />
    </>
  );
}
