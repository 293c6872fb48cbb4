import { ListScreen } from '#kit/web/list/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { OverageFilter, OverageRow, overageFees } from '../../contract/fees.ts';
import { nothingYet } from '../facts.tsx';

/** 超量仓储费: what is charged for volume beyond the seller's limit, by day. */
export default function OverageFees() {
  const sites = useSiteOptions();
  return (
    <ListScreen
      name="inventory/overageFees"
      title="超量仓储费"
      unit="行"
      endpoint={overageFees.list}
      exportEndpoint={overageFees.export}
      row={OverageRow}
      filter={OverageFilter}
      options={{ sites }}
      empty={nothingYet('超量仓储费', '每月')}
    />
  );
}
