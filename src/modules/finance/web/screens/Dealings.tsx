import '../finance.css';
import { Button, Segmented } from 'antd';
import { type ReactNode, useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { filterFields, filterQuery, ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import {
  DealingFilter,
  DealingRow,
  exportDealings,
  ItemFilter,
  listDealings,
  partyChoices,
} from '../../contract/payables.ts';
import { BlocList, NewBloc } from '../BlocList.tsx';
import { DealingDialog, PartnerDialog } from '../ItemDialogs.tsx';
import { StatementDrawer } from '../StatementDrawer.tsx';

type View = 'balances' | 'requests';
const VIEWS: { value: View; label: string }[] = [
  { value: 'balances', label: '往来余额' },
  { value: 'requests', label: '往来申请' },
];
/** What two lists keep in the address of one tab: each begins anew when it comes to the front. */
const OF_A_LIST = /^(f\..*|sort|page|size)$/;

/** 往来: what is open with each party, or the requests between companies of the group; the address says which. */
export default function Dealings() {
  const { address, rewrite } = useTab();
  const [path = '', text = ''] = address.split('?');
  const query = new URLSearchParams(text);
  const view: View = query.get('view') === 'requests' ? 'requests' : 'balances';
  const show = (next: View) => {
    for (const key of [...query.keys()]) if (OF_A_LIST.test(key)) query.delete(key);
    if (next === 'requests') query.set('view', next);
    else query.delete('view');
    rewrite(query.size > 0 ? `${path}?${query}` : path);
  };
  const choice = <Segmented<View> aria-label="往来" value={view} options={VIEWS} onChange={show} />;
  return view === 'requests' ? <BlocList view={choice} /> : <Balances view={choice} />;
}

/** What is open with each party, by age; its statement behind it. */
function Balances({ view }: { view: ReactNode }) {
  const tab = useTab();
  const [shown, setShown] = useState<DealingRow>();
  const [adding, setAdding] = useState<'partner' | 'dealing'>();
  const items = (row: DealingRow) =>
    tab.open('/finance/payable', {
      title: '应付与预付',
      query: filterQuery(filterFields(ItemFilter), { party: [row.partyId] }),
    });
  return (
    <>
      <ListScreen
        name="finance/dealings"
        title="往来"
        unit="家"
        density="dense"
        endpoint={listDealings}
        exportEndpoint={exportDealings}
        row={DealingRow}
        filter={DealingFilter}
        onOpen={setShown}
        current={shown?.id}
        head={
          <>
            {view}
            <Allowed code="fin:dealing:apply">
              <Button onClick={() => setAdding('partner')}>添加往来单位</Button>
              <NewBloc />
              <Button type="primary" onClick={() => setAdding('dealing')}>
                登记往来
              </Button>
            </Allowed>
          </>
        }
        actions={(row) => [
          { label: '对账单', onClick: () => setShown(row) },
          { label: '明细', onClick: () => items(row) },
        ]}
        empty={
          <Empty
            title="没有未结清的往来"
            text="供应商的应付、预付和往来单位的借款会按单位和币种汇总在这里，并分出账龄。"
          />
        }
      />
      <StatementDrawer
        party={shown && { id: shown.partyId, name: shown.party, currency: shown.currency }}
        onClose={() => setShown(undefined)}
      />
      {adding === 'dealing' && <DealingDialog onClose={() => setAdding(undefined)} />}
      {adding === 'partner' && (
        <PartnerDialog
          onClose={() => setAdding(undefined)}
          onSaved={() => queryClient.invalidateQueries({ queryKey: cacheKey(partyChoices) })}
        />
      )}
    </>
  );
}
