import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { formatMoney } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ImportDialog } from '#kit/web/import/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { exportStock, listStock, StockFilter, StockRow } from '../../contract/inventory.ts';
import type { StockStatus } from '../../contract/stock.ts';
import { HoldersLink, LayersLink, pieces, RecordsLink } from '../links.tsx';
import { type Checked, check, commit, template } from '../opening.ts';
import { PlannedDrawer } from '../PlannedDrawer.tsx';
import { Timeline } from '../Timeline.tsx';
import { useWarehouseOptions } from '../warehouses.ts';

const of = (row: StockRow) => ({ sku: row.product.code, warehouseId: row.warehouseId });

function moved(
  key: 'expected' | 'inTransit' | 'quarantine' | 'available' | 'processing' | 'defective',
  status: StockStatus,
) {
  return {
    render: (row: StockRow) =>
      pieces(row[key], (text) => (
        <RecordsLink {...of(row)} status={status}>
          {text}
        </RecordsLink>
      )),
    text: (row: StockRow) => String(row[key]),
  };
}

const columnsOf = (openPlans: (row: StockRow) => void): ColumnOverrides<StockRow> => ({
  expected: moved('expected', 'EXPECTED'),
  inTransit: moved('inTransit', 'IN_TRANSIT'),
  quarantine: moved('quarantine', 'QUARANTINE'),
  available: moved('available', 'AVAILABLE'),
  processing: moved('processing', 'PROCESSING'),
  defective: moved('defective', 'DEFECTIVE'),
  reserved: {
    render: (row) => pieces(row.reserved, (text) => <HoldersLink {...of(row)}>{text}</HoldersLink>),
    text: (row) => String(row.reserved),
  },
  total: {
    render: (row) => pieces(row.total, (text) => <LayersLink {...of(row)}>{text}</LayersLink>),
    text: (row) => String(row.total),
  },
  value: {
    render: (row) => (row.value === null ? '—' : <LayersLink {...of(row)}>{formatMoney(row.value, 'CNY')}</LayersLink>),
    text: (row) => row.value ?? '',
  },
  planned: {
    render: (row) =>
      row.planned === null
        ? '—'
        : pieces(row.planned, (text) => (
            <Button type="link" size="small" className="warehouse-figure" onClick={() => openPlans(row)}>
              {text}
            </Button>
          )),
    text: (row) => (row.planned === null ? '' : String(row.planned)),
  },
});

const NOTHING = (
  <Empty title="还没有库存" text="先在仓库列表里建好仓库，再导入期初库存；之后由入库、出库、调拨等单据变动。">
    <TabLink to="/erp/warehouse/base" title="仓库列表">
      去建仓库
    </TabLink>
  </Empty>
);

/** 库存报表: what of each product is where, by status; every number opens what it is made of. */
export default function StockReport() {
  const [row, setRow] = useState<StockRow>();
  const [plans, setPlans] = useState<StockRow>();
  const columns = useMemo(() => columnsOf(setPlans), []);
  const [importing, setImporting] = useState(false);
  const mayExport = useAllowed('erp:inv:export');
  const tab = useTab();
  const warehouses = useWarehouseOptions();
  return (
    <>
      <ListScreen
        name="warehouse/stock"
        title="库存报表"
        unit="行"
        endpoint={listStock}
        {...(mayExport ? { exportEndpoint: exportStock } : {})}
        row={StockRow}
        filter={StockFilter}
        options={{ warehouses }}
        columns={columns}
        head={
          <Allowed code="erp:inv:opening">
            <Button onClick={() => setImporting(true)}>导入期初库存</Button>
          </Allowed>
        }
        actions={(one) => [
          { label: '库存走势', onClick: () => setRow(one) },
          {
            label: '库存总览',
            onClick: () =>
              tab.open('/inventory/summarychiild/inventory', {
                title: `库存总览${one.product.code}`,
                query: { id: one.productId },
              }),
          },
        ]}
        empty={NOTHING}
        onOpen={setRow}
        current={row?.id}
        note="点击数字查看它的来源单据"
      />
      <DetailDrawer
        open={row !== undefined}
        onClose={() => setRow(undefined)}
        title={row?.product.name ?? '库存走势'}
        subtitle={row && `${row.product.code} · ${row.warehouse}`}
      >
        {row && (
          <div className="warehouse-body">
            <Timeline productId={row.productId} warehouseId={row.warehouseId} />
          </div>
        )}
      </DetailDrawer>
      <PlannedDrawer row={plans} onClose={() => setPlans(undefined)} />
      <ImportDialog<Checked>
        title="导入期初库存"
        open={importing}
        onClose={() => setImporting(false)}
        check={check}
        commit={commit}
        template={template}
        onDone={() => void queryClient.invalidateQueries({ queryKey: cacheKey(listStock) })}
        accept=".xlsx,.csv,.txt"
      />
    </>
  );
}
