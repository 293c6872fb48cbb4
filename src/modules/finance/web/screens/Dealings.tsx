import '../finance.css';
import { Button } from 'antd';
import { useState } from 'react';
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
import { DealingDialog, PartnerDialog } from '../ItemDialogs.tsx';
import { StatementDrawer } from '../StatementDrawer.tsx';

/** 往来: what is open with each party, by age; its statement behind it. */
export default function Dealings() {
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
          <Allowed code="fin:dealing:apply">
            <Button onClick={() => setAdding('partner')}>添加往来单位</Button>
            <Button type="primary" onClick={() => setAdding('dealing')}>
              登记往来
            </Button>
          </Allowed>
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
