import { LeftOutlined } from '@ant-design/icons';
import { Button, Select } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { useStore } from '#kit/web/document/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { type OrderType, OVERSEA } from '../../contract/fields.ts';
import { type OrderHead, OrderInput, type OrderLineRow, purchaseOrder } from '../../contract/order.ts';
import { checkOrder, orderDetail, orderSteps, saveOrder } from '../../contract/order-calls.ts';
import { type Choices, placesOf, refreshOrders, usePurchaseChoices } from '../choices.ts';
import { ClauseEditor, clausesOf, wrongClause } from '../order/ClauseEditor.tsx';
import { anotherDraft, type Draft, draftOf, newDraft, obstacle, sent } from '../order/draft.ts';
import { GoodsPicker } from '../order/GoodsPicker.tsx';
import { LineEditor } from '../order/LineEditor.tsx';
import { SidePanel } from '../order/SidePanel.tsx';
import { usePrices } from '../order/use-prices.ts';
import '../purchase.css';

/** 新增 or 编辑采购单: `id` in the address names a draft, `copy` an order to begin with. */
export default function OrderEdit() {
  const tab = useTab();
  const search = new URLSearchParams(tab.address.split('?')[1]);
  const id = search.get('id') ?? search.get('copy');
  const copy = search.get('id') === null;
  const choices = usePurchaseChoices();
  const { data, error, isError, refetch } = useCall(
    orderDetail,
    { params: { id: id ?? '' } },
    { enabled: id !== null, staleTime: 0 },
  );
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="这张单据没有取到。" />;
  if (!choices || (id !== null && !data)) return null;
  return (
    <Editor
      key={`${id}${data?.order.version ?? ''}`}
      choices={choices}
      head={data?.order}
      lines={data?.lines ?? []}
      copy={copy}
    />
  );
}

const HeadForm = OrderInput.pick({
  type: true,
  supplierId: true,
  warehouseId: true,
  currency: true,
  invoiceType: true,
  expectedOn: true,
  freight: true,
  otherFee: true,
  discount: true,
  feeSplit: true,
  incoterm: true,
  incotermPlace: true,
  remark: true,
});

const NEW = {
  type: 'GOODS',
  currency: 'CNY',
  invoiceType: 'none',
  freight: '0',
  otherFee: '0',
  discount: '0',
  feeSplit: 'AMOUNT',
};

const startOf = (head: OrderHead | undefined): Record<string, unknown> =>
  head
    ? Object.fromEntries(Object.entries({ ...head, incoterm: head.incotermRule }).filter(([, value]) => value !== null))
    : NEW;

const CURRENCIES = ['CNY', 'USD', 'EUR', 'GBP', 'JPY'].map((value) => ({ value, label: value }));

interface SelectProps {
  id: string;
  value: unknown;
  invalid: boolean;
  choices: Choices;
  onChoose: (id: string) => void;
}

function SupplierSelect({ id, value, invalid, choices, onChoose }: SelectProps) {
  return (
    <Select
      id={id}
      style={{ width: '100%' }}
      placeholder="请选择供应商"
      status={invalid ? 'error' : ''}
      value={(value as string | undefined) ?? null}
      showSearch={{ optionFilterProp: 'label' }}
      options={choices.suppliers.map((one) => ({
        value: one.id,
        label: one.orderable ? one.name : `${one.name}（不能下单）`,
        disabled: !one.orderable,
      }))}
      onChange={onChoose}
    />
  );
}

interface EditorProps {
  choices: Choices;
  head: OrderHead | undefined;
  lines: readonly OrderLineRow[];
  copy: boolean;
}

