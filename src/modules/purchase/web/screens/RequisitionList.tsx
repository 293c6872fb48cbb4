import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import {
  countRequisitions,
  listRequisitions,
  RequisitionFilter,
  RequisitionRow,
  requisition,
} from '../../contract/requisition.ts';

const COLUMNS: ColumnOverrides<RequisitionRow> = {
  number: {
    render: (row) => (
      <TabLink to={requisition.detail} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
};

/** 采购计划: needs that were handed in together, and how far they have come. */
export default function RequisitionList() {
  const tab = useTab();
  return (
    <ListScreen
      name="purchase/requisitions"
      title="采购计划"
      unit="单"
      endpoint={listRequisitions}
      row={RequisitionRow}
      filter={RequisitionFilter}
      tabs={{ field: 'state', counts: countRequisitions }}
      columns={COLUMNS}
      onOpen={(row) => tab.open(requisition.detail, { title: row.number, query: { id: row.id } })}
      empty={<Empty title="还没有采购计划" text="在采购规划中选择需求并提交，审批通过后生成采购单和加工单。" />}
    />
  );
}
