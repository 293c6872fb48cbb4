/** A card of the home page: its title, the size that it begins with and the least one, in columns of 12 and rows of 38 px. */
export interface CardDef {
  title: string;
  /** What it tells, in the drawer of cards. */
  text: string;
  w: number;
  h: number;
  minW: number;
  minH: number;
  /** What of the page's filter it follows, and may have otherwise: all of it, stores and sites only, or nothing. */
  follows: 'all' | 'stores' | 'nothing';
  /** Beside the permission to see figures at all. */
  permission?: string;
  /** Shown to whoever has a session: notices, things to do, help. */
  open?: true;
}

const def = (
  title: string,
  text: string,
  [w, h]: readonly [number, number],
  [minW, minH]: readonly [number, number],
  more: Partial<Pick<CardDef, 'follows' | 'permission' | 'open'>> = {},
): CardDef => ({ title, text, w, h, minW, minH, follows: 'all', ...more });

export const CARDS = {
  kpi: def('经营指标', '净销售额、销量、订单、件均价、毛利润', [12, 3], [6, 3]),
  salesChart: def('销售趋势', '销量、订单、退货与上期', [8, 8], [4, 6]),
  compare: def('销量对比', '今日同时段与昨日、前日、上周同日', [4, 8], [3, 7], { follows: 'stores' }),
  pieChart: def('市场销量', '各站点销量与占比', [4, 8], [3, 6]),
  stockChart: def('库存概览', '可售、在途、断货、将断货与冗余', [4, 8], [4, 7], {
    follows: 'stores',
    permission: 'amz:inventory:view',
  }),
  settlement: def('结算', '已结算账期、转账与未结算金额', [4, 8], [3, 7], {
    follows: 'stores',
    permission: 'fin:settlement:view',
  }),
  adChart: def('广告表现', '点击、广告销量、花费、ACoS、TACoS', [4, 8], [4, 7], { permission: 'adv:manager:view' }),
  storeShow: def('店铺绩效', '缺陷率、迟发率、取消率、追踪率与政策违规', [4, 8], [4, 5], {
    follows: 'stores',
    permission: 'amz:performance:view',
  }),
  goodsRank: def('商品销量排名', '按销量、销售额、增长、下滑', [7, 13], [5, 6]),
  personRank: def('销售业绩排名', '负责人的销量、销售额与环比', [5, 6], [4, 5]),
  todo: def('待办事项', '待审核、待付款、待入库、待发货与将逾期', [4, 8], [3, 5], { follows: 'nothing', open: true }),
  sync: def('同步健康', '各店铺数据同步是否及时', [5, 7], [3, 5], { follows: 'stores' }),
  notice: def('公告', '最近 5 条公告', [8, 6], [3, 4], { follows: 'nothing', open: true }),
  service: def('帮助与服务', '帮助文档、版本、联系人与数据时间', [4, 6], [3, 5], { follows: 'nothing', open: true }),
} as const satisfies Record<string, CardDef>;

export type CardKey = keyof typeof CARDS;
export const CARD_KEYS = Object.keys(CARDS) as [CardKey, ...CardKey[]];

const PLACES: readonly [key: CardKey, x: number, y: number][] = [
  ['kpi', 0, 0],
  ['salesChart', 0, 3],
  ['todo', 8, 3],
  ['adChart', 0, 11],
  ['compare', 4, 11],
  ['pieChart', 8, 11],
  ['stockChart', 0, 19],
  ['settlement', 4, 19],
  ['storeShow', 8, 19],
  ['goodsRank', 0, 27],
  ['personRank', 7, 27],
  ['sync', 7, 33],
  ['notice', 0, 40],
  ['service', 8, 40],
];

/** What everybody has who arranged nothing and whose roles have no template. */
export const DEFAULT_CARDS = PLACES.map(([key, x, y]) => ({ key, x, y, w: CARDS[key].w, h: CARDS[key].h }));
