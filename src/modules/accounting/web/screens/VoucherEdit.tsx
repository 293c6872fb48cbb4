import '../accounting.css';
import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { type call, useCall, uuid } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { useStore } from '#kit/web/document/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { bookState } from '../../contract/subjects.ts';
import { saveVoucher, voucherData, voucherSteps } from '../../contract/voucher-calls.ts';
import { CREATE_PATH, LineInput, VoucherHead, voucher } from '../../contract/vouchers.ts';
import { type DraftEntry, EntryGrid } from '../EntryGrid.tsx';
import { refreshVouchers } from '../refresh.ts';

type Data = Awaited<ReturnType<typeof call<typeof voucherData>>>;

const empty = (): DraftEntry => ({
  key: uuid(),
  summary: '',
  subjectId: undefined,
  debit: '',
  credit: '',
  currency: 'CNY',
  original: '',
});
const linesOf = (data: Data | undefined): DraftEntry[] =>
  data?.lines.map(({ summary, subjectId, debit, credit, currency, original }) => ({
    key: uuid(),
    summary,
    subjectId,
    debit: debit ?? '',
    credit: credit ?? '',
    currency,
    original: original ?? '',
  })) ?? [empty(), empty()];

const isEmpty = ({ summary, subjectId, debit, credit }: DraftEntry) => !summary && !subjectId && !debit && !credit;

/** 录入凭证: `id` in the address names a draft; `opening` begins with the opening balances. */
export default function VoucherEdit() {
  const query = new URLSearchParams(useTab().address.split('?')[1]);
  const id = query.get('id');
  const { data: book } = useCall(bookState, { body: {} });
  const { data, error, isError, refetch } = useCall(
    voucherData,
    { params: { id: id ?? '' } },
    { enabled: id !== null, staleTime: 0 },
  );
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="这张凭证没有取到。" />;
  if (!book || (id !== null && !data)) return null;
  const opening = query.get('opening') ? book.openingDay : null;
  return <Editor key={`${id}${data?.document.version ?? ''}${opening}`} data={data} opening={opening} />;
}

function startOf(data: Data | undefined, opening: string | null): Record<string, unknown> {
  if (data) return { type: data.document.type, day: data.document.day, attachments: data.document.attachments };
  return { type: opening ? 'OPENING' : 'GENERAL', day: opening ?? companyDay(), attachments: 0 };
}

function Editor({ data, opening }: { data: Data | undefined; opening: string | null }) {
  const form = useForm(VoucherHead, startOf(data, opening));
  const [lines, setLines] = useState(() => linesOf(data));
  const [wide, setWide] = useState(false);
  // Amounts in other currencies that are there stay in sight.
  const foreign = wide || lines.some(({ currency }) => currency !== 'CNY');
  const { busy, touch, store } = useStore({
    form,
    save: saveVoucher,
    submit: voucherSteps.submit,
    refresh: refreshVouchers,
    detail: voucher.detail,
    edit: CREATE_PATH,
  });
  const change = (next: DraftEntry[]) => {
    touch();
    setLines(next);
  };
  const press = (andSubmit: boolean) => {
    const values = form.check();
    const checked = LineInput.array().safeParse(lines.filter((line) => !isEmpty(line)));
    if (!checked.success) {
      const [issue] = checked.error.issues;
      const title = LineInput.shape[issue?.path[1] as keyof LineInput]?.meta()?.title ?? '分录';
      return notice.error(`第 ${Number(issue?.path[0] ?? 0) + 1} 行 ${title}：${issue?.message ?? '有误'}`);
    }
    if (!values) return;
    const named = data ? { id: data.document.id, version: data.document.version } : {};
    void store({ body: { ...values, ...named, lines: checked.data } }, andSubmit);
  };
  return (
    <div className="page-list">
      <ListHead title={data ? `编辑凭证 ${data.document.number}` : opening ? '录入期初余额' : '录入凭证'}>
        <Button data-save loading={busy} onClick={() => press(false)}>
          存草稿
        </Button>
        <Button type="primary" loading={busy} onClick={() => press(true)}>
          提交审核
        </Button>
      </ListHead>
      <div className="accounting-form">
        <SchemaForm form={form} columns={4} fields={{ attachments: { help: '张数' } }} />
        <Checkbox
          checked={foreign}
          disabled={foreign && !wide}
          onChange={({ target }) => setWide(target.checked)}
          className="accounting-foreign"
        >
          外币分录
        </Checkbox>
        <EntryGrid lines={lines} foreign={foreign} onChange={change} onAdd={() => change([...lines, empty()])} />
      </div>
    </div>
  );
}
