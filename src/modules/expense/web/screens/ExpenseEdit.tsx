import '../expense.css';
import { Button, Segmented } from 'antd';
import { useState } from 'react';
import { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import { type call, useCall } from '#kit/web/api/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { useStore } from '#kit/web/document/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { partyChoices } from '#modules/finance/contract/payables.ts';
import { expenseData, expenseSteps, saveExpense } from '../../contract/calls.ts';
import { ExpenseHead, expenseDocument, type Scope } from '../../contract/document.ts';
import { useDepartmentOptions } from '../choices.ts';
import { byPercent, type DraftLine, type DraftShare, draftLine, draftShare, totalOf } from '../draft.ts';
import { ExpenseLines } from '../ExpenseLines.tsx';
import { Months } from '../Months.tsx';
import { refreshExpenses } from '../refresh.ts';
import { Shares } from '../Shares.tsx';

const Head = ExpenseHead.pick({ kind: true }).extend({
  partyId: z.uuid('请选择收款方').meta({ title: '收款方', kind: 'choice' }),
  ...ExpenseHead.omit({ kind: true }).shape,
});
type Data = Awaited<ReturnType<typeof call<typeof expenseData>>>;

/** 新增 or 编辑费用单: `id` in the address names a draft or one that came back. */
export default function ExpenseEdit() {
  const id = new URLSearchParams(useTab().address.split('?')[1]).get('id');
  const { data, error, isError, refetch } = useCall(
    expenseData,
    { params: { id: id ?? '' } },
    { enabled: id !== null, staleTime: 0 },
  );
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="这张单据没有取到。" />;
  if (id !== null && !data) return null;
  return <Editor key={`${id}${data?.document.version ?? ''}`} data={data} />;
}

function startOf(data: Data | undefined): Record<string, unknown> {
  if (!data) return { kind: 'REIMBURSEMENT', scope: 'COMPANY', currency: 'CNY', months: 1 };
  const { kind, departmentId, spentOn, currency, scope, months, remark, partyId } = data.document;
  return { kind, departmentId: departmentId ?? undefined, spentOn, currency, scope, months, remark, partyId };
}

const plain = (amount: string | null) => (amount === null ? '' : new Decimal(amount).toFixed());

function Editor({ data }: { data: Data | undefined }) {
  const form = useForm(Head, startOf(data));
  const [lines, setLines] = useState<DraftLine[]>(
    () =>
      data?.lines.map(({ feeType, amount, tax, remark }) =>
        draftLine({ feeType, amount: plain(amount), tax: plain(tax), remark }),
      ) ?? [draftLine()],
  );
  const [shares, setShares] = useState<DraftShare[]>(() =>
    data?.shares.length
      ? data.shares.map(({ departmentId, storeKey, sku, amount }) =>
          draftShare({ departmentId: departmentId ?? '', store: storeKey, sku, amount: plain(amount) }),
        )
      : [draftShare()],
  );
  const [byAmount, setByAmount] = useState(true);
  const { data: parties = [] } = useCall(partyChoices, {}, { staleTime: 30_000 });
  const { busy, touch, store } = useStore({
    form,
    save: saveExpense,
    submit: expenseSteps.submit,
    refresh: refreshExpenses,
    detail: expenseDocument.detail,
    edit: '/f/e/e',
  });
  const currency = String(form.values.currency ?? 'CNY');
  const scope = form.values.scope as Scope;
  const total = totalOf(lines.map(({ amount }) => amount));
  const shown = byAmount ? shares : byPercent(shares, total, currency);
  const change =
    <T,>(set: (rows: T[]) => void) =>
    (rows: T[]) => {
      touch();
      set(rows);
    };

  const press = (andSubmit: boolean) => {
    const values = form.check();
    const party = parties.find((one) => one.id === values?.partyId);
    if (!values || !party) return;
    if (lines.some(({ feeType }) => feeType === '')) return void notice.error('请选择每一行的费用类型');
    const { partyId: _partyId, ...head } = values;
    const body = {
      ...head,
      party: { kind: party.kind, id: party.id },
      ...(data ? { id: data.document.id, version: data.document.version } : {}),
      lines: lines.map(({ key: _key, tax, ...line }) => ({ ...line, tax: tax || null })),
      shares:
        scope === 'COMPANY'
          ? []
          : shown.map(({ departmentId, store: site, sku, amount }) => ({
              amount,
              ...(scope === 'DEPARTMENT' ? { departmentId } : { store: site }),
              ...(scope === 'SKU' ? { sku } : {}),
            })),
    };
    void store({ body }, andSubmit);
  };

  return (
    <div className="page-list">
      <ListHead title={data ? `编辑 ${data.document.number}` : '新增费用单'}>
        <Button data-save loading={busy} onClick={() => press(false)}>
          存草稿
        </Button>
        <Button type="primary" loading={busy} onClick={() => press(true)}>
          提交审核
        </Button>
      </ListHead>
      <div className="expense-form">
        <SchemaForm
          form={form}
          columns={4}
          fields={{
            partyId: {
              options: parties.map(({ id, name }) => ({ value: id, label: name })),
              help: '员工报销选择员工对应的往来单位',
            },
            departmentId: { options: useDepartmentOptions() },
            spentOn: { help: '摊销从这个月开始' },
            months: { help: '1 到 60 个月' },
            remark: { span: 4 },
          }}
        />
        <div className="expense-bar">
          <strong>费用明细</strong>
          <span className="label">
            合计 <Money amount={total} currency={currency} />
          </span>
        </div>
        <ExpenseLines lines={lines} currency={currency} onChange={change(setLines)} />
        {scope !== 'COMPANY' && (
          <Shares
            scope={scope}
            shares={shown}
            total={total}
            currency={currency}
            day={String(form.values.spentOn ?? '')}
            mode={
              <Segmented
                size="small"
                aria-label="分摊方式"
                value={byAmount ? 'amount' : 'percent'}
                options={[
                  { value: 'amount', label: '按金额' },
                  { value: 'percent', label: '按比例' },
                ]}
                onChange={(mode) => {
                  setShares(shown);
                  setByAmount(mode === 'amount');
                }}
              />
            }
            byAmount={byAmount}
            onChange={change(setShares)}
            onShared={(rows) => {
              setByAmount(true);
              change(setShares)(rows);
            }}
          />
        )}
        <Months
          day={String(form.values.spentOn ?? '')}
          months={Number(form.values.months)}
          amount={total}
          currency={currency}
        />
      </div>
    </div>
  );
}
