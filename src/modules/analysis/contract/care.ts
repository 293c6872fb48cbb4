import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Decimal, Id, Instant, Quantity } from '#kit/contract/field.ts';
import { base, VIEW } from './wall.ts';

const EDIT = 'amz:analysis:edit';
const Ids = z.array(Id).min(1, '请选择商品').max(1000, '一次最多 1000 个商品').meta({ title: '商品' });

/** What people say of listings: what is left out stays as it is. */
export const careListings = endpoint({
  title: '修改商品负责信息',
  method: 'POST',
  path: `${base}/care`,
  permission: EDIT,
  body: z.object({
    ids: Ids,
    set: z
      .object({
        ownerId: z.uuid().nullable().optional().meta({ title: '负责人', kind: 'choice' }),
        hidden: z.boolean().optional().meta({ title: '隐藏' }),
        remark: z.string().trim().max(500, '备注不能超过500个字符').optional().meta({ title: '备注', kind: 'text' }),
        addTagIds: z.array(z.uuid()).max(30).optional().meta({ title: '添加标签', kind: 'choice' }),
        removeTagIds: z.array(z.uuid()).max(30).optional().meta({ title: '移除标签', kind: 'choice' }),
      })
      .meta({ title: '修改内容' }),
  }),
  reply: z.object({ changed: Quantity }),
});

/** People whom listings may be given to. */
export const carePeople = endpoint({
  title: '可选负责人',
  method: 'GET',
  path: `${base}/people`,
  permission: VIEW,
  concurrent: true,
  reply: z.array(z.object({ id: Id, name: z.string() })),
});

const Weight = (title: string) =>
  Decimal.refine((value) => Number(value) >= 0 && Number(value) <= 1, `${title}应在 0 到 1 之间`).meta({ title });

/** Weights of the average of daily sales; they add up to 1. */
export const PaceWeights = z.object({
  weight30: Weight('30日权重'),
  weight15: Weight('15日权重'),
  weight7: Weight('7日权重'),
  skipOut: z.boolean().meta({ title: '剔除断货日', tip: '窗口内每天都有库存快照时，只按有货的天数平均' }),
});
export type PaceWeights = z.infer<typeof PaceWeights>;

const WeightsNow = PaceWeights.extend({ version: z.int() });

export const readWeights = endpoint({
  title: '日均销量权重',
  method: 'GET',
  path: `${base}/weights`,
  permission: VIEW,
  reply: WeightsNow,
});

/** Saves the weights and has all rows of the company made anew; the version is that of the last reading. */
export const saveWeights = endpoint({
  title: '修改日均销量权重',
  method: 'POST',
  path: `${base}/weights/save`,
  permission: EDIT,
  body: WeightsNow,
  reply: WeightsNow,
});

/** Has the figures of the listings' accounts made anew soon. */
export const refreshWall = endpoint({
  title: '重新计算商品分析',
  method: 'POST',
  path: `${base}/sync`,
  permission: EDIT,
  body: z.object({}),
  reply: z.object({ accounts: Quantity, asOf: Instant.nullable() }),
});
