import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall } from '#kit/web/api/index.ts';
import { Money, State } from '#kit/web/cells/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { ACCEPT_INVOICE, INVOICE, InvoiceLineRow, InvoiceState, orderInvoices } from '../../contract/invoice.ts';
import type { OrderHead, OrderLineRow } from '../../contract/order.ts';
import { DecideInvoice, type Deciding, stepsOfInvoice } from './DecideInvoice.tsx';
import { InvoiceDialog } from './InvoiceDialog.tsx';

const STATES = InvoiceState.meta()?.states ?? {};

/** Invoices of an order, each held against what was agreed and accepted. */
export function Invoices({ order, lines }: { order: OrderHead; lines: readonly OrderLineRow[] }) {
  const { data } = useCall(orderInvoices, { params: { id: order.id } }, { staleTime: 0 });
  const [adding, setAdding] = useState(false);
  const [deciding, setDeciding] = useState<Deciding>();
  const may = { accept: useAllowed(ACCEPT_INVOICE), edit: useAllowed(INVOICE) };
  const placed = order.state === 'ordered' || order.state === 'closed';
  return (
    <>
      {data?.length === 0 && <p className="text2">还没有发票</p>}
      {data?.map((invoice) => (
        <section key={invoice.id} className="order-invoice" aria-label={`发票 ${invoice.number}`}>
          <header>
            <strong>{invoice.number}</strong>
            <State value={invoice.state} states={STATES} />
            <span className="text2">{invoice.issuedOn}</span>
            <Money amount={invoice.amount} currency={invoice.currency} />
            {stepsOfInvoice(invoice, may).map((step) => (
              <Button key={step.label} size="small" onClick={() => setDeciding({ invoice, step })}>
                {step.label}
              </Button>
            ))}
          </header>
          {invoice.finding && <p className="text2">{invoice.finding}</p>}
          {invoice.reason && (
            <p className="text2">
              {invoice.decidedByName}：{invoice.reason}
            </p>
          )}
          <LineTable row={InvoiceLineRow} rows={invoice.lines} label={`发票 ${invoice.number} 明细`} />
        </section>
      ))}
      <Allowed code={INVOICE}>
        <div className="order-add">
          <Button disabled={!placed} onClick={() => setAdding(true)}>
            登记发票
          </Button>
          <span className="text2">单价差1%以内且价差合计不超过¥50、累计开票不超过验收时自动匹配，否则待核对。</span>
        </div>
      </Allowed>
      {adding && <InvoiceDialog order={order} lines={lines} invoices={data ?? []} onClose={() => setAdding(false)} />}
      {deciding && <DecideInvoice {...deciding} onClose={() => setDeciding(undefined)} />}
    </>
  );
}
