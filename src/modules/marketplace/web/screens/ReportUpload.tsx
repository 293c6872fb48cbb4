import { UploadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall } from '#kit/web/api/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { bindSeller } from '../../contract/stores.ts';
import { reportTypeList, UploadFilter, UploadRow, uploadCounts, uploadList } from '../../contract/uploads.ts';
import { accountsOf } from '../store/health.ts';
import { BatchDrawer } from '../upload/BatchDrawer.tsx';
import { UploadDialog } from '../upload/UploadDialog.tsx';
import '../store/store.css';

const NEXT: Partial<Record<UploadRow['state'], string>> = { uploaded: '处理', checked: '确认入库' };

/** 上传报表: every file that was brought, with what became of it. */
export default function ReportUpload() {
  const { active } = useTab();
  const may = useAllowed('amz:report:import');
  const seesStores = useAllowed('amz:store:view');
  const [opened, setOpened] = useState<string>();
  const [dialog, setDialog] = useState<{ batchId: string | undefined }>();
  const types = useCall(reportTypeList, {});
  const stores = useCall(bindSeller, {}, { enabled: seesStores });
  const options = {
    reportType: types.data ?? [],
    authid: accountsOf(stores.data?.stores ?? []).map((account) => ({ value: account.authid, label: account.gname })),
  };
  const button = (
    <Allowed code="amz:report:import">
      <Button type="primary" icon={<UploadOutlined />} onClick={() => setDialog({ batchId: undefined })}>
        上传报表
      </Button>
    </Allowed>
  );
  return (
    <>
      <ListScreen
        name="marketplace/uploads"
        title="上传报表"
        endpoint={uploadList}
        row={UploadRow}
        filter={UploadFilter}
        options={options}
        tabs={{ field: 'state', counts: uploadCounts }}
        density="dense"
        unit="批"
        head={button}
        current={opened}
        onOpen={(row) => setOpened(row.id)}
        actions={(row) => {
          const next = NEXT[row.state];
          const look = { label: '查看', onClick: () => setOpened(row.id) };
          return may && next ? [{ label: next, onClick: () => setDialog({ batchId: row.id }) }, look] : [look];
        }}
        empty={
          <Empty
            title="还没有上传过报表"
            text="可上传亚马逊的结算、全部订单、FBA库存、在线商品报告，以及自己的订单列表。先预检，确认后一次写入。"
          >
            {button}
          </Empty>
        }
      />
      <BatchDrawer
        id={active ? opened : undefined}
        onClose={() => setOpened(undefined)}
        onContinue={(batchId) => setDialog({ batchId })}
      />
      {dialog && active && <UploadDialog batchId={dialog.batchId} onClose={() => setDialog(undefined)} />}
    </>
  );
}
