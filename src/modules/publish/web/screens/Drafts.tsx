import { Button } from 'antd';
import { useState } from 'react';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { countDrafts, DraftFilter, DraftRow, listDrafts } from '../../contract/draft.ts';
import { NewDialog } from '../NewDialog.tsx';
import { FORM_PATH } from '../paths.ts';

/** 商品刊登: drafts and submissions of listings, until Amazon shows them. */
export default function Drafts() {
  const tab = useTab();
  const sites = useSiteOptions();
  const [making, setMaking] = useState(false);
  const open = (row: DraftRow) => tab.open(FORM_PATH, { title: row.product.code, query: { id: row.id } });
  const create = (
    <Button type="primary" onClick={() => setMaking(true)}>
      新建刊登
    </Button>
  );
  return (
    <>
      <ListScreen
        name="publish/drafts"
        title="商品刊登"
        unit="个草稿"
        endpoint={listDrafts}
        row={DraftRow}
        filter={DraftFilter}
        options={{ sites }}
        tabs={{ field: 'state', counts: countDrafts }}
        head={create}
        onOpen={open}
        empty={
          <Empty title="还没有刊登" text="新建商品，或在「在线商品」打开商品后点「编辑Listing」。">
            <TabLink to="/amazon/listing/products" title="在线商品">
              去在线商品
            </TabLink>
          </Empty>
        }
      />
      {making && <NewDialog onClose={() => setMaking(false)} />}
    </>
  );
}
