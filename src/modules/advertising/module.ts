import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { adsStreams } from '#modules/marketplace/server/index.ts';
import { AdGroupRow, CampaignRow, NegativeRow, ProductAdRow, TargetRow, TermRow } from './contract/lists.ts';
import { ChangeRow, PlacementRow } from './contract/more-lists.ts';
import { routes } from './server/routes.ts';
import { advertisingStreams } from './server/streams.ts';

export default defineModule({
  name: 'advertising',
  title: '广告',
  needs: ['identity', 'system', 'marketplace', 'listing', 'inventory'],
  permissions: {
    'adv:manager:view': '查看广告',
    'adv:manager:export': '导出广告',
  },
  menu: {
    advertising: [
      {
        title: '广告管理',
        sort: 10,
        children: [
          {
            title: '广告活动',
            path: '/amazon/manager',
            component: 'advertising/Manager',
            permission: 'adv:manager:view',
            sort: 10,
          },
        ],
      },
    ],
  },
  objects: {
    'advertising.campaign': '广告活动',
    'advertising.adGroup': '广告组',
    'advertising.productAd': '推广商品',
    'advertising.target': '投放',
    'advertising.term': '用户搜索词',
    'advertising.negative': '否定投放',
    'advertising.placement': '广告位',
    'advertising.change': '广告操作记录',
  },
  routes,
  lists: {
    'advertising/campaigns': CampaignRow,
    'advertising/adGroups': AdGroupRow,
    'advertising/productAds': ProductAdRow,
    'advertising/targets': TargetRow,
    'advertising/terms': TermRow,
    'advertising/negatives': NegativeRow,
    'advertising/placements': PlacementRow,
    'advertising/changes': ChangeRow,
  },
  extensions: advertisingStreams.map((stream) => extend(adsStreams, stream)),
});
