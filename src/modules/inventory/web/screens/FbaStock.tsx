import { useState } from 'react';
import { ListScreen, useFilter } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { countStock, exportStock, listStock, StockFilter, StockRow } from '../../contract.ts';
import { StockDrawer } from '../StockDrawer.tsx';
import { StockSummaryStrip } from '../StockSummaryStrip.tsx';

const NOTHING = (
  <Empty title="还没有FBA库存" text="授权店铺后自动同步，也可以上传亚马逊的FBA库存报告。">
    <TabLink to="/amazon/storeAuth" title="店铺管理">
      去授权店铺
    </TabLink>
  </Empty>
);

/** FBA库存: what lies at Amazon or is on its way there, by SKU and site. */
export default function FbaStock() {
  const [open, setOpen] = useState<string>();
  const sites = useSiteOptions();
  const setFilter = useFilter();
  return (
    <>
      <ListScreen
        name="inventory/fba"
        title="FBA库存"
        unit="个SKU"
        endpoint={listStock}
        exportEndpoint={exportStock}
        row={StockRow}
        filter={StockFilter}
        options={{ sites }}
        tabs={{ field: 'tab', counts: countStock }}
        above={(filter) => (
          <StockSummaryStrip
            filter={filter}
            onTab={(tab) => setFilter('tab', tab)}
            onSite={(site) => setFilter('sites', site)}
          />
        )}
        empty={NOTHING}
        onOpen={(row) => setOpen(row.id)}
        current={open}
      />
      <StockDrawer id={open} onClose={() => setOpen(undefined)} />
    </>
  );
}
