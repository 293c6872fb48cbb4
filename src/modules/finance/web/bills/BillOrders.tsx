import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { call, download } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { type BillRow, UPLOAD } from '../../contract/bills/bill.ts';
import {
  BillOrderFilter,
  BillOrderRow,
  exportBillOrders,
  listBillOrders,
  releaseLines,
} from '../../contract/bills/lines.ts';
import { paymentRequest } from '../../contract/requests.ts';
import { AssignDialog, OutDialog } from './LineDialogs.tsx';
import { refreshBills } from './refresh.ts';

const NONE = <span className="text3">—</span>;
/** Where a purchase order is seen; its module stands above this one. */
const PURCHASE = '/purchaseOrders/details';

export const purchaseLink = (order: string | null, id: string) =>
  order ? (
    <TabLink to={PURCHASE} title={order} query={{ id }}>
      {order}
    </TabLink>
  ) : (
    NONE
  );
export const requestLink = (number: string | null, id: string | null) =>
  number && id ? (
    <TabLink to={paymentRequest.detail} title={number} query={{ id }}>
      {number}
    </TabLink>
  ) : (
    NONE
  );

const COLUMNS: ColumnOverrides<BillOrderRow> = {
  order: { render: (row) => purchaseLink(row.order, row.subjectId), text: (row) => row.order ?? '' },
  request: { render: (row) => requestLink(row.request, row.requestId), text: (row) => row.request ?? '' },
};
const MATCHING: readonly string[] = ['uploaded', 'partly', 'matched'];

/** 账单明细: the orders of a bill beside their purchase orders. */
export function BillOrders({ bill }: { bill: BillRow }) {
  const fixed = useMemo(() => ({ bill: bill.id }), [bill.id]);
  const [assigning, setAssigning] = useState<readonly BillOrderRow[]>();
  const [leaving, setLeaving] = useState<readonly BillOrderRow[]>();
  const may = useAllowed(UPLOAD) && MATCHING.includes(bill.state);
  const release = async (rows: readonly BillOrderRow[]) => {
    const { changed } = await call(releaseLines, { body: { ids: rows.map((row) => row.id) } }, {});
    notice.success(`已取消匹配 ${changed} 笔`);
    await refreshBills();
  };
  const unknown = (row: BillOrderRow) => (row.matched === 'NONE' ? '还没有匹配' : undefined);
  const differences = () =>
    void download(exportBillOrders, { body: { filter: { bill: bill.id, differs: true }, format: 'xlsx' } }).catch(
      () => {},
    );
  return (
    <>
      <ListScreen
        name="finance/billOrders"
        title="账单明细"
        unit="笔"
        density="dense"
        endpoint={listBillOrders}
        exportEndpoint={exportBillOrders}
        row={BillOrderRow}
        filter={BillOrderFilter}
        fixed={fixed}
        columns={COLUMNS}
        toolbar={
          <Button size="small" onClick={differences}>
            下载差异
          </Button>
        }
        {...(may
          ? {
              batch: [
                { label: '手工匹配', primary: true, onClick: (rows: BillOrderRow[]) => setAssigning(rows) },
                { label: '无需付款', onClick: (rows: BillOrderRow[]) => setLeaving(rows) },
                { label: '取消匹配', unfit: unknown, onClick: (rows: BillOrderRow[]) => void release(rows) },
              ],
              actions: (row: BillOrderRow) => [
                { label: row.matched === 'NONE' ? '匹配' : '改匹配', edits: true, onClick: () => setAssigning([row]) },
                { label: '无需付款', onClick: () => setLeaving([row]) },
                { label: '取消匹配', blocked: unknown(row), onClick: () => void release([row]) },
              ],
            }
          : {})}
      />
      {assigning && <AssignDialog rows={assigning} onClose={() => setAssigning(undefined)} />}
      {leaving && <OutDialog rows={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
}
