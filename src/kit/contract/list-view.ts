import { z } from 'zod';
import { RELATIVE_KEYS } from './days.ts';

const Key = z.string().min(1).max(60);
/** What one filter is set to: a text, a number, a choice, several of them, or both ends of a range. */
const Scalar = z.union([z.string().max(500), z.number(), z.boolean()]);
const Setting = z.union([
  Scalar,
  z.array(Scalar).max(500),
  z.object({ from: Scalar.optional(), to: Scalar.optional() }),
]);

const MOST = 20_000;

/** What a view of a list shows: every filter that is set, and the order. Ranges in `days` are counted back whenever it is opened. */
export const ViewContent = z
  .object({
    filter: z.record(Key, Setting).meta({ title: '筛选条件' }),
    days: z.record(Key, z.enum(RELATIVE_KEYS).meta({ title: '相对日期' })).meta({ title: '相对日期' }),
    sort: z
      .object({ key: Key.meta({ title: '排序字段' }), order: z.enum(['asc', 'desc']).meta({ title: '排序方向' }) })
      .nullable()
      .meta({ title: '排序' }),
  })
  .refine((content) => JSON.stringify(content).length <= MOST, '筛选条件过多，无法保存为视图')
  .meta({ title: '视图内容' });
export type ViewContent = z.infer<typeof ViewContent>;
