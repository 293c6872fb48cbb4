import { ListScreen, useFilter } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { PRICE } from '../../contract/fields.ts';
import { exportPriceTrends, PriceFilter, PriceRow, priceTrends } from '../../contract/price-trend.ts';
import { toOptions, usePurchaseChoices } from '../choices.ts';
import { PriceChart } from '../report/PriceChart.tsx';

/** 价格波动: what products cost at their suppliers, and how that moved; one product opens its chart. */
export default function PriceReport() {
  const choices = usePurchaseChoices();
  const setFilter = useFilter();
  const prices = useAllowed(PRICE);
  return (
    <ListScreen
      name="purchase/prices"
      title="价格波动"
      unit="行"
      endpoint={priceTrends}
      exportEndpoint={exportPriceTrends}
      row={PriceRow}
      filter={PriceFilter}
      options={{ supplier: toOptions(choices?.suppliers) }}
      actions={(row) =>
        prices ? [{ key: 'chart', label: '走势', onClick: () => setFilter('sku', row.product.code) }] : []
      }
      above={(filter) => prices && <PriceChart filter={filter} />}
      empty={<Empty title="还没有采购价格" text="采购单下单后，按商品和供应商比较各次采购的单价。" />}
    />
  );
}
