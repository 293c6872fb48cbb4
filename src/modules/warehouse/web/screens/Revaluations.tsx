import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { listRevaluations, RevaluationFilter, RevaluationRow } from '../../contract/costs.ts';
import { DocumentLink } from '../links.tsx';

const COLUMNS: ColumnOverrides<RevaluationRow> = {
  number: { render: (row) => <DocumentLink number={row.number} path={row.path} />, text: (row) => row.number },
};

/** 成本补录记录: values that came late, and how much of them met pieces that had left. */
export default function Revaluations() {
  return (
    <ListScreen
      name="warehouse/revaluations"
      title="成本补录记录"
      unit="条"
      endpoint={listRevaluations}
      row={RevaluationRow}
      filter={RevaluationFilter}
      columns={COLUMNS}
      empty={
        <Empty title="还没有补录" text="运费、关税等晚到的费用在「库龄与成本层」里补录，采购对账的差额也会记在这里。" />
      }
      note="补录金额 = 计入库存 + 成本差异"
    />
  );
}
