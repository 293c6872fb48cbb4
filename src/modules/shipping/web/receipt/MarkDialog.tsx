import { InputNumber } from 'antd';
import { useState } from 'react';
import { call } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { markBox } from '../../contract/receipt/calls.ts';
import type { BoxReceiptRow } from '../../contract/receipt/receipt.ts';
import { refreshShip } from '../choices.ts';
import { refreshClaims } from '../claim/refresh.ts';

interface Props {
  id: string;
  box: BoxReceiptRow;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

const Mark = markBox.body.pick({ mark: true, deliveredOn: true, remark: true });

/** What somebody knows of one box: whether it came, what of it, and when the carrier had it signed for. */
export function MarkDialog({ id, box, onClose, onDone }: Props) {
  const form = useForm(Mark, { mark: box.mark, deliveredOn: box.deliveredOn, remark: box.remark });
  const [pieces, setPieces] = useState<Record<string, number>>(() =>
    Object.fromEntries(box.items.map(({ lineId, received }) => [lineId, received])),
  );
  const partly = form.values.mark === 'PARTLY';
  return (
    <FormDialog
      title={`标记第 ${box.no} 箱`}
      open
      form={form}
      fields={{
        mark: { help: '优先于规则，不超过亚马逊的数量' },
        deliveredOn: { help: '承运商签收的日期，签收的箱先分配' },
        remark: { span: 2 },
      }}
      onClose={onClose}
      onSubmit={async (values) => {
        const items = partly ? box.items.map(({ lineId }) => ({ lineId, qty: pieces[lineId] ?? 0 })) : [];
        const body = { id, boxNo: box.no, version: box.version, ...values, items };
        notice.success((await call(markBox, { body }, { quiet: true })).message);
        await Promise.all([onDone(), refreshShip(), refreshClaims()]);
      }}
    >
      {partly && (
        <div className="line-table" style={{ maxHeight: 300, overflow: 'auto' }}>
          <table aria-label="实收明细">
            <thead>
              <tr>
                <th>平台SKU</th>
                <th className="is-right">装箱数</th>
                <th className="is-right">实收数</th>
              </tr>
            </thead>
            <tbody>
              {box.items.map(({ lineId, msku, packed }) => (
                <tr key={lineId}>
                  <td className="code">{msku}</td>
                  <td className="is-right num">{packed}</td>
                  <td className="is-right">
                    <InputNumber
                      size="small"
                      aria-label={`${msku} 实收数`}
                      min={0}
                      max={packed}
                      precision={0}
                      controls={false}
                      style={{ width: 96 }}
                      value={pieces[lineId] ?? 0}
                      onChange={(qty) => setPieces((old) => ({ ...old, [lineId]: qty ?? 0 }))}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </FormDialog>
  );
}
