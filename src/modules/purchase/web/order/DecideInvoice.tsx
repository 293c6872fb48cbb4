import { call } from '#kit/web/api/index.ts';
import { ReasonDialog } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { acceptInvoice, type InvoiceRow, voidInvoice } from '../../contract/invoice.ts';
import { refreshOrders } from '../choices.ts';

const ACCEPT = { label: '核对', title: '核对发票', endpoint: acceptInvoice };
const VOID = { label: '作废', title: '作废发票', endpoint: voidInvoice };
export type InvoiceStep = typeof ACCEPT | typeof VOID;

export interface Deciding {
  invoice: InvoiceRow;
  step: InvoiceStep;
}

/** What a person may do with an invoice as it stands. */
export function stepsOfInvoice(invoice: InvoiceRow, may: { accept: boolean; edit: boolean }): InvoiceStep[] {
  return [
    ...(may.accept && invoice.state === 'pending' ? [ACCEPT] : []),
    ...(may.edit && invoice.state !== 'void' ? [VOID] : []),
  ];
}

/** Takes an invoice as it is, or strikes it out; either wants a reason. */
export function DecideInvoice({ invoice, step, onClose }: Deciding & { onClose: () => void }) {
  const text =
    step === ACCEPT
      ? `${invoice.finding || '与订单和验收不一致'}。按发票接受后可以请尾款。`
      : '作废后保留记录，不再计入累计开票，号码可以重新登记。';
  return (
    <ReasonDialog
      title={`${step.title} ${invoice.number}`}
      okText={step.title}
      onSend={async (reason) => {
        const body = { id: invoice.id, version: invoice.version, reason };
        const done = await call(step.endpoint, { body }, { quiet: true });
        notice.success(done.message);
        await refreshOrders();
      }}
      onClose={onClose}
    >
      {text}
    </ReasonDialog>
  );
}
