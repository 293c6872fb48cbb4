import { Segmented } from 'antd';
import { useCall } from '#kit/web/api/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { countBindings } from '../contract/bindings.ts';

export type View = 'products' | 'orders' | 'bindings';

const isView = (text: string | null): text is View => text === 'products' || text === 'orders' || text === 'bindings';

/** Which of the lists the tab shows, kept in its address; another one begins without the filters of the one before. */
export function useView(): [View, (view: View) => void] {
  const { address, rewrite } = useTab();
  const [path = '', query = ''] = address.split('?');
  const asked = new URLSearchParams(query).get('view');
  const view = isView(asked) ? asked : 'products';
  return [view, (next) => rewrite(next === 'products' ? path : `${path}?view=${next}`)];
}

/** 产品 | 订单 | 平台SKU配对, with how many SKUs wait to be bound. */
export function Views({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  const open = useCall(countBindings, { body: {} }, { staleTime: 10_000 }).data?.open ?? 0;
  return (
    <Segmented<View>
      value={view}
      onChange={onChange}
      options={[
        { value: 'products', label: '产品' },
        { value: 'orders', label: '订单' },
        { value: 'bindings', label: open > 0 ? `SKU配对 · 待配对 ${open}` : 'SKU配对' },
      ]}
    />
  );
}
