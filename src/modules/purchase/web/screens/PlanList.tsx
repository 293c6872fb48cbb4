import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { type BatchAction, ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { purchaseOrder } from '../../contract/order.ts';
import {
  countPlan,
  listPlan,
  PLAN_EDIT,
  PLAN_SUBMIT,
  PlanFilter,
  PlanRow,
  removePlanLines,
} from '../../contract/plan.ts';
import { processOrder } from '../../contract/process.ts';
import { requisition } from '../../contract/requisition.ts';
import { placesOf, refreshOrders, usePurchaseChoices } from '../choices.ts';
import { PlanAddDialog } from '../plan/PlanAddDialog.tsx';
import { PlanLineDialog } from '../plan/PlanLineDialog.tsx';

const COLUMNS: ColumnOverrides<PlanRow> = {
  order: {
    render: (row) =>
      row.order ? (
        <TabLink
          to={row.orderId ? purchaseOrder.detail : processOrder.detail}
          title={row.order}
          query={{ id: row.orderId ?? row.processId ?? '' }}
        >
          {row.order}
        </TabLink>
      ) : null,
    text: (row) => row.order ?? '',
  },
  requisition: {
    render: (row) =>
      row.requisition ? (
        <TabLink to={requisition.detail} title={row.requisition} query={{ id: row.requisitionId ?? '' }}>
          {row.requisition}
        </TabLink>
      ) : null,
    text: (row) => row.requisition ?? '',
  },
};

const done = (row: PlanRow) => (row.state === 'open' ? undefined : '已提交');

/** 采购规划: what is to be bought, until orders are made of it. */
export default function PlanList() {
  const tab = useTab();
  const choices = usePurchaseChoices();
  const mayEdit = useAllowed(PLAN_EDIT);
  const maySubmit = useAllowed(PLAN_SUBMIT);
  const [adding, setAdding] = useState(false);
  const [editing, setEditing] = useState<PlanRow>();
  const submit = (rows: readonly PlanRow[]) =>
    tab.open('/e/p/p/s', { title: '提交采购计划', query: { ids: rows.map((row) => row.id).join(',') } });
  const remove = async (rows: readonly PlanRow[]) => {
    const { removed } = await call(removePlanLines, { body: { ids: rows.map((row) => row.id) } }, {});
    notice.success(`已移出 ${removed} 行`);
    await refreshOrders();
  };
  const batch: BatchAction<PlanRow>[] = [
    ...(maySubmit ? [{ label: '提交采购', primary: true, unfit: done, onClick: submit }] : []),
    ...(mayEdit
      ? [
          {
            label: '移出规划',
            danger: true,
            unfit: done,
            onClick: (rows: PlanRow[]) => void remove(rows).catch(() => undefined),
          },
        ]
      : []),
  ];
  const buttons = (
    <>
      <Allowed code={PLAN_SUBMIT}>
        <Button onClick={() => tab.open('/e/p/p/s', { title: '提交采购计划' })}>全部提交</Button>
      </Allowed>
      <Allowed code={PLAN_EDIT}>
        <Button type="primary" onClick={() => setAdding(true)}>
          加入规划
        </Button>
      </Allowed>
    </>
  );
  return (
    <>
      <ListScreen
        name="purchase/plan"
        title="采购规划"
        unit="行"
        endpoint={listPlan}
        row={PlanRow}
        filter={PlanFilter}
        options={{ warehouse: placesOf(choices, 'GOOD') }}
        tabs={{ field: 'state', counts: countPlan }}
        columns={COLUMNS}
        batch={batch}
        actions={(row) =>
          row.state === 'open'
            ? [
                ...(maySubmit ? [{ label: '提交采购', onClick: () => submit([row]) }] : []),
                ...(mayEdit ? [{ label: '修改', edits: true, onClick: () => setEditing(row) }] : []),
              ]
            : []
        }
        head={buttons}
        empty={
          <Empty
            title="还没有采购规划"
            text="把要买的商品加入规划，再一次提交：按供应商和入库仓生成采购单，组合产品按子件展开。"
          >
            <Allowed code={PLAN_EDIT}>
              <Button type="primary" onClick={() => setAdding(true)}>
                加入规划
              </Button>
            </Allowed>
          </Empty>
        }
      />
      {adding && <PlanAddDialog onClose={() => setAdding(false)} />}
      {editing && <PlanLineDialog row={editing} onClose={() => setEditing(undefined)} />}
    </>
  );
}
