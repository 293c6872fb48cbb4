import { ListScreen } from '#kit/web/list/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { AgedFilter, AgedRow, agedFees } from '../../contract/fees.ts';
import { nothingYet } from '../facts.tsx';

/** 超龄附加费: what they charge for pieces that lie too long. */
export default function AgedFees() {
  const sites = useSiteOptions();
  return (
    <ListScreen
      name="inventory/agedFees"
      title="超龄附加费"
      unit="行"
      endpoint={agedFees.list}
      exportEndpoint={agedFees.export}
      row={AgedRow}
      filter={AgedFilter}
      options={{ sites }}
      empty={nothingYet('超龄附加费')}
    />
  );
}
