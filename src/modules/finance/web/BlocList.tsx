import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { DueDay } from '#kit/web/cells/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { APPLY, BlocFilter, BlocRow, blocRequest, CARRY } from '../contract/bloc.ts';
import { countBloc, exportBloc, listBloc } from '../contract/bloc-calls.ts';
import { CarryDialog } from './CarryDialog.tsx';
import { useGroupOptions } from './choices.ts';

const WAITING: readonly string[] = ['submitted', 'approved'];

const COLUMNS: ColumnOverrides<BlocRow> = {
  number: {
    render: (row) => (
      <TabLink to={blocRequest.detail} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
  wishedOn: {
    render: (row) => (WAITING.includes(row.state) ? <DueDay day={row.wishedOn} none="—" /> : (row.wishedOn ?? '—')),
    text: (row) => row.wishedOn ?? '',
  },
};

/** The button that begins a request between companies. */
export function NewBloc({ primary = false }: { primary?: boolean }) {
  const tab = useTab();
  return (
    <Allowed code={APPLY}>
      <Button
        type={primary ? 'primary' : 'default'}
        onClick={() => tab.open('/bloc/request/edit', { title: '新增往来申请' })}
      >
        发起申请
      </Button>
    </Allowed>
  );
}

/** Requests between companies of the group, the newest first. @param view chooses between them and the balances */
export function BlocList({ view }: { view: ReactNode }) {
  const tab = useTab();
  const mayApply = useAllowed(APPLY);
  const mayCarry = useAllowed(CARRY);
  const [carrying, setCarrying] = useState<BlocRow>();
  const open = (row: BlocRow) => tab.open(blocRequest.detail, { title: row.number, query: { id: row.id } });
  return (
    <>
      <ListScreen
        name="finance/blocRequests"
        title="往来申请"
        unit="单"
        density="two"
        endpoint={listBloc}
        exportEndpoint={exportBloc}
        row={BlocRow}
        filter={BlocFilter}
        tabs={{ field: 'state', counts: countBloc }}
        options={{ company: useGroupOptions() }}
        columns={COLUMNS}
        onOpen={open}
        head={
          <>
            {view}
            <NewBloc primary />
          </>
        }
        actions={(row) => [
          ...(mayCarry && row.state === 'approved' ? [{ label: '执行', onClick: () => setCarrying(row) }] : []),
          ...(mayApply && ['draft', 'returned'].includes(row.state)
            ? [
                {
                  label: '编辑',
                  edits: true,
                  onClick: () => tab.open('/bloc/request/edit', { title: `编辑${row.number}`, query: { id: row.id } }),
                },
              ]
            : []),
          { label: '查看', onClick: () => open(row) },
        ]}
        empty={
          <Empty title="还没有往来申请" text="集团内公司之间的借款、代付和成本转移在这里申请，审核后由财务执行。">
            <NewBloc primary />
          </Empty>
        }
      />
      {carrying && <CarryDialog request={carrying} onClose={() => setCarrying(undefined)} />}
    </>
  );
}
