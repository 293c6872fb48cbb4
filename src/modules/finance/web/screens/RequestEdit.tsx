import '../finance.css';
import { Button } from 'antd';
import { useState } from 'react';
import { z } from 'zod';
import { sum } from '#kit/contract/decimal.ts';
import { formatMoney } from '#kit/contract/format.ts';
import { type call, useCall, uuid } from '#kit/web/api/index.ts';
import { useStore } from '#kit/web/document/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { paymentRequest, RequestInput, requestData, requestSteps, saveRequest } from '../../contract/requests.ts';
import { useAccountOptions, useParties } from '../choices.ts';
import { type DraftLine, RequestLines } from '../RequestLines.tsx';
import { refreshRequests } from '../refresh.ts';

const HEAD = RequestInput.pick({ kind: true }).extend({
  partyId: z.uuid('请选择收款方').meta({ title: '收款方' }),
  ...RequestInput.pick({ currency: true, method: true, cashAccountId: true, dueOn: true, remark: true }).shape,
});

const emptyLine = (): DraftLine => ({
  key: uuid(),
  title: '',
  amount: '',
  payableId: null,
  categoryId: null,
  remark: '',
});
type Data = Awaited<ReturnType<typeof call<typeof requestData>>>;

/** 新增 or 编辑请款单: `id` in the address names a draft or one that came back. */
export default function RequestEdit() {
  const id = new URLSearchParams(useTab().address.split('?')[1]).get('id');
  const { data, error, isError, refetch } = useCall(
    requestData,
    { params: { id: id ?? '' } },
    { enabled: id !== null, staleTime: 0 },
  );
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="这张单据没有取到。" />;
  if (id !== null && !data) return null;
  return <Editor key={`${id}${data?.document.version ?? ''}`} data={data} />;
}

function startOf(data: Data | undefined): Record<string, unknown> {
  if (!data) return { kind: 'EXPENSE', currency: 'CNY', method: 'BANK' };
  const { kind, partyId, currency, method, cashAccountId, dueOn, remark } = data.document;
  return {
    kind,
    partyId,
    currency,
    method,
    remark,
    cashAccountId: cashAccountId ?? undefined,
    dueOn: dueOn ?? undefined,
  };
}

const linesOf = (data: Data | undefined): DraftLine[] =>
  data?.lines.map(({ title, amount, payableId, categoryId, remark }) => ({
    key: uuid(),
    title,
    amount: amount.replace(/(\.\d\d)\d+$/, '$1'),
    payableId,
    categoryId,
    remark,
  })) ?? [emptyLine()];

function Editor({ data }: { data: Data | undefined }) {
  const form = useForm(HEAD, startOf(data));
  const [lines, setLines] = useState(() => linesOf(data));
  const { busy, touch, store } = useStore({
    form,
    save: saveRequest,
    submit: requestSteps.submit,
    refresh: refreshRequests,
    detail: paymentRequest.detail,
    edit: '/f/p/e',
  });
  const parties = useParties();
  const currency = String(form.values.currency ?? 'CNY');
  const good = lines.every((line) => /^\d+(\.\d{1,2})?$/.test(line.amount) && line.title.trim() !== '');
  const change = (next: DraftLine[]) => {
    touch();
    setLines(next);
  };

  const press = (andSubmit: boolean) => {
    const values = form.check();
    if (!good) notice.error('请填写每一行的费用项目和金额（最多两位小数）');
    const party = parties.find((one) => one.id === values?.partyId);
    if (!values || !good || !party) return;
    const { partyId: _partyId, ...head } = values;
    const body = {
      ...head,
      party: { kind: party.kind, id: party.id },
      ...(data ? { id: data.document.id, version: data.document.version } : {}),
      lines: lines.map(({ key: _key, ...line }) => line),
    };
    void store({ body }, andSubmit);
  };

  return (
    <div className="page-list">
      <ListHead title={data ? `编辑 ${data.document.number}` : '新增请款单'}>
        <Button data-save loading={busy} onClick={() => press(false)}>
          存草稿
        </Button>
        <Button type="primary" loading={busy} onClick={() => press(true)}>
          提交审核
        </Button>
      </ListHead>
      <div className="finance-form">
        <SchemaForm
          form={form}
          columns={4}
          fields={{
            partyId: { span: 2, options: parties.map((one) => ({ value: one.id, label: one.name })) },
            cashAccountId: { options: useAccountOptions(), help: '付款时可以改' },
            remark: { span: 4 },
          }}
        />
        <RequestLines
          lines={lines}
          onChange={change}
          expense={form.values.kind === 'EXPENSE'}
          partyId={form.values.partyId as string | undefined}
          currency={currency}
          onAdd={() => change([...lines, emptyLine()])}
        />
        <div className="finance-total">
          合计 {good ? formatMoney(sum(lines.map((line) => line.amount)), currency) : '—'}
        </div>
      </div>
    </div>
  );
}
