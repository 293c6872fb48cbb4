import { LeftOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { useStore } from '#kit/web/document/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { saveSelf, selfDetail } from '../../contract/self/calls.ts';
import { type SelfState, selfDoc } from '../../contract/self/doc.ts';
import type { SelfInput } from '../../contract/self/input.ts';
import type { SelfLineRow } from '../../contract/self/rows.ts';
import { openLines } from '../../contract/self/waiting.ts';
import { toOptions } from '../choices.ts';
import { type Draft, draftsOf, obstacle, sent } from '../self/draft.ts';
import { bodyOf, OfflineForm, PlatformForm, startOf } from '../self/form.ts';
import { GoodsPicker } from '../self/GoodsPicker.tsx';
import { LineEditor } from '../self/LineEditor.tsx';
import { NoOrders } from '../self/NoOrders.tsx';
import { channelOptions, EDIT, OFFLINE_DETAIL, OFFLINE_EDIT, refreshSelf, useSelfChoices } from '../self/shared.ts';
import '../shipping.css';

const EDITABLE: readonly string[] = ['pending', 'short'];

/** Lines of a document typed by hand, as they were written. */
const ownDrafts = (rows: readonly SelfLineRow[], input: SelfInput): Draft[] =>
  rows.map((row, index) => ({
    key: input.lines[index]?.productId ?? row.id,
    orderId: null,
    orderItemId: null,
    productId: input.lines[index]?.productId ?? null,
    product: row.product,
    order: '',
    local: row.local,
    open: null,
    available: row.available,
    qty: row.qty,
  }));

/**
 * 新增 or 编辑: `id` in the address names a document that nobody has agreed to, `orders` the orders that one is made of. Under
 * 线下 the customer and the goods are typed by hand.
 */
export default function SelfEdit() {
  const tab = useTab();
  const [path = '', query] = tab.address.split('?');
  const search = new URLSearchParams(query);
  const id = search.get('id');
  const found = useCall(selfDetail, { params: { id: id ?? '' } }, { enabled: id !== null, staleTime: 0 });
  const input = found.data?.input;
  const isOffline = input ? input.origin === 'OFFLINE' : path.startsWith('/offline');
  const held = input?.lines ?? [];
  const orders = input
    ? [...new Set(held.flatMap((line) => line.orderId ?? []))]
    : (search.get('orders') ?? '').split(',');
  const wanted = orders.filter(Boolean);
  const open = useCall(
    openLines,
    { body: { orders: wanted, warehouseId: input?.warehouseId ?? '', docId: id } },
    { enabled: !isOffline && wanted.length > 0 && (id === null || input !== undefined), staleTime: 0 },
  );
  const error = found.error ?? open.error;
  if (error) return <ErrorState error={error} onRetry={() => void found.refetch()} text="这张自发货单没有取到。" />;
  if (id === null && !isOffline && wanted.length === 0) return <NoOrders />;
  if ((id !== null && !found.data) || (!isOffline && wanted.length > 0 && !open.data)) return null;
  const lines = isOffline
    ? input && found.data
      ? ownDrafts(found.data.lines, input)
      : []
    : draftsOf(open.data ?? [], held);
  const state = found.data?.document.state;
  return (
    <Editor
      key={`${id}${found.data?.document.version ?? ''}`}
      isOffline={isOffline}
      input={input}
      number={found.data?.document.number}
      closed={state && !EDITABLE.includes(state) ? state : undefined}
      start={lines}
    />
  );
}

interface Props {
  isOffline: boolean;
  input: SelfInput | undefined;
  /** Of the document that is changed; undefined for a new one. */
  number: string | undefined;
  /** The state in which it can no longer be changed. */
  closed: SelfState | undefined;
  start: readonly Draft[];
}

function Editor({ isOffline, input, number, closed, start }: Props) {
  const tab = useTab();
  const choices = useSelfChoices();
  const form = useForm(isOffline ? OfflineForm : (PlatformForm as unknown as typeof OfflineForm), startOf(input));
  const [lines, setLines] = useState<Draft[]>(() => [...start]);
  const { busy, touch, store } = useStore({
    form,
    save: saveSelf,
    submit: undefined,
    refresh: refreshSelf,
    detail: isOffline ? OFFLINE_DETAIL : selfDoc.detail,
    edit: isOffline ? OFFLINE_EDIT : EDIT,
  });
  const change = (next: Draft[]) => {
    touch();
    setLines(next);
  };
  const press = () => {
    const values = form.check();
    const wrong = obstacle(lines);
    if (wrong) notice.error(wrong);
    if (!values || wrong) return;
    void store({ body: { ...bodyOf(values, input, isOffline), lines: sent(lines) } } as never, false);
  };
  const kind = isOffline ? '线下发货单' : '自发货单';
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>{number ? `编辑${number}` : `新增${kind}`}</h1>
      </div>
      <div className="document-content">
        <div className="ship-form">
          <SchemaForm
            form={form}
            columns={6}
            fields={{
              warehouseId: { options: toOptions(choices?.warehouses.filter((one) => one.mine)) },
              authid: { options: toOptions(choices?.stores), placeholder: '可不选' },
              channelId: { options: channelOptions(choices), placeholder: '可不选' },
              country: { placeholder: '如 US' },
              street: { span: 2 },
              remark: { span: 3 },
            }}
          />
        </div>
        <LineEditor
          lines={lines}
          onPut={(key, qty) => change(lines.map((line) => (line.key === key ? { ...line, qty } : line)))}
          {...(isOffline
            ? {
                onRemove: (key: string) => change(lines.filter((line) => line.key !== key)),
                add: (
                  <GoodsPicker
                    warehouseId={String(form.values.warehouseId ?? '')}
                    onPick={({ id, product, available }) =>
                      lines.some((line) => line.key === id)
                        ? notice.warning(`已有SKU【${product.code}】`)
                        : change([
                            ...lines,
                            {
                              key: id,
                              orderId: null,
                              orderItemId: null,
                              productId: id,
                              product,
                              order: '',
                              local: product.code,
                              open: null,
                              available,
                              qty: 1,
                            },
                          ])
                    }
                  />
                ),
              }
            : {})}
        />
      </div>
      <footer className="action-bar">
        {closed && <span className="action-bar-words">单据状态为【{selfDoc.states[closed].title}】，不能修改</span>}
        <span className="spring" />
        <Button type="primary" data-save loading={busy} disabled={closed !== undefined} onClick={press}>
          保存
        </Button>
      </footer>
    </div>
  );
}
