import '../finance.css';
import { Button } from 'antd';
import { useState } from 'react';
import type { OfferedAction } from '#kit/contract/document.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, useCall } from '#kit/web/api/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { DocumentScreen, type Fact, FactColumns, Facts, stepsOf, useNotes } from '#kit/web/document/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { filterFields, filterQuery } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { APPLY, BlocKind, blocRequest, CARRY } from '../../contract/bloc.ts';
import { BlocMove, type BlocStep, blocData, blocNotes, blocSteps } from '../../contract/bloc-calls.ts';
import { ItemFilter, ItemRow } from '../../contract/payables.ts';
import { CarryDialog } from '../CarryDialog.tsx';
import { refreshBloc } from '../refresh.ts';

const WAY = ['draft', 'submitted', 'approved', 'done'];
const ITEMS = ['party', 'book', 'kind', 'title', 'day', 'dueOn', 'amount', 'settled', 'open'] as const;
const KINDS = BlocKind.meta()?.states ?? {};
const FIELDS = filterFields(ItemFilter);

/** A debt leads to itself in the list of all of them. */
const COLUMNS: ColumnOverrides<ItemRow> = {
  party: {
    render: (row) => (
      <TabLink
        to="/finance/payable"
        title="应付与预付"
        query={filterQuery(FIELDS, { party: [row.partyId], keyword: row.subject })}
      >
        {row.party}
      </TabLink>
    ),
    text: (row) => row.party,
  },
};

type Data = Awaited<ReturnType<typeof call<typeof blocData>>>;

function carriedFacts(carried: Data['carried']): Fact[] {
  if (!carried) return [{ label: '执行', value: '还没有执行' }];
  const { account, accountCurrency, paid, fee, payable, category, day, by, note } = carried;
  const money = (amount: string) => <Money amount={amount} currency={accountCurrency ?? 'CNY'} />;
  return [
    { label: '执行日期', value: day },
    { label: '执行人', value: by },
    ...(account ? [{ label: '资金账户', value: account }] : []),
    ...(paid ? [{ label: '账户金额', value: money(paid) }] : []),
    ...(/[1-9]/.test(fee) ? [{ label: '手续费', value: money(fee) }] : []),
    ...(payable ? [{ label: '被代付的应付', value: payable }] : []),
    ...(category ? [{ label: '收支项', value: category }] : []),
    { label: '执行备注', value: note || '—' },
  ];
}

/** One request between companies: what it is for, its way, what came of it in the books, and what can be done with it now. */
export default function BlocDetail() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(blocData, { params: { id } }, { staleTime: 0 });
  const notes = useNotes({ calls: blocNotes, id, timeline: data?.timeline, refresh: refetch });
  const [carrying, setCarrying] = useState(false);
  const head = data?.document;
  const mayCarry = useAllowed(CARRY) && head?.state === 'approved';
  const run = async (name: string, reason?: string) => {
    if (name === 'carry') return setCarrying(true);
    const body = { id, ...(head ? { version: head.version } : {}), ...(reason ? { reason } : {}) };
    const done = await call(blocSteps[name as BlocStep], { body }, {});
    notice.success(done.message);
    await refreshBloc();
  };
  const actions: OfferedAction[] = [
    ...(data?.actions ?? []),
    ...(mayCarry
      ? [
          {
            name: 'carry',
            title: '执行',
            primary: true,
            reason: false,
            consequence: '执行后产生应收、应付，账户与流水同时更新',
          },
        ]
      : []),
  ];
  const money = (value: string) => (head ? <Money amount={value} currency={head.currency} /> : null);
  const items = data?.items ?? [];
  return (
    <>
      <DocumentScreen
        number={head?.number}
        state={head && blocRequest.states[head.state]}
        subject={head && `${KINDS[head.kind]?.title ?? ''} · ${head.giver} → ${head.taker}`}
        steps={head ? stepsOf(blocRequest, WAY, head.state) : []}
        figures={
          head && [
            { key: 'amount', label: '申请金额', value: money(head.amount) },
            ...items.flatMap((item) => {
              const side = item.book === 'PAYABLE' ? '应付' : '应收';
              return [
                { key: `${item.id}s`, label: `${item.party} ${side}已结`, value: money(item.settled) },
                { key: `${item.id}o`, label: `${item.party} ${side}未结`, value: money(item.open) },
              ];
            }),
          ]
        }
        error={error}
        onRetry={() => void refetch()}
        head={
          <Allowed code={APPLY}>
            {head && ['draft', 'returned'].includes(head.state) && (
              <Button
                data-edit
                onClick={() => tab.open('/bloc/request/edit', { title: `编辑${head.number}`, query: { id } })}
              >
                编辑
              </Button>
            )}
          </Allowed>
        }
        tabs={[
          {
            key: 'facts',
            title: '申请内容',
            content: (
              <>
                <FactColumns>
                  <Facts
                    title="申请"
                    facts={[
                      { label: '出方', value: head?.giver },
                      { label: '入方', value: head?.taker },
                      ...(head?.payee ? [{ label: '代付收款方', value: head.payee }] : []),
                      { label: '期望日期', value: head?.wishedOn ?? '—' },
                      { label: '约定归还日', value: head?.dueOn ?? '—' },
                      { label: '事由', value: head?.reason },
                      { label: '备注', value: head?.remark || '—' },
                      { label: '申请人', value: head?.createdByName },
                      { label: '审核人', value: head?.approvedByName || '—' },
                    ]}
                  />
                  <Facts title="执行" facts={carriedFacts(data?.carried ?? null)} />
                </FactColumns>
                <LineTable
                  row={ItemRow}
                  rows={data?.items}
                  only={ITEMS}
                  columns={COLUMNS}
                  label="形成的往来"
                  none="执行后在这里列出应收与应付"
                />
              </>
            ),
          },
          {
            key: 'moves',
            title: '记账明细',
            ...(data ? { count: data.moves.length } : {}),
            content: <LineTable row={BlocMove} rows={data?.moves} label="记账明细" none="还没有记账" />,
          },
          notes.tab,
        ]}
        side={notes.side}
        actions={actions}
        onAction={run}
        approval={head && { def: blocRequest, id, onChanged: () => void refreshBloc() }}
      />
      {carrying && head && <CarryDialog request={head} onClose={() => setCarrying(false)} />}
    </>
  );
}
