import { useMemo } from 'react';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import {
  BillPaymentFilter,
  BillPaymentRow,
  exportBillPayments,
  listBillPayments,
  RefundRow,
  RepaymentRow,
  refunds,
  repayments,
  SheetFilter,
  TopupRow,
  topups,
} from '../../contract/bills/lines.ts';
import { purchaseLink, requestLink } from './BillOrders.tsx';

const SHEETS = {
  repayments: { title: '还款记录', name: 'finance/billRepayments', row: RepaymentRow, calls: repayments },
  refunds: { title: '退款记录', name: 'finance/billRefunds', row: RefundRow, calls: refunds },
  topups: { title: '充退记录', name: 'finance/billTopups', row: TopupRow, calls: topups },
} as const;

interface Props {
  id: string;
}

/** A sheet of the workbook as it was uploaded. */
export function BillSheet({ id, sheet }: Props & { sheet: keyof typeof SHEETS }) {
  const fixed = useMemo(() => ({ bill: id }), [id]);
  const { title, name, row, calls } = SHEETS[sheet];
  return (
    <ListScreen
      name={name}
      title={title}
      density="dense"
      endpoint={calls.list}
      exportEndpoint={calls.file}
      row={row}
      filter={SheetFilter}
      fixed={fixed}
      empty={<Empty title={`账单里没有${title}`} />}
    />
  );
}

const COLUMNS: ColumnOverrides<BillPaymentRow> = {
  request: { render: (row) => requestLink(row.request, row.requestId), text: (row) => row.request },
  order: { render: (row) => purchaseLink(row.order, row.subjectId), text: (row) => row.order },
};

/** 付款明细: the payment requests that the bill was turned into. */
export function BillPayments({ id }: Props) {
  const fixed = useMemo(() => ({ bill: id }), [id]);
  return (
    <ListScreen
      name="finance/billPayments"
      title="付款明细"
      unit="笔"
      density="dense"
      endpoint={listBillPayments}
      exportEndpoint={exportBillPayments}
      row={BillPaymentRow}
      filter={BillPaymentFilter}
      fixed={fixed}
      columns={COLUMNS}
      empty={<Empty title="还没有付款" text="账单确认后点「生成付款」，按采购单生成请款单。" />}
    />
  );
}
