import { ListScreen } from '#kit/web/list/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { ACTIONS, PlanningFilter, PlanningRow, planning } from '../../contract/planning.ts';
import { nothingYet, optionsOf } from '../facts.tsx';

/** FBA库龄: how old the goods in Amazon's warehouses are, and how long they will last. */
export default function Planning() {
  const sites = useSiteOptions();
  return (
    <ListScreen
      name="inventory/planning"
      title="FBA库龄"
      unit="行"
      endpoint={planning.list}
      exportEndpoint={planning.export}
      row={PlanningRow}
      filter={PlanningFilter}
      options={{ sites, actions: optionsOf(ACTIONS) }}
      empty={nothingYet('FBA库龄')}
    />
  );
}
