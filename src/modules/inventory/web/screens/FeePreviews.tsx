import { ListScreen } from '#kit/web/list/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { FeeFilter, FeePreviewRow, feePreviews } from '../../contract/fees.ts';
import { nothingYet } from '../facts.tsx';

/** FBA费用预览: what Amazon would keep of one piece, by the size and weight that it measured. */
export default function FeePreviews() {
  const sites = useSiteOptions();
  return (
    <ListScreen
      name="inventory/feePreviews"
      title="FBA费用预览"
      unit="行"
      endpoint={feePreviews.list}
      exportEndpoint={feePreviews.export}
      row={FeePreviewRow}
      filter={FeeFilter}
      options={{ sites }}
      empty={nothingYet('FBA费用预览')}
    />
  );
}
