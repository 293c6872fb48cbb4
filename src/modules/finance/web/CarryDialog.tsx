import { Select } from 'antd';
import { useState } from 'react';
import { formatMoney } from '#kit/contract/format.ts';
import { call, useCall, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { listAccounts } from '../contract/accounts.ts';
import { type BlocRow, wayOf } from '../contract/bloc.ts';
import { CarryForm, carryBloc, payableChoices } from '../contract/bloc-calls.ts';
import { useAccountOptions, useCategoryOptions, useParties } from './choices.ts';
import { refreshBloc } from './refresh.ts';

interface Props {
  request: BlocRow;
  onClose: () => void;
}

const id = 'bloc-debtor';

/** Carries a request out: asks for an account where money moves, for the debt or the category where it is ours. */
export function CarryDialog({ request, onClose }: Props) {
  const { giverId, currency } = request;
  const way = wayOf(request);
  const [money, ours] = [way === 'MONEY', way === 'OURS'];
  const costs = ours || way === 'COST';
  const form = useForm(CarryForm, { fee: '0' });
  const [party, setParty] = useState<string>();
  const parties = useParties().filter((one) => one.id !== giverId);
  const { data: accounts } = useCall(listAccounts, {}, { staleTime: 10_000, enabled: money });
  const { data: debts = [] } = useCall(
    payableChoices,
    { body: { partyId: party ?? '', currency } },
    { enabled: ours && party !== undefined },
  );
  const account = accounts?.find((one) => one.id === form.values.cashAccountId);
  const other = account !== undefined && account.currency !== currency;
  return (
    <FormDialog
      title={`执行 ${request.number}`}
      open
      form={form}
      okText={`执行 ${formatMoney(request.amount, currency)}`}
      fields={{
        cashAccountId: {
          hidden: !money,
          span: 2,
          options: useAccountOptions(money),
          help: account && `余额 ${formatMoney(account.balance, account.currency)}`,
        },
        paid: {
          hidden: !money || !other,
          prefix: account?.currency,
          help: giverId === null ? '账户实际支出' : '账户实际收入',
        },
        fee: { hidden: !money, prefix: account?.currency ?? currency, help: '由本公司承担' },
        payableId: {
          hidden: !ours,
          span: 2,
          options: debts.map((one) => ({
            value: one.id,
            label: `${one.title} ${one.subject}（可代付 ${formatMoney(one.free, currency)}）`,
          })),
          help: party && debts.length === 0 ? '该单位没有可代付的应付' : '不选则计入费用',
        },
        categoryId: {
          hidden: !costs || (ours && Boolean(form.values.payableId)),
          options: useCategoryOptions('OUT', costs),
        },
        day: { help: '留空为今天' },
        note: { span: 2 },
      }}
      onSubmit={async (values) => {
        const body = { ...values, id: request.id, version: request.version };
        const done = await call(carryBloc, { body }, { quiet: true, idempotencyKey: uuid() });
        notice.success(done.message);
        await refreshBloc();
      }}
      onClose={onClose}
    >
      <p className="label">
        {request.giver} → {request.taker}
        {request.payee && `，付给 ${request.payee}`}
      </p>
      {ours && (
        <div className="field">
          <label className="field-label" htmlFor={id}>
            被代付的单位
          </label>
          <Select
            id={id}
            value={party}
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            options={parties.map((one) => ({ value: one.id, label: one.name }))}
            onChange={(value) => {
              setParty(value);
              form.set('payableId', undefined);
            }}
          />
        </div>
      )}
    </FormDialog>
  );
}
