import { ListScreen } from '#kit/web/list/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { RemovalAdviceFilter, RemovalAdviceRow, removalAdvice } from '../../contract/stock-reports.ts';
import { nothingYet } from '../facts.tsx';

/** 建议移除: goods that Amazon would have taken away, because of their age or their state. */
export default function RemovalAdvice() {
  const sites = useSiteOptions();
  return (
    <ListScreen
      name="inventory/removalAdvice"
      title="建议移除"
      unit="行"
      endpoint={removalAdvice.list}
      exportEndpoint={removalAdvice.export}
      row={RemovalAdviceRow}
      filter={RemovalAdviceFilter}
      options={{ sites }}
      empty={nothingYet('建议移除')}
    />
  );
}
