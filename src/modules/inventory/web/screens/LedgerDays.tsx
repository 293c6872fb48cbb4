import { filterFields } from '#kit/web/list/fields.ts';
import { filterQuery, ListScreen } from '#kit/web/list/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { DISPOSITIONS } from '../../contract/facts.ts';
import { BalanceFilter, BalanceRow, balances, MovementFilter } from '../../contract/ledger.ts';
import { BalanceChart } from '../BalanceChart.tsx';
import { nothingYet, optionsOf } from '../facts.tsx';

const CHOICES = { dispositions: optionsOf(DISPOSITIONS).filter(({ value }) => value === value.toUpperCase()) };
const FIELDS = filterFields(MovementFilter);

/** FBA每日库存: what each product began and ended a day with, by disposition, and what moved in between. */
export default function LedgerDays() {
  const tab = useTab();
  const sites = useSiteOptions();
  const open = (filter: Record<string, unknown>) =>
    tab.open('/amazon/inventory/detail', { title: 'FBA库存明细', query: filterQuery(FIELDS, filter) });
  return (
    <ListScreen
      name="inventory/ledgerDay"
      title="FBA每日库存"
      unit="行"
      endpoint={balances.list}
      exportEndpoint={balances.export}
      row={BalanceRow}
      filter={BalanceFilter}
      options={{ ...CHOICES, sites }}
      above={(filter) => (
        <BalanceChart filter={filter} onDay={(day) => open({ ...filter, dates: { from: day, to: day } })} />
      )}
      empty={nothingYet('每日库存')}
      onOpen={(row) =>
        open({ dates: { from: row.day, to: row.day }, skus: [row.product.code], dispositions: [row.disposition] })
      }
    />
  );
}
