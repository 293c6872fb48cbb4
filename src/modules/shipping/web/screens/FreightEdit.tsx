import { LeftOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { useStore } from '#kit/web/document/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { FreightBillInput, type FreightBillRow, freightBill } from '../../contract/freight/bill.ts';
import { findFreightOrders, freightBillDetail, freightSteps, saveFreightBill } from '../../contract/freight/calls.ts';
import { type Draft, newDraft, obstacle, sent } from '../freight/draft.ts';
import { LineEditor } from '../freight/LineEditor.tsx';
import { PasteDialog } from '../freight/PasteDialog.tsx';
import { EDIT_PATH, type FreightChoices, refreshFreight, useFreightChoices } from '../freight/shared.ts';
import '../shipping.css';

const HeadForm = FreightBillInput.omit({ id: true, version: true, lines: true });

/** 新增 or 编辑物流账单: `id` in the address names a draft. */
export default function FreightEdit() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id');
  const choices = useFreightChoices();
  const found = useCall(freightBillDetail, { params: { id: id ?? '' } }, { enabled: id !== null, staleTime: 0 });
  if (found.isError) {
    return <ErrorState error={found.error} onRetry={() => void found.refetch()} text="这张物流账单没有取到。" />;
  }
  if (!choices || (id !== null && !found.data)) return null;
  const { bill, input } = found.data ?? {};
  return <Editor key={`${id}${bill?.version ?? ''}`} choices={choices} input={input} bill={bill} />;
}

interface Props {
  choices: FreightChoices;
  input: FreightBillInput | undefined;
  /** The draft that is changed; undefined for a new bill. */
  bill: FreightBillRow | undefined;
}

function Editor({ choices, input, bill }: Props) {
  const tab = useTab();
  const form = useForm(HeadForm, input ?? { day: companyDay(), currency: 'CNY', base: choices.base });
  const [lines, setLines] = useState<Draft[]>(() => input?.lines ?? [newDraft()]);
  const [pasting, setPasting] = useState(false);
  const { busy, touch, store } = useStore({
    form,
    save: saveFreightBill,
    submit: freightSteps.submit,
    refresh: refreshFreight,
    detail: freightBill.detail,
    edit: EDIT_PATH,
  });
  const references = [...new Set(lines.map((line) => line.reference.trim()).filter(Boolean))].sort();
  const { data: orders } = useCall(
    findFreightOrders,
    { body: { references } },
    { enabled: references.length > 0, keep: true },
  );
  const change = (next: Draft[]) => {
    touch();
    setLines(next);
  };
  const press = (andSubmit: boolean) => {
    const values = form.check();
    const wrong = obstacle(lines);
    if (wrong) notice.error(wrong);
    if (!values || wrong) return;
    const named = bill ? { id: bill.id, version: bill.version } : {};
    void store({ body: { ...values, ...named, lines: sent(lines) } }, andSubmit);
  };
  const closed = bill !== undefined && bill.state !== 'draft';
  const carriers = choices.carriers.map(({ id, name, disabled }) => ({
    value: id,
    label: disabled ? `${name}（已停用）` : name,
  }));
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>{bill ? `编辑${bill.number}` : '新增物流账单'}</h1>
        <span className="spring" />
        <Button size="small" onClick={() => setPasting(true)}>
          粘贴明细
        </Button>
      </div>
      <div className="document-content">
        <div className="ship-form">
          <SchemaForm
            form={form}
            columns={6}
            fields={{
              carrierId: { options: carriers },
              billNo: { placeholder: '物流商的账单编号' },
              day: { help: '外币按这天的汇率折算' },
              dueOn: { help: '留空为账单日期' },
              base: { help: '计费重按渠道规则逐箱计算' },
              remark: { span: 6 },
            }}
          />
        </div>
        <LineEditor
          lines={lines}
          currency={String(form.values.currency ?? 'CNY')}
          orders={orders && new Map(orders.map((one) => [one.reference, one]))}
          onChange={change}
        />
      </div>
      <footer className="action-bar">
        <span className="action-bar-words">{closed ? '账单已提交，不能修改' : ''}</span>
        <span className="spring" />
        <Button data-save loading={busy} disabled={closed} onClick={() => press(false)}>
          存草稿
        </Button>
        <Button type="primary" loading={busy} disabled={closed} onClick={() => press(true)}>
          提交审核
        </Button>
      </footer>
      {pasting && (
        <PasteDialog
          onLines={(more) => change([...lines.filter((line) => line.reference.trim() !== ''), ...more])}
          onClose={() => setPasting(false)}
        />
      )}
    </div>
  );
}
