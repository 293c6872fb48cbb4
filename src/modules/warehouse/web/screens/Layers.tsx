import { useState } from 'react';
import { metaOf } from '#kit/contract/columns.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { FigureLine } from '#kit/web/cards/index.ts';
import { Bars, type BarTone } from '#kit/web/charts/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { type FilterValue, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { REVALUE } from '../../contract/costs.ts';
import { AgeBucket, ageSummary, exportLayers, LayerFilter, LayerRow, listLayers } from '../../contract/inventory.ts';
import { CostDialog } from '../CostDialog.tsx';
import { DocumentLink } from '../links.tsx';
import { Provisional } from '../Provisional.tsx';
import { useWarehouseOptions } from '../warehouses.ts';

const COLUMNS: ColumnOverrides<LayerRow> = {
  number: { render: (row) => <DocumentLink number={row.number} path={row.path} />, text: (row) => row.number },
};
const TONES: Record<string, BarTone> = { D180: 'warning', D365: 'bad', OVER: 'bad' };
const titleOf = (bucket: string) => metaOf(AgeBucket).states?.[bucket]?.title ?? bucket;

/** Sets the bucket in the list's address and goes back to page 1. */
function useBucket(): (bucket: string) => void {
  const { address, rewrite } = useTab();
  return (bucket) => {
    const [path = '', query = ''] = address.split('?');
    const search = new URLSearchParams(query);
    search.set('f.bucket', bucket);
    search.delete('page');
    rewrite(`${path}?${search}`);
  };
}

function Ages({ filter }: { filter: FilterValue }) {
  const { data } = useCall(ageSummary, { body: { filter } }, { keep: true });
  const open = useBucket();
  return (
    <>
      <Provisional />
      <FigureLine
        figures={
          data && [
            { key: 'total', label: '合计', value: formatInteger(data.total) },
            { key: 'mean', label: '平均库龄(天)', value: data.meanDays ?? '—' },
            ...data.buckets.map(({ bucket, qty }) => ({
              key: bucket,
              label: titleOf(bucket),
              value: formatInteger(qty),
              onOpen: () => open(bucket),
            })),
          ]
        }
      />
      {data && data.total > 0 && (
        <div className="warehouse-course">
          <Bars
            label="库龄分布"
            height={150}
            bars={data.buckets.map(({ bucket, qty }) => ({
              name: titleOf(bucket),
              value: qty,
              tone: TONES[bucket] ?? 'normal',
            }))}
            onPick={(index) => open(data.buckets[index]?.bucket ?? 'D30')}
          />
        </div>
      )}
    </>
  );
}

/** 库龄与成本层: pieces by the day of their first receipt, with what they cost. */
export default function Layers() {
  const mayExport = useAllowed('erp:inv:export');
  const mayRevalue = useAllowed(REVALUE);
  const [row, setRow] = useState<LayerRow>();
  const warehouses = useWarehouseOptions();
  return (
    <>
      <ListScreen
        name="warehouse/layers"
        title="库龄与成本层"
        unit="层"
        endpoint={listLayers}
        {...(mayExport ? { exportEndpoint: exportLayers } : {})}
        row={LayerRow}
        filter={LayerFilter}
        options={{ warehouses }}
        columns={COLUMNS}
        above={(filter) => <Ages filter={filter} />}
        {...(mayRevalue ? { actions: (one: LayerRow) => [{ label: '补录成本', onClick: () => setRow(one) }] } : {})}
        note="出库按首次入库日先进先出；调拨与换货不改变首次入库日"
      />
      {row && <CostDialog row={row} onClose={() => setRow(undefined)} />}
    </>
  );
}
