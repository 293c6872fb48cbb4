import { ListScreen } from '#kit/web/list/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { CountryStockFilter, CountryStockRow, countryStock, STOCK_COUNTRIES } from '../../contract/stock-reports.ts';
import { nothingYet, optionsOf } from '../facts.tsx';

/** 欧洲各国库存: how many pieces of each product lie in which country of Europe. */
export default function CountryStock() {
  const sites = useSiteOptions();
  return (
    <ListScreen
      name="inventory/countryStock"
      title="欧洲各国库存"
      unit="行"
      endpoint={countryStock.list}
      exportEndpoint={countryStock.export}
      row={CountryStockRow}
      filter={CountryStockFilter}
      options={{ countries: optionsOf(STOCK_COUNTRIES), sites }}
      empty={nothingYet('欧洲各国库存')}
    />
  );
}
