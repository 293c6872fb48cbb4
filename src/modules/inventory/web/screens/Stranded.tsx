import { ListScreen } from '#kit/web/list/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { StrandedFilter, StrandedRow, stranded } from '../../contract/planning.ts';
import { nothingYet } from '../facts.tsx';

/** 无在售库存: goods in the warehouse that nobody can buy, and why. */
export default function Stranded() {
  const sites = useSiteOptions();
  return (
    <ListScreen
      name="inventory/stranded"
      title="无在售库存"
      unit="行"
      endpoint={stranded.list}
      exportEndpoint={stranded.export}
      row={StrandedRow}
      filter={StrandedFilter}
      options={{ sites }}
      empty={nothingYet('无在售库存')}
    />
  );
}
