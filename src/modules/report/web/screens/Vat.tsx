import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { VAT_KINDS, VatFilter, VatRow, vat } from '../../contract/reports.ts';

const KINDS = Object.entries(VAT_KINDS).map(([value, { title }]) => ({ value, label: title }));

/** VAT交易: taxable movements of a month in the United Kingdom and the European Union. */
export default function Vat() {
  const sites = useSiteOptions();
  return (
    <ListScreen
      name="report/vat"
      title="VAT交易"
      unit="行"
      endpoint={vat.list}
      exportEndpoint={vat.export}
      row={VatRow}
      filter={VatFilter}
      options={{ sites, kinds: KINDS }}
      empty={
        <Empty title="还没有VAT交易" text="英国与欧盟站点每月自动获取上个月的VAT交易报告，也可以在「上传报表」上传。" />
      }
    />
  );
}
