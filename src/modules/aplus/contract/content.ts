import { z } from 'zod';
import { MODULE_TYPES, NAME_LENGTH } from './modules.ts';

/** A text with Amazon's marks of bold and the like, which go once somebody changes the text. */
export const TextValue = z.object({
  text: z.string().max(10_000, '文字不能超过 10,000 个字符'),
  decorators: z.array(z.record(z.string(), z.unknown())).max(500).optional(),
});
export type TextValue = z.infer<typeof TextValue>;

const Pixels = z.int().min(0).max(20_000);

/** A picture of ours (`picture`), one that lies at Amazon's (`destination`), or both; what of it is shown, in pixels. */
export const ImageValue = z.object({
  picture: z.uuid().optional(),
  destination: z.string().max(500).optional(),
  /** Of the whole picture; 0 where only Amazon knows. */
  width: Pixels,
  height: Pixels,
  alt: z.string().max(1000, '替代文字过长'),
  crop: z.object({ x: Pixels, y: Pixels, width: Pixels, height: Pixels }),
});
export type ImageValue = z.infer<typeof ImageValue>;

const Short = z.string().max(1000, '文字过长');

export const TableColumn = z.object({
  asin: z.string().max(20),
  title: Short,
  highlight: z.boolean(),
  image: ImageValue.nullable(),
  /** One for each label of a row. */
  metrics: z.array(Short).max(20),
});
export type TableColumn = z.infer<typeof TableColumn>;

/** What a slot of a module holds. */
export const SlotValue = z.union([
  z.strictObject({ text: TextValue }),
  z.strictObject({ lines: z.array(TextValue).max(100, '最多 100 行') }),
  z.strictObject({ image: ImageValue }),
  z.strictObject({ choice: z.string().max(30) }),
  z.strictObject({ pairs: z.array(z.object({ label: Short, text: Short })).max(30, '最多 30 项') }),
  z.strictObject({
    table: z.object({ labels: z.array(Short).max(20), columns: z.array(TableColumn).max(10, '最多 10 列') }),
  }),
]);
export type SlotValue = z.infer<typeof SlotValue>;

export const ModuleValue = z.object({
  /** Tells modules of a document apart while they are moved about. */
  id: z.string().min(1).max(40),
  type: z.enum(MODULE_TYPES).meta({ title: '模块' }),
  /** By path of the slot. */
  values: z.record(z.string().max(80), SlotValue).refine((all) => Object.keys(all).length <= 60, '模块内容过多'),
});
export type ModuleValue = z.infer<typeof ModuleValue>;

export const Content = z.object({
  name: z.string().trim().max(NAME_LENGTH, `名称不能超过 ${NAME_LENGTH} 个字符`).meta({ title: '名称' }),
  locale: z
    .string()
    .regex(/^[a-z]{2,3}-[A-Z]{2}$/, '语言格式不正确')
    .meta({ title: '语言' }),
  modules: z.array(ModuleValue).max(20, '模块过多').meta({ title: '模块' }),
});
export type Content = z.infer<typeof Content>;

/** Languages of A+ content by country of the site, the usual one first. */
const LOCALES: Readonly<Record<string, readonly string[]>> = {
  US: ['en-US', 'es-US'],
  CA: ['en-CA', 'fr-CA'],
  MX: ['es-MX'],
  BR: ['pt-BR'],
  UK: ['en-GB'],
  DE: ['de-DE'],
  FR: ['fr-FR'],
  IT: ['it-IT'],
  ES: ['es-ES'],
  NL: ['nl-NL'],
  BE: ['fr-BE', 'nl-BE'],
  IE: ['en-IE'],
  SE: ['sv-SE'],
  PL: ['pl-PL'],
  TR: ['tr-TR'],
  AE: ['en-AE', 'ar-AE'],
  SA: ['ar-SA', 'en-SA'],
  EG: ['ar-EG', 'en-EG'],
  IN: ['en-IN', 'hi-IN'],
  ZA: ['en-ZA'],
  JP: ['ja-JP'],
  AU: ['en-AU'],
  SG: ['en-SG'],
};

/** Languages in which a site of that country ("UK") shows A+ content. */
export function localesOf(country: string): readonly string[] {
  return LOCALES[country] ?? ['en-US'];
}
