import { useCall } from '#kit/web/api/index.ts';
import { Bars, type BarTone } from '#kit/web/charts/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { type FilterValue, filterFields, filterQuery, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { LayerFilter } from '../../contract/inventory.ts';
import { exportUnsalable, listUnsalable, UnsalableFilter, UnsalableRow } from '../../contract/reports.ts';
import { pieces } from '../links.tsx';
import { useWarehouseOptions } from '../warehouses.ts';

const SORTABLE = ['product', 'qty', 'surplus', 'over', 'out90'];
const LAYERS = filterFields(LayerFilter);
const AGES = [
  ['d30', '0-30天', 'D30', 'normal'],
  ['d60', '31-60天', 'D60', 'normal'],
  ['d90', '61-90天', 'D90', 'normal'],
  ['d180', '91-180天', 'D180', 'warning'],
  ['d365', '181-365天', 'D365', 'bad'],
  ['over', '365天以上', 'OVER', 'bad'],
] as const satisfies readonly (readonly [keyof UnsalableRow, string, string, BarTone])[];

/** Every age opens the layers that it is made of. */
const COLUMNS: ColumnOverrides<UnsalableRow> = Object.fromEntries(
  AGES.map(([key, , bucket]) => [
    key,
    {
      render: (row: UnsalableRow) =>
        pieces(row[key], (text) => (
          <TabLink
            to="/erp/inventory/report/age"
            title="库龄与成本层"
            query={filterQuery(LAYERS, { sku: row.product.code, bucket })}
          >
            {text}
          </TabLink>
        )),
      text: (row: UnsalableRow) => String(row[key]),
    },
  ]),
);

/** All products of the filter by age: the totals of the list as a picture. */
function Ages({ filter }: { filter: FilterValue }) {
  const { data } = useCall(listUnsalable, { body: { pagesize: 1, filter } }, { keep: true });
  const totals = data?.totals;
  if (!totals || Number(totals.qty ?? 0) === 0) return null;
  return (
    <Bars
      label="库龄分布"
      height={150}
      bars={AGES.map(([key, name, , tone]) => ({ name, value: Number(totals[key] ?? 0), tone }))}
    />
  );
}

/** 本地滞销: what is more than will be sold in time, the most first. */
export default function Unsalable() {
  const mayExport = useAllowed('erp:inv:export');
  const warehouses = useWarehouseOptions();
  return (
    <ListScreen
      name="warehouse/unsalable"
      title="本地滞销"
      unit="个产品"
      endpoint={listUnsalable}
      {...(mayExport ? { exportEndpoint: exportUnsalable } : {})}
      row={UnsalableRow}
      filter={UnsalableFilter}
      options={{ warehouses }}
      sortable={SORTABLE}
      columns={COLUMNS}
      above={(filter) => <Ages filter={filter} />}
      empty={<Empty title="还没有库存" text="有库存之后，这里按冗余从多到少列出产品。" />}
      note="冗余 = 当前库存 − 近90天日均出库 × 目标天数（默认90天）"
    />
  );
}
