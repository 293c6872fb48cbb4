import type { ReactNode } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { filterFields, filterQuery } from '#kit/web/list/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { LayerFilter, RecordFilter, ReservationFilter } from '../contract/inventory.ts';
import type { StockStatus } from '../contract/stock.ts';

interface Of {
  sku: string;
  warehouseId: string;
  children: ReactNode;
}

const RECORDS = filterFields(RecordFilter);
const LAYERS = filterFields(LayerFilter);
const RESERVATIONS = filterFields(ReservationFilter);

/** Opens the entries that a balance is made of. */
export function RecordsLink({ sku, warehouseId, status, children }: Of & { status?: StockStatus }) {
  const query = filterQuery(RECORDS, { sku, warehouses: [warehouseId], status });
  return (
    <TabLink to="/erp/inventory/record" title="出入库明细" query={query}>
      {children}
    </TabLink>
  );
}

/** Opens the layers that a stock is made of. */
export function LayersLink({ sku, warehouseId, children }: Of) {
  const query = filterQuery(LAYERS, { sku, warehouses: [warehouseId] });
  return (
    <TabLink to="/erp/inventory/report/age" title="库龄与成本层" query={query}>
      {children}
    </TabLink>
  );
}

/** Opens who holds what is 待出库. */
export function HoldersLink({ sku, warehouseId, children }: Of) {
  const query = filterQuery(RESERVATIONS, { sku, warehouses: [warehouseId] });
  return (
    <TabLink to="/erp/inventory/reservation" title="预留明细" query={query}>
      {children}
    </TabLink>
  );
}

/** A number of pieces that opens something where it is not 0. */
export function pieces(count: number, link: (text: string) => ReactNode): ReactNode {
  return count === 0 ? <span className="text3">0</span> : link(formatInteger(count));
}

/** Number of a document; opens it where it has a page. */
export function DocumentLink({ number, path }: { number: string; path: string | null }) {
  if (path === null) return <span>{number}</span>;
  const [to = '', query = ''] = path.split('?');
  return (
    <TabLink to={to} title={number} query={Object.fromEntries(new URLSearchParams(query))}>
      {number}
    </TabLink>
  );
}
