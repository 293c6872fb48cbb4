import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, useCall } from '#kit/web/api/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { purchaseChoices } from '#modules/purchase/contract/order-calls.ts';
import { LinkFilter, LinkRow, listLinks, ORDER, removeLink } from '../../contract/index.ts';
import { LinkDialog } from '../LinkDialog.tsx';
import { refreshAlibaba } from '../refresh.ts';

/** 1688商品对应: which offer a product is at a supplier, and how many pieces one unit of it holds. */
export default function Links() {
  const mayEdit = useAllowed(ORDER);
  const { data: choices } = useCall(purchaseChoices, {}, { staleTime: 60_000 });
  const [editing, setEditing] = useState<LinkRow | 'new'>();
  const remove = async (row: LinkRow) => {
    await call(removeLink, { body: { id: row.id } }, {});
    notice.success('已删除');
    await refreshAlibaba();
  };
  const add = (
    <Allowed code={ORDER}>
      <Button type="primary" onClick={() => setEditing('new')}>
        新增对应
      </Button>
    </Allowed>
  );
  return (
    <>
      <ListScreen
        name="alibaba/links"
        title="1688商品对应"
        unit="条"
        endpoint={listLinks}
        row={LinkRow}
        filter={LinkFilter}
        options={{ supplier: (choices?.suppliers ?? []).map(({ id, name }) => ({ value: id, label: name })) }}
        actions={(row) =>
          mayEdit
            ? [
                { label: '修改', edits: true, onClick: () => setEditing(row) },
                { label: '删除', danger: true, onClick: () => void remove(row).catch(() => undefined) },
              ]
            : []
        }
        head={add}
        empty={
          <Empty title="还没有商品对应" text="把本地商品和1688商品的规格对应起来，下单时按单位换算数量。">
            {add}
          </Empty>
        }
      />
      {editing && <LinkDialog row={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />}
    </>
  );
}
