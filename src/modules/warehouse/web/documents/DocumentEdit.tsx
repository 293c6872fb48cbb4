import { LeftOutlined } from '@ant-design/icons';
import { Button, ConfigProvider } from 'antd';
import { useState } from 'react';
import type { z } from 'zod';
import type { Product } from '#kit/contract/field.ts';
import { cacheKey, call, download, queryClient, useCall } from '#kit/web/api/index.ts';
import { useStore } from '#kit/web/document/index.ts';
import { useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { assemblyParts } from '../../contract/documents/assembly.ts';
import { COST, EXPORT, type LineRow } from '../../contract/documents/fields.ts';
import './documents.css';
import { type Draft, draftOf, newDraft, obstacle, sent } from './draft.ts';
import { HeadForm } from './HeadForm.tsx';
import { commandOf, type Head, type WebKind } from './kinds.ts';
import { LineEditor } from './LineEditor.tsx';
import { LinesImport } from './LinesImport.tsx';
import { StockPicker } from './StockPicker.tsx';

/** 新增 or 编辑: `id` in the address names a document that nobody has approved yet. */
export function DocumentEdit({ kind }: { kind: WebKind }) {
  const tab = useTab();
  const search = new URLSearchParams(tab.address.split('?')[1]);
  const id = search.get('id') ?? search.get('copy');
  const copy = search.get('id') === null;
  const { data, error, isError, refetch } = useCall(
    kind.calls.data,
    { params: { id: id ?? '' } },
    { enabled: id !== null, staleTime: 0 },
  );
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="这张单据没有取到。" />;
  if (id !== null && !data) return null;
  const head = data?.document as Head | undefined;
  return <Editor key={`${id}${head?.version ?? ''}`} kind={kind} head={head} lines={data?.lines ?? []} copy={copy} />;
}

/** Values of a new document: what its schema takes for granted. */
function defaultsOf(kind: WebKind): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(kind.input.shape).flatMap(([key, field]) => {
      const parsed = (field as z.ZodType).safeParse(undefined);
      const empty = !parsed.success || parsed.data === null || parsed.data === undefined || parsed.data === '';
      return empty || key === 'lines' ? [] : [[key, parsed.data]];
    }),
  );
}

function startOf(kind: WebKind, head: Head | undefined): Record<string, unknown> {
  if (!head) return defaultsOf(kind);
  return Object.fromEntries(Object.entries(head).filter(([, value]) => value !== null));
}

function endsOf(head: Head | undefined): { id: string; name: string }[] {
  if (!head?.toWarehouseId) return [];
  return [
    { id: head.warehouseId, name: head.warehouse },
    { id: head.toWarehouseId, name: head.toWarehouse ?? '' },
  ];
}

/** The head fields of a kind in the order of its form. */
const schemaOf = (kind: WebKind) => {
  const { id: _id, version: _version, lines: _lines, type: _type, remark: _remark, ...rest } = kind.input.shape;
  const keys = [...(kind.name === 'warehouse/exchange' ? [] : ['type']), ...Object.keys(rest), 'remark'];
  return kind.input.pick(Object.fromEntries(keys.map((key) => [key, true as const])) as never);
};

const refreshKind = ({ calls }: WebKind) =>
  Promise.all(
    [calls.list, calls.counts, calls.data].map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })),
  );

const EDITABLE = ['draft', 'rejected'];

interface EditorProps {
  kind: WebKind;
  head: Head | undefined;
  lines: readonly LineRow[];
  copy: boolean;
}