function Editor({ choices, head, lines: before, copy }: EditorProps) {
  const tab = useTab();
  const form = useForm(HeadForm, startOf(head));
  const [lines, setLines] = useState<Draft[]>(() => before.map(draftOf));
  const [clauses, setClauses] = useState(() => clausesOf(head));
  const { busy, touch, store } = useStore({
    form,
    save: saveOrder,
    submit: orderSteps.submit,
    refresh: refreshOrders,
    detail: purchaseOrder.detail,
    edit: '/e/p/o',
  });
  const supplierId = String(form.values.supplierId ?? '');
  const currency = String(form.values.currency ?? 'CNY');
  const type = (form.values.type ?? 'GOODS') as OrderType;
  const supplier = choices.suppliers.find((one) => one.id === supplierId);
  const change = (next: Draft[]) => {
    touch();
    setLines(next);
  };
  usePrices(supplierId, currency, lines, setLines);
  const abroad =
    currency !== 'CNY' || choices.warehouses.some((one) => one.id === form.values.warehouseId && one.overseas);
  const imported = useAllowed(OVERSEA) && abroad;
  const terms = imported ? {} : { incoterm: null, incotermPlace: '' };

  const existing = head && !copy ? { id: head.id, version: head.version } : {};
  const written = { ...terms, clauses, lines: sent(lines, imported) };
  const asked = { ...existing, ...form.values, ...written } as unknown as OrderInput;
  const parsed = OrderInput.safeParse(asked);
  const { data: check } = useCall(
    checkOrder,
    { body: parsed.success ? parsed.data : asked },
    { enabled: parsed.success, keep: true },
  );
  const shown = parsed.success ? check : undefined;
  const errors = shown?.findings.filter((finding) => finding.level === 'error').length ?? 0;

  const press = (andSubmit: boolean) => {
    const values = form.check();
    const wrong = obstacle(lines) ?? wrongClause(clauses);
    if (wrong) notice.error(wrong);
    if (!values || wrong) return;
    void store({ body: { ...values, ...existing, ...written } }, andSubmit);
  };
  const choose = (id: string) => {
    const next = choices.suppliers.find((one) => one.id === id);
    form.set('supplierId', id);
    if (!next) return;
    form.set('currency', next.currency);
    form.set('invoiceType', next.invoiceType);
  };

  const approved = head !== undefined && !copy && head.state === 'approved';
  const closed = head && !copy && head.state !== 'draft' && !approved;
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>{head && !copy ? `编辑${head.number}` : '新增采购单'}</h1>
      </div>
      <div className="document-body">
        <div className="document-main document-content">
          <div className="order-form">
            <SchemaForm
              form={form}
              columns={6}
              fields={{
                supplierId: {
                  span: 2,
                  render: ({ id, value, invalid }) => (
                    <SupplierSelect id={id} value={value} invalid={invalid} choices={choices} onChoose={choose} />
                  ),
                  help: supplier && `评级 ${supplier.grade} · ${supplier.terms || '未约定付款条款'}`,
                },
                warehouseId: { placeholder: '请选择入库仓', options: placesOf(choices, 'GOOD') },
                currency: { options: CURRENCIES },
                incoterm: { hidden: !imported, placeholder: 'Incoterms 2020' },
                incotermPlace: { hidden: !imported, placeholder: '如 深圳盐田港' },
                remark: { span: 6 },
              }}
            />
          </div>
          <LineEditor
            lines={lines}
            currency={currency}
            findings={shown?.findings ?? []}
            imported={imported}
            onChange={change}
            add={
              <GoodsPicker
                supplierId={supplierId}
                type={type}
                lines={lines}
                onPick={(goods) => {
                  const again = lines.some((line) => line.productId === goods.id && !line.gift);
                  change([...lines, (again ? anotherDraft : newDraft)(goods, supplier?.taxRate ?? '0')]);
                }}
              />
            }
          />
          <ClauseEditor
            type={type}
            clauses={clauses}
            disabled={approved}
            onChange={(next) => {
              touch();
              setClauses(next);
            }}
          />
        </div>
        <SidePanel check={shown} />
      </div>
      <footer className="action-bar">
        <span className="action-bar-words">
          {closed
            ? '单据已提交，不能修改'
            : errors > 0
              ? `还有 ${errors} 项必须修改`
              : approved
                ? '金额超出容差，或更换供应商、入库仓时，须重新审批'
                : ''}
        </span>
        <span className="spring" />
        {!approved && (
          <Button data-save loading={busy} disabled={closed ?? false} onClick={() => press(false)}>
            存草稿
          </Button>
        )}
        <Button
          type="primary"
          loading={busy}
          disabled={(closed ?? false) || errors > 0}
          onClick={() => press(!approved)}
        >
          {approved ? '保存修改' : '提交审核'}
        </Button>
      </footer>
    </div>
  );
}
