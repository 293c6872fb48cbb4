import { Button } from 'antd';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import {
  CUSTOMS_APPROVE,
  CUSTOMS_EDIT,
  CUSTOMS_EXPORT,
  DeclaredFilter,
  DeclaredRow,
  exportDeclared,
  listDeclared,
  unlockDeclared,
} from '../../contract/customs-value.ts';
import { ApproveDialog, LockDialog, listingsOf } from '../customs/DeclaredDialogs.tsx';
import { RatesDrawer } from '../customs/RatesDrawer.tsx';

/** 海关报价: what is declared for listings at the customs, and what of it is below the purchase cost. */
export default function CustomsValue() {
  const [rates, setRates] = useState(false);
  const [locking, setLocking] = useState<readonly DeclaredRow[]>();
  const [low, setLow] = useState<readonly DeclaredRow[]>();
  const may = useAllowed(CUSTOMS_EDIT);
  const mayApprove = useAllowed(CUSTOMS_APPROVE);
  const mayExport = useAllowed(CUSTOMS_EXPORT);
  const unlock = useSend(unlockDeclared, {
    refreshes: [listDeclared],
    onSuccess: ({ changed }) => notice.success(`已解除 ${changed} 个锁定`),
  });
  const batch = [
    ...(may
      ? [
          { label: '锁定', onClick: setLocking },
          {
            label: '解除锁定',
            unfit: (row: DeclaredRow) => (row.locked ? undefined : '没有锁定'),
            onClick: (rows: DeclaredRow[]) => unlock.mutate({ body: { listings: listingsOf(rows) } }),
          },
        ]
      : []),
    ...(mayApprove
      ? [
          {
            label: '低申报审批',
            unfit: (row: DeclaredRow) => (row.state === 'low' ? undefined : '不低于成本，或已经审批'),
            onClick: setLow,
          },
        ]
      : []),
  ];
  return (
    <>
      <ListScreen
        name="product/customs"
        title="海关报价"
        unit="个商品"
        endpoint={listDeclared}
        {...(mayExport ? { exportEndpoint: exportDeclared } : {})}
        row={DeclaredRow}
        filter={DeclaredFilter}
        {...(batch.length > 0 ? { batch } : {})}
        empty={<Empty title="没有可以申报的商品" text="有售价的在线商品按申报比例计算申报金额。" />}
        head={<Button onClick={() => setRates(true)}>申报比例</Button>}
      />
      <RatesDrawer open={rates} onClose={() => setRates(false)} />
      <LockDialog rows={locking} onClose={() => setLocking(undefined)} />
      <ApproveDialog rows={low} onClose={() => setLow(undefined)} />
    </>
  );
}