function Editor({ kind, head, lines: before, copy }: EditorProps) {
  const tab = useTab();
  const mayCost = useAllowed(COST);
  const mayExport = useAllowed(EXPORT);
  const [schema] = useState(() => schemaOf(kind));
  const form = useForm(schema as z.ZodObject, startOf(kind, head));
  const [lines, setLines] = useState<Draft[]>(() => before.map(draftOf));
  const [importing, setImporting] = useState(false);
  const [main, setMain] = useState<{ id: string; product: Product } | undefined>(
    head?.productId && head.product ? { id: head.productId, product: head.product } : undefined,
  );
  const submits = 'submit' in kind.def.transitions && kind.write.length > 0;
  const { busy, touch, store } = useStore({
    form,
    save: kind.calls.save,
    submit: submits ? commandOf(kind, 'submit') : undefined,
    refresh: () => refreshKind(kind),
    detail: kind.def.detail,
    edit: kind.edit,
  });
  const warehouseId = String(form.values.warehouseId ?? '');
  const change = (next: Draft[]) => {
    touch();
    setLines(next);
  };

  const press = (andSubmit: boolean) => {
    const values = form.check();
    const wrong = kind.write.length > 0 ? obstacle(lines, kind.write.includes('toProduct')) : undefined;
    if (wrong) notice.error(wrong);
    if (!values || wrong) return;
    const body = {
      ...values,
      ...(head && !copy ? { id: head.id, version: head.version } : {}),
      ...(kind.write.length > 0 ? { lines: sent(lines, kind.write, mayCost) } : {}),
    };
    void store({ body } as never, andSubmit);
  };

  const fill = async () => {
    if (!main) return notice.warning('请先选择主产品');
    const qty = Number(form.values.qty ?? 1) || 1;
    const parts = await call(assemblyParts, { params: { id: main.id }, query: { qty, warehouseId } }, {});
    if (parts.length === 0) return notice.info('该产品没有组合关系，请手工添加子件');
    change(
      parts.map((part) => ({
        ...newDraft(
          { id: part.productId, product: part.product, available: part.available, total: 0, lastCost: null },
          false,
        ),
        qty: part.qty,
        qtyPer: part.qtyPer,
      })),
    );
  };

  const title = head && !copy ? `编辑${head.number}` : `新增${kind.def.title}`;
  const closed = head && !copy && !EDITABLE.includes(head.state) ? kind.def.states[head.state]?.title : undefined;
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>{title}</h1>
        <span className="spring" />
        {kind.write.length > 0 && (
          <ConfigProvider componentSize="small">
            <Button onClick={() => void download(kind.calls.template, {})}>下载模板</Button>
            <Button onClick={() => setImporting(true)}>导入明细</Button>
            {head && mayExport && (
              <Button onClick={() => void download(kind.calls.lines, { params: { id: head.id } })}>导出明细</Button>
            )}
          </ConfigProvider>
        )}
      </div>
      <div className="document-content">
        <div className="document-form">
          <HeadForm
            form={form}
            mayCost={mayCost}
            main={main}
            ends={endsOf(head)}
            onMain={(choice) => {
              setMain(choice);
              form.set('productId', choice.id);
            }}
          />
        </div>
        {kind.write.length > 0 && (
          <LineEditor
            keys={kind.write}
            lines={lines}
            warehouseId={warehouseId}
            mayCost={mayCost}
            takes={kind.name !== 'warehouse/inbound'}
            onChange={change}
            add={
              <>
                <StockPicker
                  warehouseId={warehouseId}
                  onPick={(choice) => {
                    const repeats = lines.some((line) => line.productId === choice.id);
                    if (repeats && !kind.write.includes('lotNo')) notice.warning('不能重复添加SKU');
                    else change([...lines, newDraft(choice, kind.write.includes('unitCost'))]);
                  }}
                />
                {kind.write.includes('qtyPer') && <Button onClick={() => void fill()}>按组合关系带出</Button>}
              </>
            }
          />
        )}
        {kind.write.length === 0 && (
          <p className="document-hint text2">不选产品和库位时盘点整个仓库。保存后在单据页开始盘点。</p>
        )}
      </div>
      <footer className="action-bar">
        {closed && <span className="action-bar-words">单据状态为【{closed}】，不能修改</span>}
        <span className="spring" />
        <Button
          data-save
          loading={busy}
          disabled={closed !== undefined}
          type={submits ? 'default' : 'primary'}
          onClick={() => press(false)}
        >
          保存
        </Button>
        {submits && (
          <Button type="primary" loading={busy} disabled={closed !== undefined} onClick={() => press(true)}>
            保存并提交
          </Button>
        )}
      </footer>
      {importing && (
        <LinesImport
          kind={kind}
          warehouseId={warehouseId}
          onClose={() => setImporting(false)}
          onLines={(rows) => change(rows.map(draftOf))}
        />
      )}
    </div>
  );
}
