import { z } from 'zod';
import { Choice, Day, Money, OptionalText, Quantity } from '#kit/contract/field.ts';

export const base = '/amazon/api/v1/inventoryRpt/worth';
export const VIEW = 'amz:worth:view';
export const EXPORT = 'amz:worth:export';
export const EDIT = 'amz:worth:edit';
export const CLOSE = 'amz:worth:close';
export const REOPEN = 'amz:worth:reopen';
/** What pieces cost is for those who may see the cost of stock. */
export const COST = 'erp:inv:cost';

/** Where goods are on their way from the supplier to the buyer. */
export const Stage = Choice(
  {
    ORDERED: '采购在途',
    LOCAL: '国内仓',
    TRANSFER: '调拨在途',
    FIRST_LEG: '头程在途',
    OVERSEAS: '海外仓',
    AWD: 'AWD',
    FBA_INBOUND: 'FBA待收',
    FBA_FULFILLABLE: 'FBA可售',
    FBA_RESERVED: 'FBA预留',
    FBA_UNSELLABLE: 'FBA不可售',
    FBA_RESEARCHING: 'FBA调查中',
    REMOVAL: '移除在途',
  },
  '阶段',
);
export type Stage = z.infer<typeof Stage>;

/** What the list, the difference and the file may be grouped by. */
export const GroupBy = Choice(
  {
    STAGE: '阶段',
    PLACE: '仓库/店铺库存',
    STORE: '店铺授权',
    PRODUCT: '产品',
    MSKU: '平台SKU',
    BRAND: '品牌',
    CATEGORY: '分类',
    DISPOSITION: '处置',
  },
  '分组',
);
export type GroupBy = z.infer<typeof GroupBy>;

/** Where the cost of pieces comes from. */
export const Source = Choice(
  { LAYER: '成本层', MIXED: '成本层+采购成本', COST: '采购成本', ORDER: '采购单', NONE: '未核价', MANY: '多种' },
  '成本来源',
);
export type Source = z.infer<typeof Source>;

/** Dispositions of Amazon's ledger that cannot be sold, and our own defective warehouses. */
export const Disposition = Choice(
  {
    DEFECTIVE: '有瑕疵',
    CUSTOMER_DAMAGED: '买家损坏',
    WAREHOUSE_DAMAGED: '库房损坏',
    CARRIER_DAMAGED: '承运人损坏',
    DISTRIBUTOR_DAMAGED: '分销商损坏',
    EXPIRED: '已过期',
    OTHER: '其它不可售',
    LOCAL_DEFECT: '自有次品仓',
  },
  '处置',
);
export type Disposition = z.infer<typeof Disposition>;

export const pieces = (title: string, width = 90) => Quantity.meta({ title, width });
export const cny = (title: string, tip?: string) =>
  Money.nullable().meta({ title, width: 120, currency: 'CNY', permission: COST, ...(tip ? { tip } : {}) });

/** Which part of the stock of which day; all parts may be missing. */
export const WorthFilter = z.object({
  day: Day.meta({ title: '截至日期', kind: 'date', tip: '公司时区的日终；缺省为最近一天' }),
  by: GroupBy.meta({ title: '一级分组' }),
  within: GroupBy.meta({ title: '二级分组' }),
  stages: z.array(Stage).max(12).meta({ title: '阶段' }),
  accounts: z.array(z.uuid()).max(200).meta({ title: '店铺授权', kind: 'choice' }),
  warehouses: z.array(z.uuid()).max(200).meta({ title: '仓库', kind: 'choice' }),
  brands: z.array(z.uuid()).max(200).meta({ title: '品牌', kind: 'choice', optional: true }),
  categories: z.array(z.uuid()).max(200).meta({ title: '分类', kind: 'choice', optional: true }),
  keyword: OptionalText(100, 'SKU/名称'),
  uncosted: z.boolean().meta({ title: '仅未核价', optional: true }),
  ordered: z.boolean().meta({ title: '含采购在途', optional: true, tip: '尚未收货，默认不计入货值' }),
});
const Any = WorthFilter.partial();
export type WorthFilter = z.infer<typeof Any>;
