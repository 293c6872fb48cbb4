import { Button } from 'antd';
import { useState } from 'react';
import { download } from '#kit/web/api/index.ts';
import { type BatchAction, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { countDrafts, DraftFilter, DraftRow, listDrafts, OPEN_STATES, SUBMIT } from '../../contract/draft.ts';
import { draftSheet } from '../../contract/many.ts';
import { EditManyDialog } from '../many/EditManyDialog.tsx';
import { ImportSheet } from '../many/ImportSheet.tsx';
import { useSubmitMany } from '../many/use-many.ts';
import { NewDialog } from '../NewDialog.tsx';
import { FORM_PATH } from '../paths.ts';
import '../form/publish.css';

type Asking = 'new' | 'many' | 'sheet';

const unfit = ({ state }: DraftRow) => (OPEN_STATES.includes(state) ? undefined : '草稿已提交或已结束');

function useBatch(): BatchAction<DraftRow>[] {
  const maySubmit = useAllowed(SUBMIT);
  const submit = useSubmitMany();
  return [
    {
      label: '导出批量编辑表',
      unfit,
      onClick: (rows) => void download(draftSheet, { body: { ids: rows.map(({ id }) => id) } }),
    },
    ...(maySubmit
      ? [
          {
            label: '批量提交',
            primary: true,
            unfit,
            onClick: (rows: DraftRow[]) =>
              submit.mutate({ body: { drafts: rows.map(({ id, version }) => ({ id, version })) } }),
          },
        ]
      : []),
  ];
}

/** 商品刊登: drafts and submissions of listings, until Amazon shows them. */
export default function Drafts() {
  const tab = useTab();
  const sites = useSiteOptions();
  const [asking, setAsking] = useState<Asking>();
  const batch = useBatch();
  const open = (row: DraftRow) => tab.open(FORM_PATH, { title: row.product.code, query: { id: row.id } });
  const close = () => setAsking(undefined);
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
        batch={batch}
        head={
          <>
            <Button onClick={() => setAsking('sheet')}>导入批量编辑表</Button>
            <Button onClick={() => setAsking('many')}>批量编辑</Button>
            <Button type="primary" onClick={() => setAsking('new')}>
              新建刊登
            </Button>
          </>
        }
        onOpen={open}
        empty={
          <Empty title="还没有刊登" text="新建商品，或在「在线商品」打开商品后点「编辑Listing」。">
            <TabLink to="/amazon/listing/products" title="在线商品">
              去在线商品
            </TabLink>
          </Empty>
        }
      />
      {asking === 'new' && <NewDialog onClose={close} />}
      {asking === 'many' && <EditManyDialog onClose={close} />}
      {asking === 'sheet' && <ImportSheet onClose={close} />}
    </>
  );
}
