import { z } from 'zod';
import { Id } from './field.ts';

/** cm or kg: a decimal above 0 as text, nothing where it was not measured. */
const Measure = (title: string, format: RegExp) =>
  z
    .string()
    .trim()
    .regex(format, `${title}须为正数，小数位过多时请四舍五入`)
    .refine((text) => /[1-9]/.test(text), `${title}须大于0`)
    .nullable()
    .default(null)
    .meta({ title });
const CM = /^\d{1,6}(\.\d{1,2})?$/;
const KG = /^\d{1,6}(\.\d{1,3})?$/;

/** More kinds of pieces than that in one box are a mistake. */
const MOST_ITEMS = 2000;

/** One box of a document with pieces of its lines; sizes in cm, weight in kg. */
export const Box = z.object({
  length: Measure('长(cm)', CM),
  width: Measure('宽(cm)', CM),
  height: Measure('高(cm)', CM),
  weight: Measure('重量(kg)', KG),
  items: z
    .array(z.object({ lineId: Id, qty: z.int().min(1, '数量必须为正整数').max(100_000_000).meta({ title: '数量' }) }))
    .min(1, '箱子不能为空')
    .max(MOST_ITEMS)
    .meta({ title: '箱内明细' }),
});
export type Box = z.infer<typeof Box>;
