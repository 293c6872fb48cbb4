import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { costDocument } from '#modules/costshare/contract/document.ts';
import { CostMade, MonthRow } from '../contract/document.ts';

interface Props {
  schedule: MonthRow[] | undefined;
  costs: CostMade[] | undefined;
}

const COLUMNS: ColumnOverrides<CostMade> = {
  number: {
    render: (row) => (
      <TabLink to={costDocument.detail} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
};

/** What each month bears, and the costs by which it reached the profit of stores. */
export function MonthTables({ schedule, costs }: Props) {
  return (
    <>
      <LineTable row={MonthRow} rows={schedule} rowId={(row) => row.month} label="摊销明细" />
      {costs !== undefined && costs.length > 0 && (
        <LineTable row={CostMade} rows={costs} columns={COLUMNS} label="费用分摊单" />
      )}
    </>
  );
}
