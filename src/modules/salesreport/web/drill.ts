import type { DetailFilter } from '../contract/details.ts';

interface Drill {
  path: string;
  title: string;
  /** What the link says. */
  word: string;
  query: Record<string, string>;
}

const ORDERS = { path: '/amazon/sale/order/list', title: '订单列表', word: '查看订单' };
const DETAILS = { path: '/amazon/sales/details', title: '销量详情', word: '按MSKU查看' };

/** What stands behind a row: its orders, or the SKUs of what orders know nothing of. Undefined where nothing can be asked for. */
export function drillOf({ by = 'msku' }: DetailFilter, key: string): Drill | undefined {
  if (key === '') return undefined;
  const [account = '', marketplace = '', ...sku] = key.split('|');
  switch (by) {
    case 'msku':
      return {
        ...ORDERS,
        query: { 'f.accountIds': account, 'f.marketplaceIds': marketplace, 'f.sku': sku.join('|') },
      };
    case 'asin':
      return { ...ORDERS, query: { 'f.asin': key } };
    case 'store':
      return { ...ORDERS, query: { 'f.accountIds': key } };
    case 'site':
      return { ...ORDERS, query: { 'f.marketplaceIds': key } };
    case 'parent':
      return { ...DETAILS, query: { 'f.by': 'msku', 'f.parents': key } };
    case 'owner':
      return { ...DETAILS, query: { 'f.by': 'msku', 'f.owners': key } };
    case 'brand':
      return { ...DETAILS, query: { 'f.by': 'msku', 'f.brands': key } };
    case 'category':
      return { ...DETAILS, query: { 'f.by': 'msku', 'f.categories': key } };
    default:
      return undefined;
  }
}
