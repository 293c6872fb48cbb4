import type { z } from 'zod';
import { Choice, States } from '#kit/contract/field.ts';

/** Root of the calls for freight bills and what they come to. */
export const base = '/erp/api/v1/freight';
export const FREIGHT_VIEW = 'erp:freight:view';
export const FREIGHT_ADD = 'erp:freight:add';
export const FREIGHT_AUDIT = 'erp:freight:audit';
export const FREIGHT_REVERSE = 'erp:freight:reverse';
export const FREIGHT_IMPORT = 'erp:freight:import';
export const FREIGHT_EXPORT = 'erp:freight:export';
/** Whoever may not see what stock costs does not see what its freight comes to a piece. */
export const COST = 'erp:inv:cost';

export const MAX_BILL_LINES = 2000;

export const FreightKind = Choice(
  { FREIGHT: '运费', DUTY: '关税', CUSTOMS: '报关', SURCHARGE: '附加费', OTHER: '其它' },
  '费用类型',
);
export type FreightKind = z.infer<typeof FreightKind>;

/** What a bill is shared over the lines of an order by. */
export const FreightBase = Choice(
  { BILLABLE: '计费重', WEIGHT: '实重', VOLUME: '体积', PIECES: '件数', VALUE: '货值' },
  '分摊方式',
);
export type FreightBase = z.infer<typeof FreightBase>;

/** How far the freight of a line is known. */
export const FreightState = States(
  {
    estimated: { title: '暂估', tone: 'waiting' },
    billed: { title: '已结', tone: 'done' },
    unrated: { title: '待补汇率', tone: 'trouble' },
  },
  '费用状态',
);
export type FreightState = z.infer<typeof FreightState>;

/** What a bill says of an order against what was expected. */
export const MatchState = States(
  {
    fits: { title: '一致', tone: 'done' },
    differs: { title: '差异', tone: 'trouble' },
    unknown: { title: '无预估', tone: 'off' },
    unrated: { title: '待补汇率', tone: 'waiting' },
  },
  '对账',
);
export type MatchState = z.infer<typeof MatchState>;
