import { call } from '#kit/web/api/index.ts';
import { authSeller } from '../../contract/stores.ts';
import { ConsentResult, type Finish } from '../store/ConsentResult.tsx';

/** Variant B: state, selling_partner_id and spapi_oauth_code. */
const finish: Finish = (query) => {
  const state = query.get('state');
  const seller = query.get('selling_partner_id');
  const code = query.get('spapi_oauth_code');
  if (!state || !seller || !code) return undefined;
  const input = { query: { state, selling_partner_id: seller, spapi_oauth_code: code } };
  return call(authSeller, input, { quiet: true });
};

/** /authresult: where the marketplace's consent page sends the browser back to. */
export default function AuthResult() {
  return <ConsentResult finish={finish} next="首次同步已经开始，进度显示在店铺列表中。" />;
}
