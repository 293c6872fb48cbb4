import { useState } from 'react';
import { call } from '#kit/web/api/index.ts';
import { ReasonDialog } from '#kit/web/form/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import type { RowAction } from '#kit/web/grid/RowActions.tsx';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { allows, useAllowed, usePermissions } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { EXPORT } from '../../contract/fields.ts';
import { purchaseOrder } from '../../contract/order.ts';
import {
  countReturns,
  exportReturns,
  listReturns,
  purchaseReturn,
  ReturnFilter,
  ReturnRow,
  type ReturnStep,
  returnSteps,
} from '../../contract/return.ts';
import { refreshOrders, toOptions, usePurchaseChoices } from '../choices.ts';

const STEPS: readonly ReturnStep[] = ['submit', 'approve', 'ship', 'reject', 'cancel'];

const COLUMNS: ColumnOverrides<ReturnRow> = {
  order: {
    render: (row) => (
      <TabLink to={purchaseOrder.detail} title={row.order} query={{ id: row.orderId }}>
        {row.order}
      </TabLink>
    ),
    text: (row) => row.order,
  },
};

/** 采购退货: goods that go back to suppliers. */
export default function ReturnList() {
  const tab = useTab();
  const choices = usePurchaseChoices();
  const permissions = usePermissions();
  const mayExport = useAllowed(EXPORT);
  const [asking, setAsking] = useState<{ row: ReturnRow; step: ReturnStep }>();
  const open = (row: ReturnRow) => tab.open(purchaseOrder.detail, { title: row.order, query: { id: row.orderId } });
  const take = async (row: ReturnRow, step: ReturnStep, reason?: string) => {
    const body = { id: row.id, version: row.version, ...(reason ? { reason } : {}) };
    const done = await call(returnSteps[step], { body }, { quiet: reason !== undefined });
    notice.success(done.message);
    await refreshOrders();
  };
  const actionsOf = (row: ReturnRow): RowAction[] => [
    ...STEPS.filter((step) => {
      const from: readonly string[] = purchaseReturn.transitions[step].from;
      return from.includes(row.state) && allows(permissions, returnSteps[step].permission);
    }).map((step) => ({
      label: purchaseReturn.transitions[step].title,
      danger: step === 'cancel',
      onClick: () => {
        if (purchaseReturn.transitions[step].reason) setAsking({ row, step });
        else void take(row, step).catch(() => undefined);
      },
    })),
    { label: '采购单', onClick: () => open(row) },
  ];
  return (
    <>
      <ListScreen
        name="purchase/returns"
        title="采购退货"
        unit="单"
        endpoint={listReturns}
        {...(mayExport ? { exportEndpoint: exportReturns } : {})}
        row={ReturnRow}
        filter={ReturnFilter}
        options={{ supplier: toOptions(choices?.suppliers) }}
        tabs={{ field: 'state', counts: countReturns }}
        columns={COLUMNS}
        onOpen={open}
        actions={actionsOf}
        actionsWidth={130}
        empty={<Empty title="还没有采购退货" text="在采购单中新建退货：抵扣应付，或由供应商补发。" />}
      />
      {asking && (
        <ReasonDialog
          title={`${purchaseReturn.transitions[asking.step].title} ${asking.row.number}`}
          okText={purchaseReturn.transitions[asking.step].title}
          onSend={(reason) => take(asking.row, asking.step, reason)}
          onClose={() => setAsking(undefined)}
        >
          原因会记入单据。
        </ReasonDialog>
      )}
    </>
  );
}
