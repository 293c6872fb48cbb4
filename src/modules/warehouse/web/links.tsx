import type { ReactNode } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { type FilterValue, filterFields, filterQuery, readState } from '#kit/web/list/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
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

/** What the entries of a report are narrowed to. */
export interface EntriesOf {
  sku?: string;
  warehouses?: readonly string[];
  /** yyyy-MM-dd, both included. */
  period?: { from?: string; to?: string };
}

/** Opens entries of the ledger in their list, e.g. those of a day of a picture. */
export function useOpenRecords(): (of: EntriesOf) => void {
  const tab = useTab();
  return (of) => tab.open('/erp/inventory/record', { title: '出入库明细', query: filterQuery(RECORDS, { ...of }) });
}

/** Opens layers in their list, e.g. those of a bar of a picture. */
export function useOpenLayers(): (of: FilterValue) => void {
  const tab = useTab();
  return (of) => tab.open('/erp/inventory/report/age', { title: '库龄与成本层', query: filterQuery(LAYERS, of) });
}

/** The filter of the list in whose tab this stands. */
export function useFilterHere(fields: ReturnType<typeof filterFields>): FilterValue {
  const { address } = useTab();
  return readState(new URLSearchParams(address.split('?')[1]), fields, {}).filter;
}

/** Opens the entries that a figure of a report is made of. */
export function EntriesLink({ of, children }: { of: EntriesOf; children: ReactNode }) {
  return (
    <TabLink to="/erp/inventory/record" title="出入库明细" query={filterQuery(RECORDS, { ...of })}>
      {children}
    </TabLink>
  );
}

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

/** Opens the layers of a filter. */
export function LayersOf({ of, children }: { of: FilterValue; children: ReactNode }) {
  return (
    <TabLink to="/erp/inventory/report/age" title="库龄与成本层" query={filterQuery(LAYERS, of)}>
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
