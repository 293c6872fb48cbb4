import { InputNumber } from 'antd';
import { useState } from 'react';
import type { z } from 'zod';
import type { Reply } from '#kit/contract/endpoint.ts';
import { formatInteger, formatPercent } from '#kit/contract/format.ts';
import { ApiError, useSend } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type orderInvoices, saveInvoice } from '../../contract/invoice.ts';
import type { OrderHead, OrderLineRow } from '../../contract/order.ts';
import { refreshOrders } from '../choices.ts';
import '../purchase.css';

const Form = saveInvoice.body.omit({ orderId: true, lines: true });

interface Props {
  order: OrderHead;
  lines: readonly OrderLineRow[];
  invoices: Reply<typeof orderInvoices>;
  onClose: () => void;
}

interface Billed {
  qty: number;
  unitPrice: string;
}

/** Writes an invoice down; what was accepted and is not billed yet, at the agreed price, stands there already. */
export function InvoiceDialog({ order, lines, invoices, onClose }: Props) {
  const rows = lines.filter((line) => !line.gift);
  const billedBefore = (id: string) =>
    invoices
      .filter((invoice) => invoice.state !== 'void')
      .flatMap((invoice) => invoice.lines)
      .reduce((total, line) => total + (line.lineId === id ? line.qty : 0), 0);
  const [billed, setBilled] = useState<Record<string, Billed>>(() =>
    Object.fromEntries(
      rows.map((line) => [
        line.id,
        {
          qty: Math.max(0, line.received - line.returned - billedBefore(line.id)),
          unitPrice: line.unitPrice ?? '0',
        },
      ]),
    ),
  );
  const put = (id: string, next: Partial<Billed>) =>
    setBilled((old) => ({ ...old, [id]: { qty: 0, unitPrice: '0', ...old[id], ...next } }));
  const form = useForm(Form, { kind: order.invoiceType === 'normal' ? 'normal' : 'special', issuedOn: companyDay() });
  const send = useSend(saveInvoice, {
    quiet: true,
    onSuccess: async (done) => {
      notice.success(done.message);
      await refreshOrders();
    },
  });
  const written = rows.flatMap((line) => {
    const { qty, unitPrice } = billed[line.id] ?? { qty: 0, unitPrice: '0' };
    return qty > 0 ? [{ lineId: line.id, qty, unitPrice, taxRate: line.taxRate }] : [];
  });
  const submit = async (values: z.output<typeof Form>) => {
    // The table is no field of the form, which would show what the server says of it nowhere.
    if (written.length === 0) throw new ApiError({ code: 400, msg: '至少填写一行开票数量' });
    return send.mutateAsync({ body: { ...values, orderId: order.id, lines: written } });
  };
  return (
    <FormDialog
      title={`登记发票 ${order.number}`}
      open
      okText="登记"
      width={820}
      form={form}
      onClose={onClose}
      onSubmit={submit}
      fields={{ remark: { span: 2 } }}
    >
      <div className="line-table is-picture order-billed">
        <table aria-label="发票明细">
          <thead>
            <tr>
              <th>商品</th>
              <th className="is-right">已验收</th>
              <th className="is-right">已开票</th>
              <th className="is-right">税率</th>
              <th className="is-right">本张数量</th>
              <th className="is-right">含税单价</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((line) => (
              <tr key={line.id}>
                <td>
                  <ProductCell product={line.product} />
                </td>
                <td className="is-right num">{formatInteger(line.received - line.returned)}</td>
                <td className="is-right num">{formatInteger(billedBefore(line.id))}</td>
                <td className="is-right num">{formatPercent(line.taxRate, 0)}</td>
                <td className="is-right">
                  <InputNumber
                    size="small"
                    aria-label={`${line.product.code} 本张数量`}
                    min={0}
                    precision={0}
                    controls={false}
                    style={{ width: 96 }}
                    value={billed[line.id]?.qty ?? 0}
                    onChange={(qty) => put(line.id, { qty: qty ?? 0 })}
                  />
                </td>
                <td className="is-right">
                  <InputNumber<string>
                    size="small"
                    aria-label={`${line.product.code} 开票单价`}
                    stringMode
                    controls={false}
                    min="0"
                    style={{ width: 104 }}
                    value={billed[line.id]?.unitPrice ?? '0'}
                    onChange={(unitPrice) => put(line.id, { unitPrice: unitPrice ?? '0' })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </FormDialog>
  );
}
