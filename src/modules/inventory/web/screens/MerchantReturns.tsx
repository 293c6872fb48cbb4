import { ListScreen } from '#kit/web/list/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import {
  MERCHANT_RETURN_REASONS,
  MERCHANT_RETURN_STATES,
  MerchantReturnFilter,
  MerchantReturnRow,
  merchantReturns,
} from '../../contract/merchant-returns.ts';
import { nothingYet, optionsOf } from '../facts.tsx';

const CHOICES = { states: optionsOf(MERCHANT_RETURN_STATES), reasons: optionsOf(MERCHANT_RETURN_REASONS) };

/** 自发货退货: what buyers send back to the seller himself. */
export default function MerchantReturns() {
  const sites = useSiteOptions();
  return (
    <ListScreen
      name="inventory/merchantReturns"
      title="自发货退货"
      unit="行"
      endpoint={merchantReturns.list}
      exportEndpoint={merchantReturns.export}
      row={MerchantReturnRow}
      filter={MerchantReturnFilter}
      options={{ ...CHOICES, sites }}
      empty={nothingYet('自发货退货')}
    />
  );
}
