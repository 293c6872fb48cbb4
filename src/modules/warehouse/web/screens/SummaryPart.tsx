import '../warehouse.css';
import { Segmented } from 'antd';
import { metaOf } from '#kit/contract/columns.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { StockRow } from '../../contract/inventory.ts';
import {
  FbaPartRow,
  type SummaryPart as Part,
  SummaryPart as Parts,
  PendingRow,
  stockSummary,
} from '../../contract/summary.ts';
import { DocumentLink, LayersLink, pieces, RecordsLink } from '../links.tsx';

const PARTS = Object.entries(metaOf(Parts).states ?? {}).map(([value, { title }]) => ({ value: value as Part, title }));
const ROOT = '/inventory/summarychiild';

function Stock({ rows }: { rows: readonly StockRow[] }) {
  const of = (row: StockRow) => ({ sku: row.product.code, warehouseId: row.warehouseId });
  return (
    <LineTable
      label="各仓库库存"
      row={StockRow}
      rows={rows}
      only={[
        'warehouse',
        'expected',
        'inTransit',
        'quarantine',
        'available',
        'reserved',
        'processing',
        'defective',
        'total',
        'assemblable',
        'value',
      ]}
      columns={{
        available: {
          render: (row) => pieces(row.available, (text) => <RecordsLink {...of(row)}>{text}</RecordsLink>),
          text: (row) => String(row.available),
        },
        total: {
          render: (row) => pieces(row.total, (text) => <LayersLink {...of(row)}>{text}</LayersLink>),
          text: (row) => String(row.total),
        },
      }}
      none="没有库存"
    />
  );
}

function Pending({ rows }: { rows: readonly PendingRow[] }) {
  return (
    <LineTable
      label="单据"
      row={PendingRow}
      rows={rows}
      columns={{
        number: { render: (row) => <DocumentLink number={row.number} path={row.path} />, text: (row) => row.number },
      }}
      none="没有未到货的单据"
    />
  );
}

/** 库存总览下钻: each figure of a product's stock with what it is made of. The address says which one. */
export default function SummaryPart() {
  const tab = useTab();
  const [path = '', query = ''] = tab.address.split('?');
  const part = (PARTS.find(({ value }) => path.endsWith(`/${value}`))?.value ?? 'inventory') as Part;
  const id = new URLSearchParams(query).get('id') ?? '';
  const { data, isError, error, refetch } = useCall(
    stockSummary,
    { params: { part }, query: { id } },
    { enabled: id !== '', keep: true },
  );
  if (id === '') {
    return (
      <Empty title="先选择产品" text="在库存报表里打开一个产品的「库存总览」。">
        <TabLink to="/erp/inventory/report/base" title="库存报表">
          去库存报表
        </TabLink>
      </Empty>
    );
  }
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  return (
    <div className="warehouse-page">
      <div className="warehouse-body">
        <div className="warehouse-bar">
          <ProductCell product={data.product} />
          <Segmented<Part>
            value={part}
            options={PARTS.map(({ value, title }) => ({
              value,
              label: `${title} ${formatInteger(data.figures[value])}`,
            }))}
            onChange={(next) => tab.open(`${ROOT}/${next}`, { title: tab.title, query: { id }, replace: true })}
          />
        </div>
        {part === 'fbastock' ? (
          <LineTable label="FBA库存" row={FbaPartRow} rows={data.fba} none="没有FBA库存" />
        ) : part === 'produced' || part === 'transit' ? (
          <Pending rows={data.pending} />
        ) : (
          <Stock rows={data.stock} />
        )}
      </div>
    </div>
  );
}
