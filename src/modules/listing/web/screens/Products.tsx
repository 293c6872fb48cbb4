import { useState } from 'react';
import { Tag } from '#kit/web/cells/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { countListings, exportListings, ListingFilter, ListingRow, listListings } from '../../contract.ts';
import { ListingDrawer } from '../ListingDrawer.tsx';
import { useSiteOptions } from '../site-options.ts';

const NOTHING = (
  <Empty title="还没有商品" text="授权店铺后自动同步在线商品，也可以上传亚马逊的商品报告。">
    <TabLink to="/amazon/storeAuth" title="店铺管理">
      去授权店铺
    </TabLink>
  </Empty>
);

function Issues({ row }: { row: ListingRow }) {
  if (row.issueCount === 0) return <span className="text3">—</span>;
  return <Tag tone="trouble" title={`${row.issueCount} 个`} />;
}

/** 在线商品: what every store has on sale. */
export default function Products() {
  const [open, setOpen] = useState<string>();
  const sites = useSiteOptions();
  return (
    <>
      <ListScreen
        name="listing/products"
        title="在线商品"
        unit="个商品"
        endpoint={listListings}
        exportEndpoint={exportListings}
        row={ListingRow}
        filter={ListingFilter}
        options={{ sites }}
        tabs={{ field: 'state', counts: countListings }}
        columns={{ issueCount: { render: (row) => <Issues row={row} />, text: (row) => String(row.issueCount) } }}
        empty={NOTHING}
        onOpen={(row) => setOpen(row.id)}
        current={open}
      />
      <ListingDrawer id={open} onClose={() => setOpen(undefined)} />
    </>
  );
}
