import { z } from 'zod';
import { Choice, Day, Id, Money, Quantity, States } from '#kit/contract/field.ts';

export const base = '/amazon/api/v1/fin/jobCosting';
export const VIEW = 'fin:jobcost:view';
export const EXPORT = 'fin:jobcost:export';
export const EDIT = 'fin:jobcost:edit';
/** Who may see what stock costs. */
export const COST = 'erp:inv:cost';

/** Page of one batch: `?id=`. */
export const DETAIL = '/f/j/e';

export const BatchState = States(
  {
    WAITING: { title: '未处理', tone: 'off' },
    READY: { title: '未开始', tone: 'waiting' },
    RUNNING: { title: '扣减中', tone: 'running' },
    DONE: { title: '已扣完', tone: 'done' },
  },
  '状态',
);
export type BatchState = z.infer<typeof BatchState>;

/** Parts of a batch's cost that can be changed: what the pieces were bought for, the first leg, and everything else. */
export const Component = Choice({ purchase: '采购成本', firstLeg: '头程成本', other: '其他成本' }, '成本项目');
export type Component = z.infer<typeof Component>;

/** Why pieces left a batch. */
export const IssueKind = States(
  {
    SALE: { title: '销售', tone: 'done' },
    RETURN: { title: '退回', tone: 'side' },
    REMOVAL: { title: '移除', tone: 'waiting' },
    LOSS: { title: '损耗', tone: 'trouble' },
    ADJUST: { title: '调整', tone: 'off' },
  },
  '类型',
);
export type IssueKind = z.infer<typeof IssueKind>;

/** CNY, with four decimals. */
export const cny = (title: string, tip?: string, width = 110) =>
  Money.nullable().meta({ title, currency: 'CNY', permission: COST, width, ...(tip ? { tip } : {}) });
export const pieces = (title: string, tip?: string) => Quantity.meta({ title, width: 84, ...(tip ? { tip } : {}) });

const range = (title: string) => z.object({ from: Day.optional(), to: Day.optional() }).meta({ title, kind: 'date' });

export const BatchFilter = z.object({
  state: BatchState,
  stores: z.array(z.string().max(100)).max(200).meta({ title: '店铺' }),
  owners: z.array(Id).max(100).meta({ title: '负责人', kind: 'choice' }),
  shipped: range('发货日期'),
  received: range('接收日期'),
  keyword: z.string().trim().max(100).meta({ title: '单据号、货件号、SKU' }),
});
const AnyFilter = BatchFilter.partial();
export type BatchFilter = z.infer<typeof AnyFilter>;
