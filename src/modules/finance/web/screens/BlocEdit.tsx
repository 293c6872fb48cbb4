import '../finance.css';
import { Button } from 'antd';
import { useState } from 'react';
import { cacheKey, type call, queryClient, useCall } from '#kit/web/api/index.ts';
import { useStore } from '#kit/web/document/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { BlocInput, blocRequest, OWN, OWN_NAME } from '../../contract/bloc.ts';
import { blocData, blocSteps, saveBloc } from '../../contract/bloc-calls.ts';
import { partyChoices } from '../../contract/payables.ts';
import { useGroupOptions } from '../choices.ts';
import { PartnerDialog } from '../ItemDialogs.tsx';
import { refreshBloc } from '../refresh.ts';

const Head = BlocInput.omit({ id: true, version: true });
type Data = Awaited<ReturnType<typeof call<typeof blocData>>>;

/** What both sides are to each other, and what carrying out will do, by kind. */
const SIDES: Record<string, { giver: string; taker: string }> = {
  LOAN: { giver: '出借的公司', taker: '借入的公司' },
  ON_BEHALF: { giver: '出钱代付的公司', taker: '被代付的公司' },
  COST: { giver: '转出成本的公司', taker: '承接成本的公司' },
};

function effectOf(kind: unknown, giver: unknown, taker: unknown): string {
  if (!giver || !taker) return '出方执行后为债权方，入方为债务方；至少一方是集团内公司。';
  if (giver !== OWN && taker !== OWN) {
    return '两方都不是本公司：经本公司挂账，对出方记应付、对入方记应收，不动用资金账户。';
  }
  const owed = giver === OWN ? '本公司对入方记应收' : '本公司对出方记应付';
  if (kind === 'COST') return `${owed}，同时${giver === OWN ? '冲减' : '增加'}本公司费用，不动用资金账户。`;
  if (kind === 'ON_BEHALF' && taker === OWN) return `${owed}，执行时选择被代付的应付，或计入费用。`;
  return `${owed}，执行时款项${giver === OWN ? '从' : '进入'}所选资金账户${giver === OWN ? '付出' : ''}。`;
}

/** 发起 or 编辑往来申请: `id` in the address names a draft or one that came back. */
export default function BlocEdit() {
  const id = new URLSearchParams(useTab().address.split('?')[1]).get('id');
  const { data, error, isError, refetch } = useCall(
    blocData,
    { params: { id: id ?? '' } },
    { enabled: id !== null, staleTime: 0 },
  );
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="这张单据没有取到。" />;
  if (id !== null && !data) return null;
  return <Editor key={`${id}${data?.document.version ?? ''}`} data={data} />;
}

function startOf(data: Data | undefined): Record<string, unknown> {
  if (!data) return { kind: 'LOAN', currency: 'CNY' };
  const { kind, giverId, takerId, currency, amount, payee, wishedOn, dueOn, reason, remark } = data.document;
  return {
    kind,
    giverId: giverId ?? OWN,
    takerId: takerId ?? OWN,
    currency,
    amount: amount.replace(/(\.\d\d)\d+$/, '$1'),
    payee,
    wishedOn: wishedOn ?? undefined,
    dueOn: dueOn ?? undefined,
    reason,
    remark,
  };
}

function Editor({ data }: { data: Data | undefined }) {
  const form = useForm(Head, startOf(data));
  const [adding, setAdding] = useState(false);
  const companies = [{ value: OWN, label: OWN_NAME }, ...useGroupOptions()];
  const { kind, giverId, takerId } = form.values;
  const said = SIDES[String(kind)];

  const { busy, store } = useStore({
    form,
    save: saveBloc,
    submit: blocSteps.submit,
    refresh: refreshBloc,
    detail: blocRequest.detail,
    edit: '/bloc/request/edit',
  });
  const press = (andSubmit: boolean) => {
    const values = form.check();
    if (!values) return;
    const body = { ...values, ...(data ? { id: data.document.id, version: data.document.version } : {}) };
    void store({ body }, andSubmit);
  };

  return (
    <div className="page-list">
      <ListHead title={data ? `编辑 ${data.document.number}` : '新增往来申请'}>
        <Button onClick={() => setAdding(true)}>添加集团内公司</Button>
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
            giverId: { options: companies.filter(({ value }) => value !== takerId), help: said?.giver },
            takerId: { options: companies.filter(({ value }) => value !== giverId), help: said?.taker },
            payee: { hidden: kind !== 'ON_BEHALF', help: '代付必填，如供应商或房东' },
            dueOn: { help: '作为应收、应付的到期日' },
            reason: { span: 4 },
            remark: { span: 4 },
          }}
        />
        <p className="label">{effectOf(kind, giverId, takerId)}附件可在保存后的详情页上传。</p>
      </div>
      {adding && (
        <PartnerDialog
          kind="GROUP"
          onClose={() => setAdding(false)}
          onSaved={() => queryClient.invalidateQueries({ queryKey: cacheKey(partyChoices) })}
        />
      )}
    </div>
  );
}
