import '../finance.css';
import { useState } from 'react';
import { DueDay } from '#kit/web/cells/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import type { RowAction } from '#kit/web/grid/RowActions.tsx';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { exportItems, ItemFilter, ItemRow, listItems } from '../../contract/payables.ts';
import { useParties } from '../choices.ts';
import { ReceiveDialog, SettleDialog } from '../ItemDialogs.tsx';
import { StatementDrawer } from '../StatementDrawer.tsx';
import { SubjectLink } from '../SubjectLink.tsx';

const OPEN_FIRST = { open: 'OPEN' };
const isOpen = (row: ItemRow) => /[1-9]/.test(row.open);

const COLUMNS: ColumnOverrides<ItemRow> = {
  subject: {
    render: (row) => <SubjectLink number={row.subject} type={row.subjectType} id={row.subjectId} />,
    text: (row) => row.subject,
  },
  dueOn: {
    render: (row) => (isOpen(row) && row.book === 'PAYABLE' ? <DueDay day={row.dueOn} none="—" /> : (row.dueOn ?? '—')),
    text: (row) => row.dueOn ?? '',
  },
};

type Asked = { row: ItemRow; what: 'settle' | 'receive' };

/** What can be done with what somebody owes to us: what is paid in advance is used first, what is lent is paid back first. */
function stepsFor({ book }: ItemRow, ask: (what: Asked['what']) => void): RowAction[] {
  const settle = { label: '核销', onClick: () => ask('settle') };
  if (book === 'PREPAID') return [settle, { label: '登记退款', onClick: () => ask('receive') }];
  return book === 'RECEIVABLE' ? [{ label: '登记收款', onClick: () => ask('receive') }, settle] : [];
}

/** 应付与预付: every debt, prepayment and receivable with what is left of it. */
export default function Payables() {
  const [asked, setAsked] = useState<Asked>();
  const [shown, setShown] = useState<ItemRow>();
  const mayApply = useAllowed('fin:dealing:apply');
  const parties = useParties();
  return (
    <>
      <ListScreen
        name="finance/payables"
        title="应付与预付"
        unit="笔"
        density="dense"
        endpoint={listItems}
        exportEndpoint={exportItems}
        row={ItemRow}
        filter={ItemFilter}
        defaults={OPEN_FIRST}
        options={{ party: parties.map(({ id, name }) => ({ value: id, label: name })) }}
        columns={COLUMNS}
        onOpen={setShown}
        current={shown?.id}
        actions={(row) => [
          ...(mayApply && isOpen(row) ? stepsFor(row, (what) => setAsked({ row, what })) : []),
          { label: '对账单', onClick: () => setShown(row) },
        ]}
        empty={
          <Empty
            title="还没有应付与预付"
            text="采购到货、运费与后到费用产生应付，付定金产生预付；同一采购单的定金在到货时自动核销。"
          />
        }
        note="付款请走请款单；退货先冲减应付，已付部分转为预付"
      />
      {asked?.what === 'settle' && <SettleDialog item={asked.row} onClose={() => setAsked(undefined)} />}
      {asked?.what === 'receive' && <ReceiveDialog item={asked.row} onClose={() => setAsked(undefined)} />}
      <StatementDrawer
        party={shown && { id: shown.partyId, name: shown.party, currency: shown.currency }}
        onClose={() => setShown(undefined)}
      />
    </>
  );
}
