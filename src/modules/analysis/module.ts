import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { handovers, rowMoves } from '#modules/identity/server/index.ts';
import { listingOwners } from '#modules/profit/server/index.ts';
import { tagUsers } from '#modules/system/server/index.ts';
import { IssueRow } from './contract/issues.ts';
import { RankRow } from './contract/ranks.ts';
import { WallRow } from './contract/wall.ts';
import { listingTags, ownedListings } from './server/care.ts';
import { nightlyJob, refreshJob } from './server/job.ts';
import { handlers } from './server/mark.ts';
import { ownerSpansSelect, ownersMovedSelect } from './server/owners.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'analysis',
  title: '商品分析',
  needs: [
    'identity',
    'system',
    'marketplace',
    'listing',
    'order',
    'inventory',
    'sales',
    'report',
    'advertising',
    'profit',
    'publish',
  ],
  permissions: {
    'amz:analysis:view': '查看商品分析',
    'amz:analysis:export': '导出商品分析',
    'amz:analysis:edit': '修改商品负责人、备注与日均权重',
  },
  menu: {
    sales: [
      {
        title: '商品',
        sort: 20,
        children: [
          {
            title: '商品分析',
            path: '/amazon/sale/listing',
            component: 'analysis/Listings',
            permission: 'amz:analysis:view',
            sort: 5,
          },
          {
            title: 'Listing异常',
            path: '/amazon/listing/issues',
            component: 'analysis/Issues',
            permission: 'amz:analysis:view',
            sort: 12,
          },
        ],
      },
      {
        title: '销售',
        sort: 24,
        children: [
          {
            title: '排名与购物车',
            path: '/amazon/sales/rank',
            component: 'analysis/Ranks',
            permission: 'amz:analysis:view',
            sort: 15,
          },
        ],
      },
    ],
  },
  objects: {
    'analysis.wall': '商品分析',
    'analysis.rank': '排名与购物车',
    'analysis.care': '商品负责信息',
    'analysis.issue': 'Listing异常',
    'analysis.weights': '日均销量权重',
  },
  routes,
  lists: { 'analysis/listings': WallRow, 'analysis/ranks': RankRow, 'analysis/issues': IssueRow },
  jobs: [refreshJob, nightlyJob],
  // Sites change their day at different hours.
  crons: [{ pattern: '30 1,7,13,19 * * *', job: 'analysis.nightly' }],
  on: handlers,
  extensions: [
    extend(listingOwners, { spans: ownerSpansSelect, moved: ownersMovedSelect }),
    extend(tagUsers, listingTags),
    extend(handovers, ownedListings),
    extend(rowMoves, { table: 'analysis.pace_weight', clash: 'target' }),
    extend(rowMoves, { table: 'analysis.listing_care', title: '商品负责信息', clash: 'target' }),
    extend(rowMoves, { table: 'analysis.listing_owner', title: '商品负责人变更' }),
  ],
});
