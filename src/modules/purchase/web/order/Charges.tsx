import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, ReasonDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import {
  addCharge,
  CHARGE,
  ChargeKind,
  ChargeRow,
  ChargeSplit,
  orderCharges,
  reverseCharge,
} from '../../contract/charge.ts';
import { OVERSEA } from '../../contract/fields.ts';
import { orderDetail } from '../../contract/order-calls.ts';
import { toOptions, usePurchaseChoices } from '../choices.ts';

const Form = addCharge.body.omit({ orderId: true });

interface DialogProps {
  orderId: string;
  /** Customs take taxes of the goods. */
  imported: boolean;
  onClose: () => void;
}

const TAXES = ['DUTY', 'IMPORT_VAT'];
const optionsOf = (schema: typeof ChargeKind | typeof ChargeSplit) =>
  Object.entries(schema.meta()?.states ?? {}).map(([value, { title }]) => ({ value, label: title }));

function ChargeDialog({ orderId, imported, onClose }: DialogProps) {
  const choices = usePurchaseChoices();
  const form = useForm(Form, { kind: 'FREIGHT', split: 'WEIGHT', recoverable: true });
  const kind = String(form.values.kind);
  const lost = form.values.split === 'TAX' && !TAXES.includes(kind);
  useEffect(() => {
    if (lost) form.set('split', 'WEIGHT');
  }, [lost, form.set]);
  const send = useSend(addCharge, {
    quiet: true,
    refreshes: [orderCharges, orderDetail],
    onSuccess: () => notice.success('后到费用已计入'),
  });
  return (
    <FormDialog
      title="登记后到费用"
      open
      okText="登记"
      form={form}
      onClose={onClose}
      onSubmit={(values) => send.mutateAsync({ body: { ...values, orderId } })}
      fields={{
        payeeId: { options: toOptions(choices?.suppliers) ?? [], placeholder: '采购单的供应商' },
        amount: { help: '人民币' },
        kind: { options: optionsOf(ChargeKind).filter(({ value }) => imported || !TAXES.includes(value)) },
        split: { options: optionsOf(ChargeSplit).filter(({ value }) => value !== 'TAX' || TAXES.includes(kind)) },
        recoverable: { hidden: kind !== 'IMPORT_VAT', help: '可抵扣的进口VAT不计入成本' },
        remark: { span: 2 },
      }}
    />
  );
}

/** Bills that came after the goods, and where their cost went. */
export function Charges({ orderId, came, overseas }: { orderId: string; came: boolean; overseas: boolean }) {
  const { data } = useCall(orderCharges, { params: { id: orderId } }, { staleTime: 0 });
  const [adding, setAdding] = useState(false);
  const [wrong, setWrong] = useState<ChargeRow>();
  const may = useAllowed(CHARGE);
  const imported = useAllowed(OVERSEA) && overseas;
  const reverse = useSend(reverseCharge, {
    refreshes: [orderCharges, orderDetail],
    quiet: true,
    onSuccess: () => notice.success('后到费用已冲销'),
  });
  const takeBack = (row: ChargeRow) =>
    row.reversal !== '' || !may ? (
      row.reversal || '—'
    ) : (
      <Button type="link" size="small" onClick={() => setWrong(row)}>
        冲销
      </Button>
    );
  return (
    <>
      <LineTable
        row={ChargeRow}
        rows={data}
        label="后到费用"
        none="还没有后到费用"
        columns={{ reversal: { render: takeBack } }}
      />
      <Allowed code={CHARGE}>
        <div className="order-add">
          <Button disabled={!came} onClick={() => setAdding(true)}>
            登记后到费用
          </Button>
          <span className="text2">仍在库存的部分提高成本，已售出的部分计入成本差异。</span>
        </div>
      </Allowed>
      {wrong && (
        <ReasonDialog
          title={`冲销 ${wrong.payee} 的后到费用`}
          okText="冲销"
          onSend={(reason) => reverse.mutateAsync({ body: { id: wrong.id, reason } })}
          onClose={() => setWrong(undefined)}
        >
          应付随之冲回；仍在库存的部分退出成本，已售出的部分冲减成本差异。已付款的费用请先撤销付款。
        </ReasonDialog>
      )}
      {adding && <ChargeDialog orderId={orderId} imported={imported} onClose={() => setAdding(false)} />}
    </>
  );
}
