import { type CSSProperties, useMemo, useState } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import { useCall } from '#kit/web/api/index.ts';
import { StoreName, valueNode } from '#kit/web/cells/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/index.ts';
import { gridColumns } from '#kit/web/grid/index.ts';
import { changeColumns, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import {
  DetailFilter,
  type DetailRow,
  detailFields,
  exportDetails,
  listDetails,
  pivotRow,
} from '../../contract/details.ts';
import { type Dimension, EXPORT } from '../../contract/fields.ts';
import { useAsked, useSalesOptions } from '../asked.ts';
import { DetailDrawer } from '../DetailDrawer.tsx';
import { NoSales } from '../NoSales.tsx';
import { Scope } from '../Scope.tsx';
import '../salesreport.css';

type Fields = Reply<typeof detailFields>;

const DEFAULTS = { by: 'msku', measure: 'units', grain: 'day', compare: 'previous', currency: 'auto' };
const MODES = ['by', 'measure', 'grain', 'compare', 'currency', 'sequence'];
/** What these stand for has no picture. */
const PLAIN: readonly Dimension[] = ['brand', 'category', 'owner', 'store'];

/** Figures of periods, warmer the nearer they are to the largest of their row. */
function heatColumns(fields: Fields): ColumnOverrides<DetailRow> {
  const plain = new Map(gridColumns(pivotRow(fields)).map((column) => [column.key, column]));
  const largest = (row: DetailRow) => Math.max(...fields.columns.map(({ key }) => Number(row[key] ?? 0)), 0);
  const columns = fields.columns.map(({ key }) => [
    key,
    {
      render: (row: DetailRow) => {
        const column = plain.get(key);
        const most = largest(row);
        const heat = most > 0 ? Math.max(0, Number(row[key] ?? 0) / most) : 0;
        return (
          <span className="sales-heat" style={{ '--heat': heat } as CSSProperties}>
            {column && valueNode(column, row, { density: 'two' })}
          </span>
        );
      },
      text: (row: DetailRow) => String(row[key] ?? ''),
    },
  ]);
  return Object.fromEntries(columns);
}

function columnsOf(fields: Fields, by: Dimension): ColumnOverrides<DetailRow> {
  return {
    ...changeColumns<DetailRow>(['total'], fields.good),
    ...heatColumns(fields),
    product: {
      ...(by === 'site' ? { render: (row) => <StoreName store={row.store} />, text: (row) => row.product.name } : {}),
      ...(PLAIN.includes(by) ? { render: (row) => row.product.name, text: (row) => row.product.name } : {}),
    },
  };
}

/** 销量详情: a measure by period, split by whatever sales can be split by. */
export default function Details() {
  const options = useSalesOptions();
  const asked = useAsked(DetailFilter, options, DEFAULTS) as DetailFilter;
  const by = asked.by ?? 'msku';
  const { data: fields } = useCall(detailFields, { body: { filter: asked } }, { keep: true });
  const mayExport = useAllowed(EXPORT);
  const [open, setOpen] = useState<DetailRow>();
  const row = useMemo(() => pivotRow(fields ?? { columns: [], kind: 'integer', measure: '合计', by }), [fields, by]);
  const columns = useMemo(() => (fields ? columnsOf(fields, by) : {}), [fields, by]);
  return (
    <>
      <ListScreen
        name="salesreport/details"
        title="销量详情"
        unit="行"
        density="two"
        endpoint={listDetails}
        {...(mayExport ? { exportEndpoint: exportDetails } : {})}
        row={row}
        filter={DetailFilter}
        defaults={DEFAULTS}
        modes={MODES}
        options={options}
        tabs={{ field: 'by', apart: true }}
        columns={columns}
        rowId={(one) => String(one.id)}
        above={() => fields && <Scope {...fields} />}
        onOpen={(one) => setOpen(one as DetailRow)}
        current={open?.id}
        empty={<NoSales />}
      />
      <DetailDrawer filter={asked} row={open} measure={fields?.measure ?? ''} onClose={() => setOpen(undefined)} />
    </>
  );
}
