import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { FigureLine } from '#kit/web/cards/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { type FilterValue, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { exportRecords, listRecords, RecordFilter, RecordRow, recordSummary } from '../../contract/inventory.ts';
import { DocumentLink } from '../links.tsx';
import { Provisional } from '../Provisional.tsx';
import { useWarehouseOptions } from '../warehouses.ts';

const COLUMNS: ColumnOverrides<RecordRow> = {
  number: { render: (row) => <DocumentLink number={row.number} path={row.path} />, text: (row) => row.number },
};

/** 期初 + 入 − 出 = 期末, and the difference that proves it. */
function Account({ filter }: { filter: FilterValue }) {
  const { data } = useCall(recordSummary, { body: { filter } }, { keep: true });
  const figure = (key: 'opening' | 'in' | 'out' | 'closing', label: string) => ({
    key,
    label,
    value: formatInteger(data?.[key] ?? null),
  });
  return (
    <FigureLine
      figures={
        data && [
          figure('opening', '期初'),
          figure('in', '＋ 入'),
          figure('out', '－ 出'),
          figure('closing', '＝ 期末'),
          {
            key: 'difference',
            label: '差额',
            value: formatInteger(data.difference),
            hint: data.difference === 0 ? '账目相符' : '请运行库存自检',
          },
        ]
      }
    />
  );
}

/** 出入库明细: the ledger, newest first. */
export default function Records() {
  const mayExport = useAllowed('erp:inv:export');
  const warehouses = useWarehouseOptions();
  return (
    <ListScreen
      name="warehouse/records"
      title="出入库明细"
      unit="笔"
      endpoint={listRecords}
      {...(mayExport ? { exportEndpoint: exportRecords } : {})}
      row={RecordRow}
      filter={RecordFilter}
      options={{ warehouses }}
      columns={COLUMNS}
      above={(filter) => (
        <>
          <Provisional />
          {!filter.number && <Account filter={filter} />}
        </>
      )}
      note="流水只增不改；撤销会写入相反的一笔"
    />
  );
}
