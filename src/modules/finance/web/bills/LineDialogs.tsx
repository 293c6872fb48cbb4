import { z } from 'zod';
import { Text } from '#kit/contract/field.ts';
import { call, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { type BillRow, ConfirmBillForm, confirmBill } from '../../contract/bills/bill.ts';
import { AssignForm, assignLines, type BillOrderRow, releaseLines } from '../../contract/bills/lines.ts';
import { refreshBills } from './refresh.ts';

interface Props {
  rows: readonly BillOrderRow[];
  onClose: () => void;
}

const idsOf = (rows: readonly BillOrderRow[]) => rows.map((row) => row.id);
const nameOf = (rows: readonly BillOrderRow[]) =>
  rows.length === 1 ? (rows[0]?.orderId ?? '') : `${rows.length} 笔订单`;

/** Puts lines to a purchase order by its number. */
export function AssignDialog({ rows, onClose }: Props) {
  const form = useForm(AssignForm, {});
  return (
    <FormDialog
      title={`手工匹配 ${nameOf(rows)}`}
      open
      form={form}
      columns={1}
      okText="匹配"
      fields={{ order: { help: '已下单的人民币采购单；多笔订单的差异按采购单合计计算' } }}
      onSubmit={async ({ order }) => {
        const body = { ids: idsOf(rows), order };
        await call(assignLines, { body }, { quiet: true, idempotencyKey: uuid() });
        await refreshBills();
      }}
      onClose={onClose}
    />
  );
}

const OutForm = z.object({ note: Text(200, '说明') });

/** Says of lines that they are none of the company's purchases. */
export function OutDialog({ rows, onClose }: Props) {
  const form = useForm(OutForm, {});
  return (
    <FormDialog
      title={`无需付款 ${nameOf(rows)}`}
      open
      form={form}
      columns={1}
      okText="确定无需付款"
      fields={{ note: { help: '例如：样品、自用品，已另行报销' } }}
      onSubmit={async ({ note }) => {
        const body = { ids: idsOf(rows), out: true, note };
        await call(releaseLines, { body }, { quiet: true, idempotencyKey: uuid() });
        await refreshBills();
      }}
      onClose={onClose}
    />
  );
}

/** Says that a bill is right; differences need a reason. */
export function ConfirmDialog({ bill, onClose }: { bill: BillRow; onClose: () => void }) {
  const form = useForm(ConfirmBillForm, {});
  return (
    <FormDialog
      title={`确认账单 ${bill.number}`}
      open
      form={form}
      columns={1}
      okText="确认账单"
      fields={{ reason: { help: '账单与采购单有差异时必填' } }}
      onSubmit={async ({ reason }) => {
        const body = { id: bill.id, version: bill.version, reason };
        await call(confirmBill, { body }, { quiet: true, idempotencyKey: uuid() });
        await refreshBills();
      }}
      onClose={onClose}
    />
  );
}
