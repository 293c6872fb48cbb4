import { LeftOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Product } from '#kit/contract/field.ts';
import { call, useCall } from '#kit/web/api/index.ts';
import { useStore } from '#kit/web/document/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { PRICE } from '../../contract/fields.ts';
import {
  ProcessInput,
  processDetail,
  processOrder,
  processParts,
  processSteps,
  saveProcess,
} from '../../contract/process.ts';
import { toOptions } from '../choices.ts';
import { refreshProcesses, useProcessChoices } from '../process/choices.ts';
import { type Part, PartEditor } from '../process/PartEditor.tsx';
import { StockPicker } from '../process/StockPicker.tsx';
import '../purchase.css';

type Detail = Reply<typeof processDetail>;

/** 新增 or 编辑采购加工单: `id` in the address names a draft. */
export default function ProcessEdit() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id');
  const { data, error, isError, refetch } = useCall(
    processDetail,
    { params: { id: id ?? '' } },
    { enabled: id !== null, staleTime: 0 },
  );
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="这张单据没有取到。" />;
  if (id !== null && !data) return null;
  return <Editor key={`${id}${data?.order.version ?? ''}`} before={data} />;
}

const HeadForm = ProcessInput.omit({ id: true, version: true, parts: true });

function startOf(before: Detail | undefined): Record<string, unknown> {
  if (!before) return { kind: 'INHOUSE', qty: 1, feePrice: '0' };
  return Object.fromEntries(Object.entries(before.order).filter(([, value]) => value !== null));
}

function Editor({ before }: { before: Detail | undefined }) {
  const tab = useTab();
  const choices = useProcessChoices();
  const mayPrice = useAllowed(PRICE);
  const form = useForm(HeadForm, startOf(before));
  const [parts, setParts] = useState<Part[]>(() => before?.parts.map((part) => ({ ...part })) ?? []);
  const [main, setMain] = useState<{ id: string; product: Product } | undefined>(
    before && { id: before.order.productId, product: before.order.product },
  );
  const { busy, touch, store } = useStore({
    form,
    save: saveProcess,
    submit: processSteps.submit,
    refresh: refreshProcesses,
    detail: processOrder.detail,
    edit: '/e/p/p/c',
  });
  const warehouseId = String(form.values.warehouseId ?? '');
  const outside = form.values.kind === 'OUTSOURCE';
  const change = (next: Part[]) => {
    touch();
    setParts(next);
  };

  const fill = async (productId: string | undefined) => {
    if (!productId) return notice.warning('请先选择主产品');
    const qty = Number(form.values.qty ?? 1) || 1;
    const found = await call(processParts, { params: { id: productId }, query: { qty, warehouseId } }, {});
    if (found.length === 0) return notice.info('该产品没有组合关系，请手工添加子件');
    change(found);
  };
  const press = (andSubmit: boolean) => {
    const values = form.check();
    const wrong =
      parts.length === 0 ? '至少添加一行数据' : parts.some((part) => !part.qty) ? '子件数量必须为正整数' : undefined;
    if (wrong) notice.error(wrong);
    if (!values || wrong) return;
    const existing = before ? { id: before.order.id, version: before.order.version } : {};
    const lines = parts.map((part) => ({ productId: part.productId, qty: part.qty ?? 0 }));
    void store({ body: { ...values, ...existing, parts: lines } }, andSubmit);
  };
  const closed = before !== undefined && before.order.state !== 'draft';
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>{before ? `编辑${before.order.number}` : '新增采购加工单'}</h1>
      </div>
      <div className="document-content">
        <div className="order-form">
          <SchemaForm
            form={form}
            columns={6}
            fields={{
              productId: {
                span: 2,
                render: () => (
                  <StockPicker
                    warehouseId={warehouseId}
                    placeholder="选择主产品"
                    value={main}
                    onPick={(choice) => {
                      setMain(choice);
                      form.set('productId', choice.id);
                      void fill(choice.id).catch(() => undefined);
                    }}
                  />
                ),
              },
              warehouseId: { placeholder: '请选择仓库', options: toOptions(choices?.warehouses) ?? [] },
              supplierId: {
                hidden: !outside,
                placeholder: '请选择加工商',
                options: toOptions(choices?.suppliers.filter((one) => one.orderable)) ?? [],
              },
              feePrice: { hidden: !mayPrice, help: outside ? '每件合格品应付加工商' : '计入成品成本' },
              remark: { span: 6 },
            }}
          />
        </div>
        <PartEditor
          parts={parts}
          onChange={change}
          add={
            <>
              <StockPicker
                warehouseId={warehouseId}
                placeholder="输入 SKU、名称或条码添加子件"
                onPick={({ id, ...choice }) => {
                  if (parts.some((part) => part.productId === id)) notice.warning('不能重复添加SKU');
                  else change([...parts, { ...choice, productId: id, qty: null }]);
                }}
              />
              <Button onClick={() => void fill(main?.id).catch(() => undefined)}>按组合关系带出</Button>
            </>
          }
        />
      </div>
      <footer className="action-bar">
        <span className="action-bar-words">{closed ? '单据已提交，不能修改' : ''}</span>
        <span className="spring" />
        <Button data-save loading={busy} disabled={closed} onClick={() => press(false)}>
          存草稿
        </Button>
        <Button type="primary" loading={busy} disabled={closed} onClick={() => press(true)}>
          提交审核
        </Button>
      </footer>
    </div>
  );
}
