import { Button } from 'antd';
import { useState } from 'react';
import { ListScreen } from '#kit/web/list/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { ACTIONS, PlanningFilter, PlanningRow, planning } from '../../contract/planning.ts';
import { AgingDrawer } from '../aging/AgingDrawer.tsx';
import { RatesDialog } from '../aging/RatesDialog.tsx';
import { nothingYet, optionsOf } from '../facts.tsx';

/** FBA库龄: how old the goods in Amazon's warehouses are, how long they will last, and what lying there will cost. */
export default function Planning() {
  const sites = useSiteOptions();
  const [open, setOpen] = useState<string>();
  const [rates, setRates] = useState(false);
  return (
    <>
      <ListScreen
        name="inventory/planning"
        title="FBA库龄"
        unit="行"
        endpoint={planning.list}
        exportEndpoint={planning.export}
        row={PlanningRow}
        filter={PlanningFilter}
        options={{ sites, actions: optionsOf(ACTIONS) }}
        head={<Button onClick={() => setRates(true)}>仓储费率</Button>}
        onOpen={(row) => setOpen(row.id)}
        current={open}
        empty={nothingYet('FBA库龄')}
      />
      <AgingDrawer id={open} onClose={() => setOpen(undefined)} />
      {rates && <RatesDialog onClose={() => setRates(false)} />}
    </>
  );
}
