import { Button } from 'antd';
import type { Reply } from '#kit/contract/endpoint.ts';
import { formatMoney } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { InvoiceType } from '../contract/fields.ts';
import { InvoiceLine, type InvoiceRow, invoiceDetail } from '../contract/invoices.ts';
import './vat.css';

interface Props {
  id: string | undefined;
  onClose: () => void;
  onPdf: (row: InvoiceRow) => void;
}

type Detail = Reply<typeof invoiceDetail>;
const COLUMNS = ['lineNo', 'kind', 'sku', 'title', 'quantity', 'net', 'rate', 'tax', 'gross'] as const;

function Parties({ seller, buyer, invoice }: Detail) {
  return (
    <div className="drawer-section vat-parties">
      <section aria-label="开票主体">
        <p className="label">开票主体</p>
        <p>{seller?.name ?? '—'}</p>
        <p className="num">{seller?.vatNumber}</p>
      </section>
      <section aria-label="买家">
        <p className="label">买家{invoice.business ? ' · B2B' : ''}</p>
        <p>{buyer?.name ?? '买家信息已按规定删除'}</p>
        {buyer?.address.map((line) => (
          <p key={line}>{line}</p>
        ))}
        <p>{buyer?.country}</p>
        <p className="num">{buyer?.vatNumber}</p>
      </section>
    </div>
  );
}

function Body(detail: Detail) {
  const { invoice, lines, notes, credits } = detail;
  const only = invoice.type === 'INVOICE' && invoice.number !== null ? [...COLUMNS, 'left' as const] : COLUMNS;
  return (
    <div className="vat-document">
      {invoice.problem && <p className="danger">{invoice.problem}</p>}
      <Parties {...detail} />
      <LineTable
        label="发票明细"
        row={InvoiceLine}
        rows={lines}
        only={[...only]}
        totals={{ net: invoice.net, tax: invoice.tax, gross: invoice.gross, currency: invoice.currency }}
      />
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {credits.map((one) => (
        <p key={one.id} className="label">
          红字 {one.number ?? '待开票'} · {formatMoney(one.gross, invoice.currency)}
        </p>
      ))}
    </div>
  );
}

/** One document: who issues it to whom, its lines, and what of it was taken back. What waits is shown as it would be issued. */
export function InvoiceDrawer({ id, onClose, onPdf }: Props) {
  const { data, isError, error, refetch } = useCall(
    invoiceDetail,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, staleTime: 0 },
  );
  const invoice = data?.invoice;
  const type = invoice ? (InvoiceType.meta()?.states?.[invoice.type]?.title ?? '') : '';
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={invoice?.number ?? (invoice ? `${type} · 待开票` : 'VAT发票')}
      subtitle={invoice?.orderId}
      actions={invoice && invoice.number !== null ? <Button onClick={() => onPdf(invoice)}>下载PDF</Button> : undefined}
    >
      {isError && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && <Body {...data} />}
    </DetailDrawer>
  );
}
