import '../costshare.css';
import { Button } from 'antd';
import { useState } from 'react';
import { Decimal } from '#kit/contract/decimal.ts';
import { type call, useCall } from '#kit/web/api/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { useStore } from '#kit/web/document/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { costData, costSteps, saveCostShare } from '../../contract/calls.ts';
import { CostHead, type CostRowInput, costDocument, POST } from '../../contract/document.ts';
import { CostRows, draftRow, totalOf } from '../CostRows.tsx';
import { useTypeOptions } from '../fee-types.ts';
import { RuleMenu } from '../RuleMenu.tsx';
import { refreshCosts } from '../refresh.ts';
import { ShareDialog } from '../ShareDialog.tsx';

type Data = Awaited<ReturnType<typeof call<typeof costData>>>;

/** 添加 or 编辑费用: `id` in the address names a document that is changed. */
export default function CostEdit() {
  const id = new URLSearchParams(useTab().address.split('?')[1]).get('id');
  const { data, error, isError, refetch } = useCall(
    costData,
    { params: { id: id ?? '' } },
    { enabled: id !== null, staleTime: 0 },
  );
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="这张单据没有取到。" />;
  if (id !== null && !data) return null;
  return <Editor key={`${id}${data?.document.version ?? ''}`} data={data} />;
}

function startOf(data: Data | undefined): Record<string, unknown> {
  if (!data) return { currency: 'CNY' };
  const { feeType, currency, amount, from, to, remark } = data.document;
  return { feeType, currency, amount: new Decimal(amount).toFixed(), from, to, remark };
}

function Editor({ data }: { data: Data | undefined }) {
  const form = useForm(CostHead, startOf(data));
  const [rows, setRows] = useState(
    () => data?.rows.map(({ storeKey: store, sku, amount }) => draftRow({ store, sku, amount })) ?? [draftRow()],
  );
  const [sharing, setSharing] = useState<{ amount: string; currency: string; from: string; to: string }>();
  const types = useTypeOptions();
  const mayPost = useAllowed(POST);
  const isPosted = data?.document.state === 'posted';
  const { busy, touch, store } = useStore({
    form,
    save: saveCostShare,
    submit: costSteps.post,
    submitted: '已入账',
    refresh: refreshCosts,
    detail: costDocument.detail,
    edit: '/f/c/e',
  });
  const put = (next: typeof rows) => {
    setRows(next);
    touch();
  };
  const fill = (shared: readonly CostRowInput[]) => put(shared.map((row) => draftRow(row)));
  const press = (andPost: boolean) => {
    const values = form.check();
    if (!values) return;
    if (rows.some((row) => row.store === '')) return void notice.error('请选择分摊商品的店铺');
    const body = {
      ...values,
      rows: rows.map(({ store: key, sku, amount }) => ({ store: key, sku, amount })),
      ...(data ? { id: data.document.id, version: data.document.version } : {}),
    };
    void store({ body }, andPost);
  };
  const share = () => {
    const values = form.check();
    if (values) setSharing(values);
  };
  const currency = String(form.values.currency ?? 'CNY');
  const total = totalOf(rows.map(({ amount }) => amount));
  return (
    <div className="page-list">
      <ListHead title={data ? `编辑 ${data.document.number}` : '添加费用'}>
        <Button {...(isPosted ? { type: 'primary' } : {})} data-save loading={busy} onClick={() => press(false)}>
          {isPosted ? '冲回并重新入账' : '存草稿'}
        </Button>
        {mayPost && !isPosted && (
          <Button type="primary" loading={busy} onClick={() => press(true)}>
            保存并入账
          </Button>
        )}
      </ListHead>
      <div className="cost-form">
        <SchemaForm
          form={form}
          columns={4}
          fields={{
            feeType: { options: types },
            from: { help: '按这一天的汇率折算人民币' },
            to: { help: '每行金额平均分到区间的每一天' },
            remark: { span: 4 },
          }}
        />
        <div className="cost-bar">
          <strong>分摊商品</strong>
          <Button size="small" onClick={share}>
            按规则分摊
          </Button>
          <RuleMenu cost={() => form.check() ?? undefined} onShared={fill} />
          <span className="label">
            分摊合计 <Money amount={total} currency={currency} />
          </span>
        </div>
        <CostRows rows={rows} unit={currency} onChange={put} />
      </div>
      {sharing && <ShareDialog cost={sharing} onShared={fill} onClose={() => setSharing(undefined)} />}
    </div>
  );
}
