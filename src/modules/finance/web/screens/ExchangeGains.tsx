import '../finance.css';
import { useState } from 'react';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { exportGains, GainFilter, GainRow, listGains } from '../../contract/gains.ts';
import { useParties } from '../choices.ts';
import { StatementDrawer } from '../StatementDrawer.tsx';

/** 汇兑损益: what paying and collecting at other rates than were booked gained and lost, by month, currency and party. */
export default function ExchangeGains() {
  const [shown, setShown] = useState<GainRow>();
  const parties = useParties();
  return (
    <>
      <ListScreen
        name="finance/gains"
        title="汇兑损益"
        unit="行"
        density="dense"
        endpoint={listGains}
        exportEndpoint={exportGains}
        row={GainRow}
        filter={GainFilter}
        options={{ party: parties.map(({ id, name }) => ({ value: id, label: name })) }}
        onOpen={setShown}
        current={shown?.id}
        actions={(row) => [{ label: '对账单', onClick: () => setShown(row) }]}
        empty={
          <Empty
            title="还没有汇兑损益"
            text="外币应付、预付或应收按入账汇率折合人民币；付款、核销或收款时汇率不同，差额记在这里。"
          />
        }
        note="已实现的汇兑损益；未结清的往来不按期末汇率调整"
      />
      <StatementDrawer
        party={shown && { id: shown.partyId, name: shown.party, currency: shown.currency }}
        onClose={() => setShown(undefined)}
      />
    </>
  );
}
