import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Command } from '#kit/contract/document-calls.ts';
import { Choice, Id, States } from '#kit/contract/field.ts';
import { command, documentCalls, documentFilter, transitionCalls } from './calls.ts';
import { Amount, COST, Counted, HeadInput, HeadRow, MAX_LINES, StocktakeMode } from './fields.ts';

const ADD = 'erp:wh:stocktake:add';
const COUNT = 'erp:wh:stocktake:count';
const AUDIT = 'erp:wh:stocktake:audit';

const STATES = {
  draft: { title: '草稿', tone: 'off' },
  counting: { title: '盘点中', tone: 'running' },
  recounting: { title: '待复盘', tone: 'waiting' },
  pending: { title: '待审批', tone: 'waiting' },
  done: { title: '已完成', tone: 'done' },
  cancelled: { title: '已取消', tone: 'off' },
} as const;
export const StocktakeState = States(STATES);
export const StocktakeType = Choice(
  { PRODUCT: '产品盘点', LOCATION: '库位盘点', OVERSEAS: '海外盘点', CYCLE: '循环盘点' },
  '盘点类型',
);

/** 盘点单: what is there is counted, and the books follow after the approval. */
export const stocktake = documentType({
  name: 'warehouse.stocktake',
  title: '盘点单',
  number: 'PD{yyMMdd}{seq:4}',
  detail: '/e/w/s/d',
  states: STATES,
  initial: 'draft',
  transitions: {
    start: {
      title: '开始盘点',
      from: ['draft'],
      to: 'counting',
      permission: COUNT,
      primary: true,
      consequence: '冻结盘点会暂停盘点范围内的库存操作',
    },
    submit: { title: '提交', from: ['counting'], to: 'pending', permission: COUNT, internal: true },
    recount: { title: '要求复盘', from: ['counting'], to: 'recounting', permission: COUNT, internal: true },
    recounted: { title: '复盘完成', from: ['recounting'], to: 'pending', permission: COUNT, internal: true },
    approve: {
      title: '通过',
      from: ['pending'],
      to: 'done',
      permission: AUDIT,
      primary: true,
      consequence: '通过后按差异过账盘盈盘亏，并解除冻结',
    },
    reject: { title: '驳回重盘', from: ['pending'], to: 'counting', permission: AUDIT, reason: true },
    cancel: {
      title: '取消',
      from: ['draft', 'counting', 'recounting', 'pending'],
      to: 'cancelled',
      permission: ADD,
      consequence: '取消后解除冻结，库存不变',
    },
  },
  approval: { submit: ['submit', 'recounted'], approve: 'approve', reject: 'reject', cancel: ['cancel'] },
});

export const StocktakeRow = HeadRow.pick({ id: true, number: true })
  .extend({ type: StocktakeType.meta({ width: 100 }), state: StocktakeState.meta({ width: 100 }) })
  .extend(
    HeadRow.pick({
      warehouse: true,
      warehouseId: true,
      mode: true,
      blind: true,
      skuCount: true,
      gainAmount: true,
      lossAmount: true,
      remark: true,
      createdByName: true,
      createdAt: true,
      updatedByName: true,
      updatedAt: true,
      version: true,
    }).shape,
  );
export type StocktakeRow = z.infer<typeof StocktakeRow>;
export const StocktakeFilter = documentFilter(StocktakeState, StocktakeType);

/** What is counted: these products and places, or without any the whole warehouse. */
export const StocktakeInput = HeadInput.pick({ id: true, version: true, warehouseId: true, remark: true }).extend({
  type: StocktakeType.default('PRODUCT'),
  mode: StocktakeMode.default('FREEZE'),
  blind: z.boolean().default(false).meta({ title: '盲盘' }),
  products: z.array(Id).max(MAX_LINES).default([]).meta({ title: '盘点产品' }),
  locations: z.array(Id).max(MAX_LINES).default([]).meta({ title: '盘点库位' }),
});

/** Pieces found at a place: of a line, or of something that is not on the sheet yet. */
export const CountInput = Command.extend({
  clientId: z.string().trim().min(1).max(100).optional().meta({ title: '扫描标识' }),
  lines: z
    .array(
      z.object({
        lineId: Id.optional().meta({ title: '明细行' }),
        productId: Id.optional().meta({ title: '产品' }),
        locationId: Id.nullable().optional().meta({ title: '库位' }),
        counted: Counted.nullable().optional(),
        /** Nobody counted it: the books stay as they are. */
        skipped: z.boolean().default(false).meta({ title: '未盘' }),
        unitCost: Amount('盘盈单价').nullable().optional().meta({ title: '盘盈单价', permission: COST }),
        reason: z.string().trim().max(200).optional().meta({ title: '原因' }),
      }),
    )
    .min(1, '至少添加一行数据')
    .max(MAX_LINES)
    .meta({ title: '明细' }),
});

const calls = documentCalls({
  path: 'stockTaking',
  def: stocktake,
  add: ADD,
  row: StocktakeRow,
  filter: StocktakeFilter,
  body: StocktakeInput,
});

export const stocktakeCalls = {
  ...calls,
  ...transitionCalls('stockTaking', stocktake, ['start', 'approve', 'reject', 'cancel']),
  count: command('stockTaking/count', '盘点单·录入', COUNT, CountInput),
  recount: command('stockTaking/recount', '盘点单·复盘', COUNT, CountInput),
  submit: command('stockTaking/submit', '盘点单·提交', COUNT, Command),
};
