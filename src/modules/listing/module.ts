import { approvables } from '#kit/server/approval.ts';
import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { messageEvents } from '#modules/identity/server/index.ts';
import { noticeReaders, reportLoaders, streams, writeKinds } from '#modules/marketplace/server/index.ts';
import { documentRoute } from '#modules/message/server/index.ts';
import { searchProviders } from '#modules/system/server/index.ts';
import { LABEL_PRINT, LABEL_REPRINT, LabelPrint } from './contract/labels.ts';
import { OfferChange } from './contract/offers.ts';
import { PRICE_APPROVE, PriceRequestRow, priceRequest } from './contract/requests.ts';
import { ListingRow } from './contract.ts';
import { listingEvents, ownEvents } from './server/events.ts';
import { listingLoader } from './server/loader.ts';
import { onFeedEnded, onFeedRetried, readBackJob } from './server/offers/follow.ts';
import { onFeedReleasing } from './server/offers/guard.ts';
import { rankStream } from './server/ranks/stream.ts';
import { priceApproval } from './server/requests/approval.ts';
import { offerNotices } from './server/rivals/notice.ts';
import { forgetOffersJob } from './server/rivals/read.ts';
import { offerStream } from './server/rivals/stream.ts';
import { routes } from './server/routes.ts';
import { listingSearch } from './server/search.ts';
import { listings } from './server/stream.ts';
import { onTermsEnded, onTermsRetried, termsKind } from './server/terms/kind.ts';

export default defineModule({
  name: 'listing',
  title: '在线商品',
  needs: ['identity', 'system', 'message', 'marketplace'],
  permissions: {
    'amz:listing:view': '查看在线商品',
    'amz:listing:export': '导出在线商品',
    'amz:price:view': '查看调价队列',
    'amz:price:edit': '调价与修改自发货库存',
    [PRICE_APPROVE]: '审批低于保本价的价格',
    [LABEL_PRINT]: '打印FNSKU标签',
    [LABEL_REPRINT]: '重打FNSKU标签',
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
          {
            title: '调价队列',
            path: '/amazon/sale/priceadjust',
            component: 'listing/PriceQueue',
            permission: 'amz:price:view',
            sort: 14,
          },
          {
            title: '低价申请',
            path: '/amazon/sale/pricerequest',
            component: 'listing/PriceRequests',
            permission: 'amz:price:view',
            sort: 15,
          },
          {
            title: '标签打印',
            path: '/amazon/product/label',
            component: 'listing/Labels',
            permission: LABEL_PRINT,
            sort: 18,
          },
        ],
      },
    ],
  },
  objects: {
    'listing.listing': '在线商品',
    'listing.offerChange': '调价队列',
    'listing.labelPrint': '标签打印',
    'listing.priceLock': '冻结调价',
    'listing.setting': '低价设置',
    [priceRequest.name]: '低价申请',
  },
  routes,
  documents: [priceRequest],
  lists: {
    'listing/products': ListingRow,
    'listing/offers': OfferChange,
    'listing/priceRequests': PriceRequestRow,
    'listing/labels': LabelPrint,
  },
  jobs: [readBackJob, forgetOffersJob],
  crons: [{ pattern: '20 3 * * *', job: 'listing.forgetOffers' }],
  on: [onFeedEnded, onFeedRetried, onFeedReleasing, onTermsEnded, onTermsRetried],
  extensions: [
    extend(streams, listings),
    extend(streams, offerStream),
    extend(streams, rankStream),
    extend(noticeReaders, offerNotices),
    extend(listingEvents, ownEvents),
    extend(reportLoaders, listingLoader),
    extend(searchProviders, listingSearch),
    extend(writeKinds, termsKind),
    extend(approvables, priceApproval),
    documentRoute({ documentType: priceRequest.name, title: '低价申请', path: () => priceRequest.detail }),
    extend(messageEvents, { event: 'listing.priceRequest', title: '低价申请结果', group: '商品', channels: ['site'] }),
    documentRoute({ documentType: 'offerChange', title: '调价队列', path: () => '/amazon/sale/priceadjust' }),
    extend(messageEvents, { event: 'listing.unconfirmed', title: '调价未生效', group: '商品', channels: ['site'] }),
  ],
});
