import { ListScreen } from '#kit/web/list/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { ReimbursementFilter, ReimbursementRow, reimbursements } from '../../contract/events.ts';
import { nothingYet } from '../facts.tsx';
import { PaidStrip } from '../PaidStrip.tsx';
import { useFilter } from '../use-filter.ts';

const SORTABLE = ['day', 'product', 'approvedAt', 'amount', 'quantity'];

/** 赔偿: what Amazon paid, or gave back in pieces, for goods that it lost or broke. */
export default function Reimbursements() {
  const sites = useSiteOptions();
  const setFilter = useFilter();
  return (
    <ListScreen
      name="inventory/reimbursements"
      title="赔偿"
      unit="笔"
      endpoint={reimbursements.list}
      exportEndpoint={reimbursements.export}
      row={ReimbursementRow}
      filter={ReimbursementFilter}
      options={{ sites }}
      sortable={SORTABLE}
      above={(filter) => <PaidStrip filter={filter} onReason={(reason) => setFilter('reason', reason)} />}
      empty={nothingYet('赔偿')}
    />
  );
}
