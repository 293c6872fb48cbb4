import { useState } from 'react';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { EXPORT } from '../../contract/fields.ts';
import {
  ACCEPT_INVOICE,
  countInvoices,
  exportInvoices,
  INVOICE,
  InvoiceFilter,
  InvoiceRow,
  listInvoices,
} from '../../contract/invoice.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { toOptions, usePurchaseChoices } from '../choices.ts';
import { DecideInvoice, type Deciding, stepsOfInvoice } from '../order/DecideInvoice.tsx';

const COLUMNS: ColumnOverrides<InvoiceRow> = {
  order: {
    render: (row) => (
      <TabLink to={purchaseOrder.detail} title={row.order} query={{ id: row.orderId }}>
        {row.order}
      </TabLink>
    ),
    text: (row) => row.order,
  },
};

/** 采购发票: what suppliers billed, and what of it is not as agreed and accepted. */
export default function InvoiceList() {
  const tab = useTab();
  const choices = usePurchaseChoices();
  const [deciding, setDeciding] = useState<Deciding>();
  const mayExport = useAllowed(EXPORT);
  const may = { accept: useAllowed(ACCEPT_INVOICE), edit: useAllowed(INVOICE) };
  const open = (row: InvoiceRow) => tab.open(purchaseOrder.detail, { title: row.order, query: { id: row.orderId } });
  return (
    <>
      <ListScreen
        name="purchase/invoices"
        title="采购发票"
        unit="张"
        endpoint={listInvoices}
        {...(mayExport ? { exportEndpoint: exportInvoices } : {})}
        row={InvoiceRow}
        filter={InvoiceFilter}
        options={{ supplier: toOptions(choices?.suppliers) }}
        tabs={{ field: 'state', counts: countInvoices }}
        columns={COLUMNS}
        onOpen={open}
        actions={(row) => [
          ...stepsOfInvoice(row, may).map((step) => ({
            label: step.label,
            onClick: () => setDeciding({ invoice: row, step }),
          })),
          { label: '采购单', onClick: () => open(row) },
        ]}
        empty={<Empty title="没有发票" text="在采购单详情的「发票」中登记供应商开来的发票，自动与订单和验收核对。" />}
      />
      {deciding && <DecideInvoice {...deciding} onClose={() => setDeciding(undefined)} />}
    </>
  );
}
