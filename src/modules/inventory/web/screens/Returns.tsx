import { ListScreen, useFilter } from '#kit/web/list/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { RETURN_REASONS, ReturnFilter, ReturnRow, returns } from '../../contract/events.ts';
import { DISPOSITIONS } from '../../contract/facts.ts';
import { nothingYet, optionsOf } from '../facts.tsx';
import { ReturnCharts } from '../ReturnCharts.tsx';

const CHOICES = {
  reasons: optionsOf(RETURN_REASONS),
  dispositions: optionsOf(DISPOSITIONS).filter(({ value }) => value === value.toUpperCase()),
};

/** 退货订单: what buyers sent back to Amazon's warehouses, and why. */
export default function Returns() {
  const sites = useSiteOptions();
  const setFilter = useFilter();
  return (
    <ListScreen
      name="inventory/returns"
      title="退货订单"
      unit="条"
      endpoint={returns.list}
      exportEndpoint={returns.export}
      row={ReturnRow}
      filter={ReturnFilter}
      options={{ ...CHOICES, sites }}
      above={(filter) => (
        <ReturnCharts
          filter={filter}
          onReason={(reason) => setFilter('reasons', reason)}
          onDay={(day) => setFilter('dates', `${day}~${day}`)}
        />
      )}
      empty={nothingYet('退货')}
    />
  );
}
