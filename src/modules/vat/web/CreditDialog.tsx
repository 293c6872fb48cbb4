import { Input, Modal } from 'antd';
import { useState } from 'react';
import { formatMoney } from '#kit/contract/format.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { creditInvoice, invoiceDetail } from '../contract/invoices.ts';
import { REFRESHES } from './refreshes.ts';

interface Props {
  id: string;
  onClose: () => void;
}

/** 红字: takes an accepted invoice back by lines; what is left of each is proposed. */
export function CreditDialog({ id, onClose }: Props) {
  const { data } = useCall(invoiceDetail, { params: { id } }, { staleTime: 0 });
  const [typed, setTyped] = useState<Readonly<Record<number, string>>>({});
  const send = useSend(creditInvoice, {
    refreshes: REFRESHES,
    onSuccess: ({ number }) => {
      notice.success(`已开红字发票 ${number}`);
      onClose();
    },
  });
  if (!data) return null;
  const { invoice, lines } = data;
  const amountOf = (lineNo: number, left: string | null) => typed[lineNo] ?? left ?? '0';
  const submit = () =>
    send.mutate({
      body: {
        id,
        version: invoice.version,
        lines: lines
          .map(({ lineNo, left }) => ({ lineNo, gross: amountOf(lineNo, left).trim() }))
          .filter(({ gross }) => Number(gross) !== 0),
      },
    });
  return (
    <Modal
      title={`开红字发票 · ${invoice.number}`}
      open
      width={680}
      okText="开红字"
      confirmLoading={send.isPending}
      onOk={submit}
      onCancel={onClose}
    >
      <p className="label">
        按含税金额填写，每行不能超过可红冲金额。亚马逊登记过的退款会自动出现在列表中，无需在此填写。
      </p>
      <div className="line-table is-dense">
        <table aria-label="红字明细">
          <thead>
            <tr>
              <th>名称</th>
              <th className="is-right">税率%</th>
              <th className="is-right">总额</th>
              <th className="is-right">可红冲</th>
              <th className="is-right">红字金额</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.id}>
                <td>{line.kind === 'ITEM' ? line.title : line.kind === 'GIFT' ? '礼品包装' : '运费'}</td>
                <td className="is-right num">{line.rate}</td>
                <td className="is-right num">{formatMoney(line.gross, line.currency)}</td>
                <td className="is-right num">{line.left === null ? '—' : formatMoney(line.left, line.currency)}</td>
                <td className="is-right">
                  <Input
                    size="small"
                    aria-label={`第${line.lineNo}行红字金额`}
                    style={{ width: 110 }}
                    value={amountOf(line.lineNo, line.left)}
                    onChange={({ target }) => setTyped((old) => ({ ...old, [line.lineNo]: target.value }))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Modal>
  );
}
