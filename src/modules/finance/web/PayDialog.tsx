import { Input, Modal } from 'antd';
import { useState } from 'react';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { formatMoney } from '#kit/contract/format.ts';
import { call, useCall, uuid } from '#kit/web/api/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { listAccounts } from '../contract/accounts.ts';
import { payRequests, type RequestRow } from '../contract/requests.ts';
import { useAccountOptions } from './choices.ts';
import { refreshRequests } from './refresh.ts';

const Form = payRequests.body.pick({ cashAccountId: true, fee: true, day: true, note: true });

interface Props {
  requests: readonly RequestRow[];
  onClose: () => void;
}

/** What each request gets, as it is typed. */
type Typed = Readonly<Record<string, { amount: string; paid: string }>>;

const startOf = (requests: readonly RequestRow[]): Typed =>
  Object.fromEntries(requests.map((one) => [one.id, { amount: new Decimal(one.open).toFixed(2), paid: '' }]));

function totalOf(requests: readonly RequestRow[], typed: Typed, currency: string): string | undefined {
  const parts = requests.map((one) => (one.currency === currency ? typed[one.id]?.amount : typed[one.id]?.paid) ?? '');
  return parts.every((part) => /^\d+(\.\d+)?$/.test(part)) ? sum(parts) : undefined;
}

/** Pays one or several requests out of one account; the bank's fee is shared among them. */
export function PayDialog({ requests, onClose }: Props) {
  const meant = requests.find((one) => one.cashAccountId)?.cashAccountId;
  const form = useForm(Form, { fee: '0', ...(meant ? { cashAccountId: meant } : {}) });
  const [typed, setTyped] = useState(() => startOf(requests));
  const [batchId] = useState(uuid);
  const [busy, setBusy] = useState(false);
  const { data: accounts } = useCall(listAccounts, {}, { staleTime: 10_000 });
  const account = accounts?.find((one) => one.id === form.values.cashAccountId);
  const currency = account?.currency ?? 'CNY';
  const total = totalOf(requests, typed, currency);
  const put = (id: string, key: 'amount' | 'paid', value: string) =>
    setTyped((old) => ({ ...old, [id]: { ...(old[id] ?? { amount: '', paid: '' }), [key]: value } }));

  const send = async () => {
    const values = form.check();
    if (!values || busy) return;
    setBusy(true);
    try {
      const body = {
        ...values,
        batchId,
        requests: requests.map((one) => ({
          id: one.id,
          version: one.version,
          amount: typed[one.id]?.amount ?? '',
          ...(one.currency === currency ? {} : { paid: typed[one.id]?.paid ?? '' }),
        })),
      };
      const done = await call(payRequests, { body }, {});
      notice.success(`已付款 ${done.requests} 单，共 ${formatMoney(done.paid, done.currency)}`);
      await refreshRequests();
      onClose();
    } catch {
      // The client has said why.
    } finally {
      setBusy(false);
    }
  };

  return (
    <Modal
      title={requests.length === 1 ? `付款 ${requests[0]?.number ?? ''}` : `批量付款 ${requests.length} 单`}
      open
      width={720}
      okText={total ? `付款 ${formatMoney(total, currency)}` : '付款'}
      confirmLoading={busy}
      onOk={() => void send()}
      onCancel={onClose}
    >
      <SchemaForm
        form={form}
        columns={4}
        fields={{
          cashAccountId: {
            options: useAccountOptions(),
            span: 2,
            help: account && `余额 ${formatMoney(account.balance, account.currency)}`,
          },
          fee: { prefix: currency, help: requests.length > 1 ? '按付款金额分摊到各单' : undefined },
          day: { help: '留空为今天' },
          note: { span: 4 },
        }}
      />
      <div className="finance-lines">
        {requests.map((one) => (
          <div className="finance-line is-pay" key={one.id}>
            <span className="code">{one.number}</span>
            <span className="ellipsis">
              {one.payee} <span className="label">待付 {formatMoney(one.open, one.currency)}</span>
            </span>
            <Input
              aria-label={`${one.number} 付款金额`}
              prefix={one.currency}
              value={typed[one.id]?.amount}
              onChange={(event) => put(one.id, 'amount', event.target.value)}
            />
            {one.currency !== currency && (
              <Input
                aria-label={`${one.number} 账户支出`}
                prefix={currency}
                placeholder="账户实际支出"
                value={typed[one.id]?.paid}
                onChange={(event) => put(one.id, 'paid', event.target.value)}
              />
            )}
          </div>
        ))}
      </div>
    </Modal>
  );
}
