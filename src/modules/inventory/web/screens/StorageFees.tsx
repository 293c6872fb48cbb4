import { ListScreen } from '#kit/web/list/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { FeeFilter, StorageRow, storageFees } from '../../contract/fees.ts';
import { nothingYet } from '../facts.tsx';

/** 仓储费: what the warehouses charge for a month, by product and warehouse. */
export default function StorageFees() {
  const sites = useSiteOptions();
  return (
    <ListScreen
      name="inventory/storageFees"
      title="仓储费"
      unit="行"
      endpoint={storageFees.list}
      exportEndpoint={storageFees.export}
      row={StorageRow}
      filter={FeeFilter}
      options={{ sites }}
      empty={nothingYet('仓储费')}
    />
  );
}
