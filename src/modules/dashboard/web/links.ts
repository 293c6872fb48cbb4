import { useTab } from '#kit/web/tabs/scope.ts';
import type { HomeFilter } from '../contract.ts';

type Query = Record<string, string | readonly string[] | undefined>;

interface Days {
  from: string;
  to: string;
}

/** A list's address carries one value of a kind; several chosen stores or sites are left to the list's own filter. */
function only(values: readonly string[]): string | undefined {
  return values.length === 1 ? values[0] : undefined;
}

/** Opens the rows behind a figure, with the filters that made it in the address. */
export function useLinks(filter: HomeFilter) {
  const tab = useTab();
  const open = (path: string, title: string, query: Query = {}) => tab.open(path, { title, query });
  const site = only(filter.marketplaceIds);
  const account = only(filter.accountIds);
  return {
    open,
    orders: (days: Days, more: { marketplaceId?: string; accountId?: string; sku?: string } = {}) =>
      open('/amazon/sale/order/list', '订单列表', {
        'f.dates': `${days.from}~${days.to}`,
        'f.accountIds': more.accountId ?? account,
        'f.marketplaceIds': more.marketplaceId ?? site,
        'f.sku': more.sku,
      }),
    today: (marketplaceId?: string) =>
      open('/amazon/sale/order/today', '今日订单', { 'f.marketplaceIds': marketplaceId ?? site }),
    stock: (tab?: string) =>
      open('/amazon/inventory/quantity', 'FBA库存', {
        'f.tab': tab,
        'f.sites': site && account ? `${site}-${account}` : undefined,
      }),
    profit: (days: Days) => open('/finance/profitReport', '利润报表', { 'f.date': `${days.from}~${days.to}` }),
    settlements: (transfer?: string) =>
      open('/amazon/payment/record', '结算记录', {
        'f.transfer': transfer,
        'f.stores': site && account ? `${site}-${account}` : undefined,
      }),
    /** `stores`: "marketplaceId-accountId" of those that the figure covers; undefined for all. */
    openMoney: (stores: readonly string[] | undefined) =>
      open('/amazon/report/open', '未结算明细', { 'f.stores': stores }),
    stores: () => open('/amazon/storeAuth', '店铺管理'),
    /** The campaigns of the days of a figure. */
    ads: (days: Days) =>
      open('/amazon/manager', '广告活动', {
        'f.dates': `${days.from}~${days.to}`,
        'f.sites': site && account ? `${site}-${account}` : undefined,
      }),
    /** The products that somebody answers for; null: all. */
    products: (ownerId: string | null) =>
      open('/amazon/sale/listing', '商品分析', { 'f.owners': ownerId ?? undefined }),
    performance: (storeId: string, marketplaceId: string) =>
      open('/report/seller', '店铺绩效', { site: `${storeId}/${marketplaceId}` }),
    sync: () => open('/amazon/syncStatus', '同步监控'),
    costs: () => open('/product/cost', '采购成本'),
  };
}
export type Links = ReturnType<typeof useLinks>;
