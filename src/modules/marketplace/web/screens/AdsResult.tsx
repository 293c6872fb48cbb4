import { call } from '#kit/web/api/index.ts';
import { adsBind } from '../../contract/ads.ts';
import { ConsentResult, type Finish } from '../store/ConsentResult.tsx';

/** Variant A: code and state, or an error where the seller declined. */
const finish: Finish = (query) => {
  const state = query.get('state');
  const code = query.get('code');
  if (!state || !code) return undefined;
  return call(adsBind, { body: { state, code } }, { quiet: true });
};

/** /advresult: where the consent page for advertising sends the browser back to. */
export default function AdsResult() {
  return <ConsentResult finish={finish} next="广告配置已经读取，在店铺列表中打开账号可以查看。" />;
}
