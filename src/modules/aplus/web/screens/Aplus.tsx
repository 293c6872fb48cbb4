import { Button } from 'antd';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import type { RowAction } from '#kit/web/grid/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import {
  AplusFilter,
  AplusRow,
  countAplus,
  exportAplus,
  hideAplus,
  listAplus,
  syncAplus,
} from '../../contract/documents.ts';
import { AplusDrawer } from '../AplusDrawer.tsx';
import { CopyDialog } from '../CopyDialog.tsx';
import { NewDialog } from '../NewDialog.tsx';
import { FORM_PATH } from '../paths.ts';
import { CHANGED } from '../refresh.ts';

/** A+内容: documents of all stores as Amazon has them, and those that are being written here. */
export default function Aplus() {
  const tab = useTab();
  const sites = useSiteOptions();
  const [open, setOpen] = useState<string>();
  const [making, setMaking] = useState(false);
  const [copying, setCopying] = useState<AplusRow>();
  const hide = useSend(hideAplus, { refreshes: CHANGED });
  const sync = useSend(syncAplus, {
    onSuccess: ({ sites: count }) => notice.success(`已安排 ${count} 个站点重新读取，稍后刷新列表`),
  });
  const edit = ({ id, name }: AplusRow) => tab.open(FORM_PATH, { title: `A+ ${name}`, query: { id } });
  const actions = (row: AplusRow): RowAction[] => [
    { label: '编辑', onClick: () => edit(row) },
    { label: '复制', onClick: () => setCopying(row) },
    {
      label: row.hidden ? '取消隐藏' : '隐藏',
      onClick: () => hide.mutate({ body: { id: row.id, version: row.version, hidden: !row.hidden } }),
    },
  ];
  return (
    <>
      <ListScreen
        name="aplus/documents"
        title="A+内容"
        unit="份文档"
        endpoint={listAplus}
        exportEndpoint={exportAplus}
        row={AplusRow}
        filter={AplusFilter}
        options={{ sites }}
        tabs={{ field: 'state', counts: countAplus }}
        actions={actions}
        current={open}
        onOpen={(row) => setOpen(row.id)}
        onOpenTab={edit}
        head={
          <>
            <Button loading={sync.isPending} onClick={() => sync.mutate({ body: {} })}>
              同步
            </Button>
            <Button type="primary" onClick={() => setMaking(true)}>
              新建A+
            </Button>
          </>
        }
        empty={<Empty title="还没有A+内容" text="授权店铺后会自动读取已有的文档，也可以新建。" />}
      />
      <AplusDrawer id={open} onClose={() => setOpen(undefined)} />
      {making && <NewDialog onClose={() => setMaking(false)} />}
      {copying && (
        <CopyDialog
          source={{ id: copying.id, locale: copying.locale, name: copying.name }}
          onClose={() => setCopying(undefined)}
        />
      )}
    </>
  );
}
