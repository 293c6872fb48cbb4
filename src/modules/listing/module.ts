import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { reportLoaders, streams } from '#modules/marketplace/server/index.ts';
import { searchProviders } from '#modules/system/server/index.ts';
import { ListingRow } from './contract.ts';
import { listingLoader } from './server/loader.ts';
import { routes } from './server/routes.ts';
import { listingSearch } from './server/search.ts';
import { listings } from './server/stream.ts';

export default defineModule({
  name: 'listing',
  title: '在线商品',
  needs: ['identity', 'system', 'marketplace'],
  permissions: {
    'amz:listing:view': '查看在线商品',
    'amz:listing:export': '导出在线商品',
  },
  menu: {
    sales: [
      {
        title: '商品',
        sort: 20,
        children: [
          {
            title: '在线商品',
            path: '/amazon/listing/products',
            component: 'listing/Products',
            permission: 'amz:listing:view',
            sort: 10,
          },
        ],
      },
    ],
  },
  objects: {
    'listing.listing': '在线商品',
  },
  routes,
  lists: { 'listing/products': ListingRow },
  extensions: [extend(streams, listings), extend(reportLoaders, listingLoader), extend(searchProviders, listingSearch)],
});
