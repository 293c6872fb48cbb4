import dayjs from 'dayjs';
import { useCall } from '#kit/web/api/index.ts';
import { Bars, type BarTone } from '#kit/web/charts/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { type FilterValue, filterFields, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { exportUnsalable, listUnsalable, UnsalableFilter, UnsalableRow } from '../../contract/reports.ts';
import { EntriesLink, LayersOf, pieces, useFilterHere, useOpenLayers } from '../links.tsx';
import { useWarehouseOptions } from '../warehouses.ts';

const FIELDS = filterFields(UnsalableFilter);
const OUTS = { out30: 30, out60: 60, out90: 90 } as const;
const AGES = [
  ['d30', '0-30天', 'D30', 'normal'],
  ['d60', '31-60天', 'D60', 'normal'],
  ['d90', '61-90天', 'D90', 'normal'],
  ['d180', '91-180天', 'D180', 'warning'],
  ['d365', '181-365天', 'D365', 'bad'],
  ['over', '365天以上', 'OVER', 'bad'],
] as const satisfies readonly (readonly [keyof UnsalableRow, string, string, BarTone])[];

/** Warehouses of the list's filter. */
function placesOf(filter: FilterValue): { warehouses?: readonly string[] } {
  const { warehouses } = filter as UnsalableFilter;
  return warehouses?.length ? { warehouses } : {};
}

function Aged({ sku, count, bucket }: { sku: string; count: number; bucket?: string }) {
  const filter = useFilterHere(FIELDS);
  const of = { ...placesOf(filter), sku, ...(bucket ? { bucket } : {}) };
  return pieces(count, (text) => <LayersOf of={of}>{text}</LayersOf>);
}

function Gone({ sku, count, days }: { sku: string; count: number; days: number }) {
  const filter = useFilterHere(FIELDS);
  const from = dayjs()
    .subtract(days - 1, 'day')
    .format('YYYY-MM-DD');
  const of = { ...placesOf(filter), sku, period: { from } };
  return pieces(count, (text) => <EntriesLink of={of}>{text}</EntriesLink>);
}

/** Every age opens the layers that it is made of, every outflow its entries. */
const COLUMNS: ColumnOverrides<UnsalableRow> = {
  qty: {
    render: (row) => <Aged sku={row.product.code} count={row.qty} />,
    text: (row) => String(row.qty),
  },
  ...Object.fromEntries(
    AGES.map(([key, , bucket]) => [
      key,
      {
        render: (row: UnsalableRow) => <Aged sku={row.product.code} count={row[key]} bucket={bucket} />,
        text: (row: UnsalableRow) => String(row[key]),
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(OUTS).map(([key, days]) => [
      key,
      {
        render: (row: UnsalableRow) => (
          <Gone sku={row.product.code} count={row[key as keyof typeof OUTS]} days={days} />
        ),
        text: (row: UnsalableRow) => String(row[key as keyof typeof OUTS]),
      },
    ]),
  ),
};

/** All products of the filter by age: the totals of the list as a picture. */
function Ages({ filter }: { filter: FilterValue }) {
  const openLayers = useOpenLayers();
  const { data } = useCall(listUnsalable, { body: { pagesize: 1, filter } }, { keep: true });
  const totals = data?.totals;
  if (!totals || Number(totals.qty ?? 0) === 0) return null;
  return (
    <Bars
      label="库龄分布"
      height={150}
      bars={AGES.map(([key, name, , tone]) => ({ name, value: Number(totals[key] ?? 0), tone }))}
      onPick={(index) => openLayers({ ...placesOf(filter), bucket: AGES[index]?.[2] })}
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
      columns={COLUMNS}
      above={(filter) => <Ages filter={filter} />}
      empty={<Empty title="还没有库存" text="有库存之后，这里按冗余从多到少列出产品。" />}
      note="冗余 = 当前库存 − 近90天日均出库 × 目标天数（默认90天）"
    />
  );
}
