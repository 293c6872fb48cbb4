import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { exportSummary, purchaseSummary, SummaryFilter, SummaryRow } from '../../contract/report.ts';
import { placesOf, toOptions, usePurchaseChoices } from '../choices.ts';

const DEFAULTS = { dimension: 'SUPPLIER' };

/** 采购统计: what was bought, from whom, by whom and when. */
export default function SummaryReport() {
  const choices = usePurchaseChoices();
  return (
    <ListScreen
      name="purchase/summary"
      title="采购统计"
      unit="行"
      density="dense"
      endpoint={purchaseSummary}
      exportEndpoint={exportSummary}
      row={SummaryRow}
      filter={SummaryFilter}
      defaults={DEFAULTS}
      options={{ supplier: toOptions(choices?.suppliers), warehouse: placesOf(choices, 'GOOD') }}
      empty={<Empty title="还没有采购统计" text="采购单下单后按供应商、商品、采购员和月份统计。" />}
    />
  );
}
