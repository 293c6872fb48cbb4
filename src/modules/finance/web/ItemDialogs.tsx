import { z } from 'zod';
import { formatMoney } from '#kit/contract/format.ts';
import { call, useCall, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import {
  addDealing,
  DealingForm,
  type ItemRow,
  openDebts,
  PartnerForm,
  type PartnerKind,
  receiveMoney,
  SettleForm,
  savePartner,
  settleItems,
} from '../contract/payables.ts';
import { useAccountOptions, useParties } from './choices.ts';
import { refreshRequests } from './refresh.ts';

interface Props {
  item: ItemRow;
  onClose: () => void;
}

const Receive = receiveMoney.body.omit({ itemId: true });
const Settle = SettleForm.omit({ prepaidId: true }).extend({
  payableId: z.uuid('请选择应付').meta({ title: '核销的应付' }),
});
const two = (amount: string) => amount.replace(/(\.\d\d)\d+$/, '$1');

/** Money that comes back into an account. */
export function ReceiveDialog({ item, onClose }: Props) {
  const form = useForm(Receive, { amount: two(item.open) });
  return (
    <FormDialog
      title={item.book === 'PREPAID' ? `登记退款 · ${item.party}` : `登记收款 · ${item.party}`}
      open
      form={form}
      fields={{
        cashAccountId: { options: useAccountOptions(), span: 2 },
        amount: { prefix: item.currency, help: `未结 ${formatMoney(item.open, item.currency)}` },
        day: { help: '留空为今天' },
        memo: { span: 2 },
      }}
      onSubmit={async (values) => {
        await call(receiveMoney, { body: { ...values, itemId: item.id } }, { quiet: true, idempotencyKey: uuid() });
        await refreshRequests();
      }}
      onClose={onClose}
    />
  );
}

/** What was paid in advance, or what a party owes, is used for a debt to the same party. */
export function SettleDialog({ item, onClose }: Props) {
  const form = useForm(Settle, { amount: two(item.open) });
  const { data: debts = [] } = useCall(openDebts, { body: { partyId: item.partyId, currency: item.currency } }, {});
  const options = debts.map((one) => ({
    value: one.id,
    label: `${one.title} ${one.subject}（可核销 ${formatMoney(one.free, item.currency)}）`,
  }));
  return (
    <FormDialog
      title={`核销 · ${item.party}`}
      open
      form={form}
      okText="核销"
      fields={{
        payableId: { options, span: 2, help: options.length === 0 ? '该单位没有未结的应付' : undefined },
        amount: { prefix: item.currency, help: `可核销 ${formatMoney(item.open, item.currency)}` },
      }}
      onSubmit={async (values) => {
        await call(settleItems, { body: { ...values, prepaidId: item.id } }, { quiet: true, idempotencyKey: uuid() });
        await refreshRequests();
      }}
      onClose={onClose}
    />
  );
}

interface PartnerProps {
  /** What is offered first. */
  kind?: z.output<typeof PartnerKind>;
  onClose: () => void;
  onSaved: () => Promise<unknown>;
}

/** 往来单位 besides the suppliers. */
export function PartnerDialog({ onClose, onSaved, kind = 'OTHER' }: PartnerProps) {
  const form = useForm(PartnerForm, { kind });
  return (
    <FormDialog
      title="添加往来单位"
      open
      form={form}
      fields={{ remark: { span: 2 } }}
      onSubmit={async (values) => {
        await call(savePartner, { body: values }, { quiet: true, idempotencyKey: uuid() });
        await onSaved();
      }}
      onClose={onClose}
    />
  );
}

/** Money lent to a partner or borrowed from one. */
export function DealingDialog({ onClose }: { onClose: () => void }) {
  const form = useForm(DealingForm, { direction: 'LEND' });
  const partners = useParties().filter((one) => one.kind === 'PARTNER');
  return (
    <FormDialog
      title="登记往来"
      open
      form={form}
      fields={{
        partyId: {
          options: partners.map((one) => ({ value: one.id, label: one.name })),
          help: partners.length === 0 ? '请先添加往来单位' : undefined,
        },
        cashAccountId: { options: useAccountOptions() },
        title: { span: 2 },
        day: { help: '留空为今天' },
      }}
      onSubmit={async (values) => {
        await call(addDealing, { body: values }, { quiet: true, idempotencyKey: uuid() });
        await refreshRequests();
      }}
      onClose={onClose}
    />
  );
}
