import { ListScreen, useFilter } from '#kit/web/list/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { PAID_REASONS, ReimbursementFilter, ReimbursementRow, reimbursements } from '../../contract/events.ts';
import { nothingYet, optionsOf } from '../facts.tsx';
import { PaidStrip } from '../PaidStrip.tsx';

const REASONS = optionsOf(PAID_REASONS);

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
      options={{ reasons: REASONS, sites }}
      above={(filter) => <PaidStrip filter={filter} onReason={(reason) => setFilter('reasons', reason)} />}
      empty={nothingYet('赔偿')}
    />
  );
}
