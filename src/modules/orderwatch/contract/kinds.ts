/** A reason to look at an order. */
export interface WatchKind {
  title: string;
  /** What the figure counts. */
  unit: string;
  /** An order whose figure is at least this is odd, unless the company sets another one. */
  threshold: string;
  /** What is compared. */
  help: string;
}

/** What is odd about orders. */
export const WATCH_KINDS = {
  QUANTITY: {
    title: '数量异常',
    unit: '件',
    threshold: '10',
    help: '同一订单中一个 MSKU 的数量',
  },
  PRICE: {
    title: '单价偏低',
    unit: '%',
    threshold: '30',
    help: '单价比该 MSKU 此前 30 天的件均价低多少；此前卖出不足 5 件的不比较',
  },
  DISCOUNT: {
    title: '折扣过高',
    unit: '%',
    threshold: '50',
    help: '折扣 ÷ 商品金额',
  },
  ADDRESS: {
    title: '地址不完整',
    unit: '项',
    threshold: '1',
    help: '自发货且未发完的订单，收货国家、州和邮编缺少几项',
  },
  CLUSTER: {
    title: '集中下单',
    unit: '单',
    threshold: '5',
    help: '同一天、同一 MSKU、寄往同一邮编前三位的订单数，须占该 MSKU 当天订单的一半以上',
  },
  REFUNDS: {
    title: '重复退款',
    unit: '次',
    threshold: '2',
    help: '同一订单退了几次款',
  },
  OVER_REFUND: {
    title: '超额退款',
    unit: '%',
    threshold: '1',
    help: '退回的商品金额超出已收的商品金额多少',
  },
} as const satisfies Record<string, WatchKind>;

export type WatchCode = keyof typeof WATCH_KINDS;
export const WATCH_CODES = Object.keys(WATCH_KINDS) as WatchCode[];
