import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { ReasonDialog } from '#kit/web/form/index.ts';
import { type FileCheck, ImportDialog } from '#kit/web/import/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { POST } from '../../contract/document.ts';
import { exportItemFees, ItemFilter, ItemRow, listItemFees, removeItemFee } from '../../contract/item.ts';
import { useTypeOptions } from '../fee-types.ts';
import { ItemDialog } from '../ItemDialog.tsx';
import { check, commit, template } from '../item-import.ts';
import { refreshCosts } from '../refresh.ts';

/** 其他成本: costs of single SKUs, each on a day, which their profit bears. */
export default function ItemFees() {
  const mayBook = useAllowed(POST);
  const [editing, setEditing] = useState<ItemRow | 'new'>();
  const [importing, setImporting] = useState(false);
  const [removing, setRemoving] = useState<ItemRow>();
  const stores = useSiteOptions();
  const feeType = useTypeOptions(true);
  const options = useMemo(() => ({ stores, feeType }), [stores, feeType]);
  const remove = useSend(removeItemFee, {
    quiet: true,
    onSuccess: ({ message }) => {
      notice.success(message);
      void refreshCosts();
    },
  });
  const add = (
    <Button type="primary" onClick={() => setEditing('new')}>
      添加其他成本
    </Button>
  );
  return (
    <>
      <ListScreen
        name="costshare/items"
        title="其他成本"
        unit="笔"
        endpoint={listItemFees}
        exportEndpoint={exportItemFees}
        row={ItemRow}
        filter={ItemFilter}
        options={options}
        head={
          mayBook && (
            <>
              <Button onClick={() => setImporting(true)}>导入</Button>
              {add}
            </>
          )
        }
        note="计入利润报表的「自定义费用」"
        actions={(row) =>
          mayBook
            ? [
                { label: '编辑', onClick: () => setEditing(row) },
                { label: '删除', danger: true, onClick: () => setRemoving(row) },
              ]
            : []
        }
        empty={
          <Empty title="还没有其他成本" text="只属于一个 SKU 的费用在这里登记；几个商品共担的用费用分摊。">
            {mayBook && add}
          </Empty>
        }
      />
      <ImportDialog<FileCheck>
        title="导入其他成本"
        open={importing}
        onClose={() => setImporting(false)}
        check={check}
        commit={commit}
        template={template}
        onDone={() => void refreshCosts()}
        accept=".xlsx"
      />
      {removing && (
        <ReasonDialog
          title={`删除其他成本 ${removing.sku}`}
          okText="删除"
          onSend={(reason) => remove.mutateAsync({ body: { id: removing.id, version: removing.version, reason } })}
          onClose={() => setRemoving(undefined)}
        >
          冲回 {removing.day} 已计入利润的 {removing.feeType}。
        </ReasonDialog>
      )}
      {editing && <ItemDialog row={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />}
    </>
  );
}
