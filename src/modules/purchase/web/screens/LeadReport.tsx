import { ListScreen, useFilter } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { exportLeadTimes, LeadFilter, LeadRow, leadTimes } from '../../contract/lead.ts';
import { placesOf, toOptions, usePurchaseChoices } from '../choices.ts';
import { LeadCharts } from '../report/LeadCharts.tsx';
import { daysOfMonth } from '../report/months.ts';

const DEFAULTS = { dimension: 'SUPPLIER' };

/** 采购时效: where the days between need and stock go, by supplier, product, warehouse, buyer or month. */
export default function LeadReport() {
  const choices = usePurchaseChoices();
  const setFilter = useFilter();
  return (
    <ListScreen
      name="purchase/lead"
      title="采购时效"
      unit="行"
      density="dense"
      endpoint={leadTimes}
      exportEndpoint={exportLeadTimes}
      row={LeadRow}
      filter={LeadFilter}
      defaults={DEFAULTS}
      options={{ supplier: toOptions(choices?.suppliers), warehouse: placesOf(choices, 'GOOD') }}
      above={(filter) => (
        <LeadCharts filter={filter} onMonth={(month) => setFilter('placed', daysOfMonth(month).join('~'))} />
      )}
      empty={<Empty title="还没有到货" text="采购单到货后统计审批、下单、生产、运输和质检各用了多少天。" />}
    />
  );
}
