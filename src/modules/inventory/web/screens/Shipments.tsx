import { ListScreen } from '#kit/web/list/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { ShipmentFilter, ShipmentRow, shipments } from '../../contract/shipments.ts';
import { nothingYet } from '../facts.tsx';

/** FBA发货明细: what left Amazon's warehouses for buyers, from where, and with which parcel. */
export default function Shipments() {
  const sites = useSiteOptions();
  return (
    <ListScreen
      name="inventory/shipments"
      title="FBA发货明细"
      unit="行"
      endpoint={shipments.list}
      exportEndpoint={shipments.export}
      row={ShipmentRow}
      filter={ShipmentFilter}
      options={{ sites }}
      empty={nothingYet('FBA发货明细')}
    />
  );
}
