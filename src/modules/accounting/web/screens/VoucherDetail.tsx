import '../accounting.css';
import { Button } from 'antd';
import { sum } from '#kit/contract/decimal.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, useCall } from '#kit/web/api/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { DocumentScreen, FactColumns, Facts, stepsOf, useNotes } from '#kit/web/document/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { notice } from '#kit/web/notice.tsx';
import { Proof } from '#kit/web/proof/Proof.tsx';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import {
  VoucherFact,
  type VoucherStep,
  voucherData,
  voucherNotes,
  voucherSteps,
} from '../../contract/voucher-calls.ts';
import { CREATE, CREATE_PATH, DETAIL, EntryRow, TYPES, voucher } from '../../contract/vouchers.ts';
import { refreshVouchers } from '../refresh.ts';

const WAY = ['draft', 'submitted', 'approved', 'posted'];
const PLAIN = ['lineNo', 'summary', 'subject', 'debit', 'credit'] as const;
/** Amounts in another currency have their columns where there are some. */
const WITH_ORIGINAL = [...PLAIN, 'original', 'rate'] as const;

const byNumber = ({ number }: VoucherFact, at: number) => `${at} ${number}`;

/** Every event that a voucher was made from leads to its page. */
const FACTS: ColumnOverrides<VoucherFact> = {
  number: {
    render: ({ number, path }) => {
      const [to = '', search] = path.split('?');
      return to === '' ? (
        number
      ) : (
        <TabLink to={to} title={number} query={Object.fromEntries(new URLSearchParams(search))}>
          {number}
        </TabLink>
      );
    },
    text: ({ number }) => number,
  },
};

function Other({ of }: { of: { id: string; number: string } }) {
  return (
    <TabLink to={DETAIL} title={of.number} query={{ id: of.id }}>
      {of.number}
    </TabLink>
  );
}

/** One voucher: its entries in balance, its way, and what can be done with it now. */
export default function VoucherDetail() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(voucherData, { params: { id } }, { staleTime: 0 });
  const notes = useNotes({ calls: voucherNotes, id, timeline: data?.timeline, refresh: refetch });
  const head = data?.document;
  const lines = data?.lines ?? [];
  const [debit, credit] = [lines.map((line) => line.debit ?? '0'), lines.map((line) => line.credit ?? '0')];
  const run = async (name: string, reason?: string) => {
    const body = { id, ...(head ? { version: head.version } : {}), ...(reason ? { reason } : {}) };
    const done = await call(voucherSteps[name as VoucherStep], { body }, {});
    notice.success(done.message);
    await refreshVouchers();
  };
  return (
    <DocumentScreen
      number={head?.number}
      state={head && voucher.states[head.state]}
      subject={head && `${TYPES[head.type]}字 · ${head.summary}`}
      steps={head ? stepsOf(voucher, WAY, head.state) : []}
      figures={
        head && [
          { key: 'amount', label: '借方合计', value: <Money amount={head.amount} currency="CNY" /> },
          { key: 'day', label: '日期', value: head.day },
          { key: 'attachments', label: '附单据', value: `${head.attachments} 张` },
        ]
      }
      error={error}
      onRetry={() => void refetch()}
      head={
        <Allowed code={CREATE}>
          {head?.state === 'draft' && (
            <Button data-edit onClick={() => tab.open(CREATE_PATH, { title: `编辑${head.number}`, query: { id } })}>
              编辑
            </Button>
          )}
        </Allowed>
      }
      tabs={[
        {
          key: 'lines',
          title: '分录',
          ...(data ? { count: lines.length } : {}),
          content: (
            <>
              <LineTable
                row={EntryRow}
                rows={data?.lines}
                rowId={(row) => String(row.lineNo)}
                only={lines.some(({ original }) => original !== null) ? WITH_ORIGINAL : PLAIN}
                totals={{ debit: sum(debit), credit: sum(credit) }}
                label="分录"
              />
              <div className="accounting-proof">
                <Proof total={sum(debit)} lines={credit} currency="CNY" text="借贷平衡" off="借贷不平衡" />
              </div>
              <FactColumns>
                <Facts
                  title="经手"
                  facts={[
                    { label: '制单人', value: head?.createdByName },
                    { label: '审核人', value: head?.approvedByName || '—' },
                    { label: '过账人', value: head?.postedByName || '—' },
                    ...(data?.reversalOf ? [{ label: '冲销', value: <Other of={data.reversalOf} /> }] : []),
                    ...(data?.reversedBy ? [{ label: '红字凭证', value: <Other of={data.reversedBy} /> }] : []),
                  ]}
                />
              </FactColumns>
            </>
          ),
        },
        ...(data && data.facts.length > 0
          ? [
              {
                key: 'facts',
                title: '来源',
                count: data.facts.length,
                content: (
                  <LineTable row={VoucherFact} rows={data.facts} rowId={byNumber} columns={FACTS} label="来源" />
                ),
              },
            ]
          : []),
        notes.tab,
      ]}
      side={notes.side}
      actions={data?.actions ?? []}
      onAction={run}
    />
  );
}
