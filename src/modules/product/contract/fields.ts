import { z } from 'zod';
import { Choice, Id, States } from '#kit/contract/field.ts';

export const base = '/erp/api/v1';
export const VIEW = 'erp:product:view';
export const EDIT = 'erp:product:edit';
/** Without it costs and purchase prices are neither sent nor shown nor exported. */
export const COST = 'erp:product:field:cost';
export const IMPORT = 'erp:product:import';
export const EXPORT = 'erp:product:export';
export const ARCHIVE = 'erp:product:void';
export const PRICE_VIEW = 'erp:price:view';
export const PRICE_EDIT = 'erp:price:edit';

export const Kind = Choice({ goods: '商品', consumable: '辅料', package: '包材箱', service: '服务' }, '类型');
export type Kind = z.infer<typeof Kind>;

export const Structure = Choice({ single: '单品', bundle: '组合', component: '子件' }, '结构');
export type Structure = z.infer<typeof Structure>;

export const Lifecycle = States(
  {
    developing: { title: '开发中', tone: 'running' },
    active: { title: '在售', tone: 'done' },
    clearance: { title: '清仓', tone: 'waiting' },
    offline: { title: '已停用', tone: 'off' },
  },
  '状态',
);
export type Lifecycle = z.infer<typeof Lifecycle>;

export const QcLevel = Choice({ none: '免检', sample: '抽检', full: '全检' }, '质检');
export type QcLevel = z.infer<typeof QcLevel>;

export const Hazard = Choice({ battery: '带电', liquid: '液体', magnet: '带磁', powder: '粉末' }, '敏感货');
export type Hazard = z.infer<typeof Hazard>;

/** Local SKU: trimmed, unique whatever its case. */
export const Sku = z
  .string()
  .trim()
  .min(1, 'SKU不能为空')
  .max(50, 'SKU不能超过50个字符')
  .regex(/^[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?$/u, 'SKU含有不能使用的字符')
  .meta({ title: 'SKU', kind: 'code' });

export const ById = z.object({ id: Id });
export const Version = z.int().min(0).meta({ title: '版本', hidden: true });
export const Success = z.literal('success');

/** A measure in cm or kg: above zero, so many places. */
export function Measure(places: number, title: string) {
  return z
    .string()
    .trim()
    .regex(new RegExp(`^\\d{1,7}(\\.\\d{1,${places}})?$`), `${title}最多${places}位小数`)
    .refine((value) => Number(value) > 0, `${title}必须大于0`)
    .meta({ title, kind: 'rate' });
}

/** A share as text, 0 to `max`: "0.13" is 13 %. */
export function Share(title: string, max = 1) {
  return z
    .string()
    .regex(/^\d{1,2}(\.\d{1,6})?$/, `${title}须为数字`)
    .refine((value) => Number(value) <= max, `${title}不能超过${max * 100}%`)
    .meta({ title, kind: 'percent' });
}
