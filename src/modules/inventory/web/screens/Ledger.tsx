import { ListScreen, useFilter } from '#kit/web/list/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { DISPOSITIONS } from '../../contract/facts.ts';
import { EVENTS, MovementFilter, MovementRow, movements, REASONS } from '../../contract/ledger.ts';
import { nothingYet, optionsOf } from '../facts.tsx';
import { LedgerProofStrip } from '../LedgerProofStrip.tsx';

const CHOICES = {
  events: optionsOf(EVENTS),
  dispositions: optionsOf(DISPOSITIONS).filter(({ value }) => value === value.toUpperCase()),
  reasons: optionsOf(REASONS),
};

/** FBA库存明细: every movement into and out of Amazon's warehouses, and the proof that none is missing. */
export default function Ledger() {
  const sites = useSiteOptions();
  const setFilter = useFilter();
  return (
    <ListScreen
      name="inventory/ledger"
      title="FBA库存明细"
      unit="条"
      endpoint={movements.list}
      exportEndpoint={movements.export}
      row={MovementRow}
      filter={MovementFilter}
      options={{ ...CHOICES, sites }}
      above={(filter) => <LedgerProofStrip filter={filter} onEvent={(event) => setFilter('events', event)} />}
      empty={nothingYet('FBA库存流水')}
    />
  );
}
