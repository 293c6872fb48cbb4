import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { reportLoaders, reportPlans, streams } from '#modules/marketplace/server/index.ts';
import { CheckRow } from './contract/check.ts';
import { CouponRow, CouponSumRow, PromotionRow, PromotionSumRow } from './contract/promotions.ts';
import { FeedbackRow, TermRow, TrafficRow, TrafficSumRow, VatRow } from './contract/reports.ts';
import { SearchQueryRow } from './contract/search-queries.ts';
import { orderMetrics } from './server/check/metrics.ts';
import { factLoaders, factPlans } from './server/facts.ts';
import { promotionLoaders, promotionPlans } from './server/promotions/facts.ts';
import { routes } from './server/routes.ts';
import { searchQueryLoader, searchQueryPlan } from './server/search-queries.ts';
import { trafficLoader, trafficPlan } from './server/traffic.ts';
import { trafficSumsHandlers, trafficSumsJob } from './server/traffic-sums/job.ts';

const screen = (title: string, path: string, name: string, permission: string, sort: number) => ({
  title,
  path,
  component: `report/${name}`,
  permission,
  sort,
});

export default defineModule({
  name: 'report',
  title: '平台报表',
  needs: ['identity', 'system', 'marketplace', 'listing', 'inventory', 'order', 'sales'],
  permissions: {
    'amz:check:view': '查看销售核对',
    'amz:check:export': '导出销售核对',
    'amz:traffic:view': '查看流量与搜索词报表',
    'amz:traffic:export': '导出流量与搜索词报表',
    'amz:promotion:view': '查看优惠券与促销效果',
    'amz:promotion:export': '导出优惠券与促销效果',
    'cs:feedback:view': '查看卖家反馈',
    'cs:feedback:export': '导出卖家反馈',
    'fin:vat:view': '查看VAT交易',
    'fin:vat:export': '导出VAT交易',
  },
  menu: {
    sales: [
      {
        title: '订单',
        sort: 10,
        children: [screen('销售核对', '/amazon/sale/order/check', 'SalesCheck', 'amz:check:view', 30)],
      },
      {
        title: '流量与搜索',
        sort: 40,
        children: [
          screen('流量报表', '/amazon/report/pageview', 'Traffic', 'amz:traffic:view', 10),
          screen('品牌分析搜索词', '/amazon/report/searchTerm', 'SearchTerms', 'amz:traffic:view', 20),
          screen('搜索词表现', '/amazon/report/searchQuery', 'SearchQueries', 'amz:traffic:view', 30),
        ],
      },
      {
        title: '促销活动',
        sort: 45,
        children: [
          screen('优惠券效果', '/amazon/report/coupon', 'Coupons', 'amz:promotion:view', 10),
          screen('促销效果', '/amazon/report/promotion', 'Promotions', 'amz:promotion:view', 20),
        ],
      },
    ],
    service: [
      {
        title: '评价',
        sort: 10,
        children: [screen('卖家反馈', '/report/feedback', 'Feedback', 'cs:feedback:view', 10)],
      },
    ],
    finance: [
      {
        title: '税务',
        sort: 60,
        children: [screen('VAT交易', '/finance/vatTransaction', 'Vat', 'fin:vat:view', 10)],
      },
    ],
  },
  objects: {
    'report.salesCheck': '销售核对',
    'report.traffic': '流量报表',
    'report.feedback': '卖家反馈',
    'report.vat': 'VAT交易',
    'report.searchTerm': '品牌分析搜索词',
    'report.coupon': '优惠券效果',
    'report.promotion': '促销效果',
    'report.searchQuery': '搜索词表现',
  },
  routes,
  lists: {
    'report/check': CheckRow,
    'report/traffic': TrafficRow,
    'report/trafficSum': TrafficSumRow,
    'report/feedback': FeedbackRow,
    'report/vat': VatRow,
    'report/searchTerms': TermRow,
    'report/coupons': CouponRow,
    'report/promotions': PromotionRow,
    'report/couponSum': CouponSumRow,
    'report/promotionSum': PromotionSumRow,
    'report/searchQueries': SearchQueryRow,
  },
  jobs: [trafficSumsJob],
  on: trafficSumsHandlers,
  extensions: [
    extend(streams, orderMetrics),
    ...[trafficLoader, searchQueryLoader, ...factLoaders, ...promotionLoaders].map((loader) =>
      extend(reportLoaders, loader),
    ),
    ...[trafficPlan, searchQueryPlan, ...factPlans, ...promotionPlans].map((plan) => extend(reportPlans, plan)),
  ],
});
