import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Instant, Money, States, Text } from '#kit/contract/field.ts';
import { BatchRow } from './batches.ts';
import { base, COST, Component, cny, EDIT, IssueKind, pieces, VIEW } from './fields.ts';

const number = z.string().meta({ title: '单据', kind: 'code', width: 150 });
const path = z.string().nullable();

/** Where pieces of a batch were first received. */
export const OriginRow = z.object({
  id: z.string(),
  number,
  action: z.string().meta({ title: '来源', width: 150 }),
  day: Day.meta({ title: '首次入库', width: 100 }),
  qty: pieces('件数'),
  amount: cny('出库时成本'),
  path,
});

const parts = { purchase: cny('采购'), firstLeg: cny('头程'), other: cny('其他') };

/** A layer that holds or held pieces of a batch. */
export const LayerRow = z.object({
  id: z.string(),
  place: z.string().meta({ title: '位置', width: 160 }),
  number,
  receivedOn: Day.meta({ title: '入层日期', width: 100 }),
  qtyIn: pieces('入层数量'),
  qtyLeft: pieces('剩余数量'),
  ...parts,
  amount: cny('剩余成本'),
  settled: States(
    { FINAL: { title: '已结', tone: 'done' }, ESTIMATED: { title: '暂估', tone: 'waiting' } },
    '成本',
  ).meta({
    width: 76,
  }),
  path,
});

/** Pieces that left a batch, with what they took of each part of its cost. */
export const IssueRow = z.object({
  id: z.string(),
  day: Day.meta({ title: '日期', width: 100 }),
  kind: IssueKind.meta({ width: 80 }),
  action: z.string().meta({ title: '动作', width: 160 }),
  number,
  qty: pieces('件数'),
  ...parts,
  amount: cny('合计'),
  path,
});
export type IssueRow = z.infer<typeof IssueRow>;

/** A change of a batch's cost: a bill that came late, or a correction. */
export const ChangeRow = z.object({
  id: z.string(),
  at: Instant.meta({ title: '时间', width: 130 }),
  number,
  component: z.string().meta({ title: '成本项目', width: 100 }),
  before: cny('原总额'),
  after: cny('新总额'),
  amount: cny('变动'),
  toLayers: cny('计入库存', '仍在途和在库的件数分到的金额'),
  variance: cny('成本差异', '已扣件数分到的金额，计入当期'),
  operator: z.string().meta({ title: '操作人', kind: 'person', width: 100 }),
  note: z.string().meta({ title: '原因', width: 180 }),
  path,
});

/** A batch with all that the ledger knows of it. Costs only for those who may see them. */
export const batchData = endpoint({
  title: '批次成本详情',
  method: 'GET',
  path: `${base}/:id`,
  permission: VIEW,
  params: z.object({ id: Id }),
  reply: z.object({
    batch: BatchRow,
    freight: z
      .object({
        estimated: Money.nullable().meta({ title: '头程预估', currency: 'CNY', permission: COST }),
        billed: Money.nullable().meta({ title: '账单分摊', currency: 'CNY', permission: COST }),
      })
      .nullable(),
    origins: z.array(OriginRow),
    layers: z.array(LayerRow),
    issues: z.array(IssueRow),
    changes: z.array(ChangeRow),
  }),
});

const Outcome = z.object({
  number: z.string(),
  amount: Money,
  toLayers: Money,
  variance: Money,
  repeated: z.boolean(),
});
const Reason = Text(200, '原因').refine((text) => text.length > 0, '请填写原因');
const Key = {
  id: Id.meta({ title: '批次' }),
  /** A second command with the same id changes nothing. */
  clientId: z.uuid().meta({ title: '操作标识' }),
};

export const CostForm = z.object({
  component: Component.default('purchase'),
  by: Choice({ TOTAL: '总额', UNIT: '单件' }, '填写方式').default('TOTAL'),
  value: z
    .string()
    .trim()
    .regex(/^\d{1,12}(\.\d{1,4})?$/, '成本须为不小于0的数字，最多4位小数')
    .meta({ title: '新成本', kind: 'money', currency: 'CNY' }),
  reason: Reason,
});

/**
 * Gives a part of a batch's cost a new sum. The difference is value that comes late: pieces that are there take theirs, the
 * share of those that are gone is a variance of the open period. `before` is the sum that the caller saw.
 */
export const setBatchCost = endpoint({
  title: '修改批次成本',
  method: 'POST',
  path: `${base}/cost`,
  permission: EDIT,
  body: CostForm.extend({ ...Key, before: Money.meta({ title: '原总额', currency: 'CNY' }) }),
  reply: Outcome,
});

/** Makes the first leg of a batch what the bills of its ship order that stand come to. */
export const reloadFreight = endpoint({
  title: '重算批次运费',
  method: 'POST',
  path: `${base}/freight`,
  permission: EDIT,
  body: z.object({ ...Key, reason: Reason }),
  reply: Outcome,
});
