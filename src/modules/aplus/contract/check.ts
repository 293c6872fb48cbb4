import type { Content, ImageValue, ModuleValue, SlotValue } from './content.ts';
import { ALT_TEXT, MOST_MODULES, moduleOf, type Slot } from './modules.ts';

/** Something that keeps a document from being sent, and where. */
export interface Problem {
  /** Place of the module, from 0; -1 for the document itself. */
  module: number;
  /** Slot of it; empty for the module as a whole. */
  path: string;
  /** e.g. 模块2 三图与文字 · 第1栏标题 */
  label: string;
  message: string;
}

type Say = (message: string) => void;

function imageProblems(
  { alt, crop, width, height }: ImageValue,
  least: { width: number; height: number },
  say: Say,
): void {
  if (alt.trim() === '') say('替代文字必填');
  else if (alt.length > ALT_TEXT) say(`替代文字不能超过 ${ALT_TEXT} 个字符`);
  if (crop.width < least.width || crop.height < least.height) {
    say(`图片至少 ${least.width}×${least.height} 像素，现为 ${crop.width}×${crop.height}`);
  } else if (width > 0 && (crop.x + crop.width > width || crop.y + crop.height > height)) say('裁剪超出图片范围');
}

function tooLong(value: string, max: number, say: Say, what = ''): void {
  if (value.length > max) say(`${what}不能超过 ${max} 个字符，现为 ${value.length} 个`);
}

/** What is said where a slot holds another kind of thing, which no form makes. */
const STRANGE = '内容格式不正确';

function tableProblems(slot: Extract<Slot, { kind: 'table' }>, value: SlotValue, say: Say): void {
  if (!('table' in value)) {
    say(STRANGE);
    return;
  }
  const { labels, columns } = value.table;
  if (columns.length === 0) say('至少一列商品');
  if (columns.length > slot.columns) say(`最多 ${slot.columns} 列`);
  if (labels.length > slot.rows) say(`最多 ${slot.rows} 行`);
  for (const label of labels) {
    if (label.trim() === '') say('对比项名称必填');
    tooLong(label, slot.cell, say, '对比项名称');
  }
  for (const [index, { asin, title, image, metrics }] of columns.entries()) {
    const sayHere: Say = (message) => say(`第${index + 1}列${message}`);
    if (asin !== '' && !/^[A-Z0-9]{10}$/.test(asin)) sayHere(' ASIN 为 10 位大写字母或数字');
    if (title.trim() === '' && asin === '') sayHere('商品名称或 ASIN 必填');
    tooLong(title, slot.name, sayHere, '商品名称');
    for (const metric of metrics) tooLong(metric, slot.cell, sayHere, '内容');
    if (image) imageProblems(image, slot, sayHere);
  }
}

function pairProblems(slot: Extract<Slot, { kind: 'pairs' }>, value: SlotValue, say: Say): void {
  if (!('pairs' in value)) {
    say(STRANGE);
    return;
  }
  const { pairs } = value;
  if (pairs.length < slot.least || pairs.length > slot.most) {
    say(`需要 ${slot.least} 至 ${slot.most} 项，现为 ${pairs.length} 项`);
  }
  for (const { label, text } of pairs) {
    if (label.trim() === '' || text.trim() === '') say('规格名称和内容都必填');
    tooLong(label, slot.label, say, '规格名称');
    tooLong(text, slot.text, say, '规格内容');
  }
}

function lineProblems(slot: Extract<Slot, { kind: 'list' | 'paragraph' }>, value: SlotValue, say: Say): void {
  if (!('lines' in value)) {
    say(STRANGE);
    return;
  }
  const texts = value.lines.map(({ text }) => text);
  if (slot.kind === 'paragraph') tooLong(texts.join(''), slot.max, say);
  else {
    if (texts.length > slot.most) say(`最多 ${slot.most} 条`);
    for (const text of texts) tooLong(text, slot.max, say, '每条');
  }
}

function slotProblems(slot: Slot, value: SlotValue, say: Say): void {
  if (slot.kind === 'table') tableProblems(slot, value, say);
  else if (slot.kind === 'pairs') pairProblems(slot, value, say);
  else if (slot.kind === 'list' || slot.kind === 'paragraph') lineProblems(slot, value, say);
  else if (slot.kind === 'image' && 'image' in value) imageProblems(value.image, slot, say);
  else if (slot.kind === 'text' && 'text' in value) tooLong(value.text.text, slot.max, say);
  else if (!(slot.kind === 'choice' && 'choice' in value && Object.hasOwn(slot.choices, value.choice))) say(STRANGE);
}

/** Whether a slot holds nothing that a buyer would see. */
export function isEmpty(value: SlotValue | undefined): boolean {
  if (value === undefined) return true;
  if ('text' in value) return value.text.text.trim() === '';
  if ('lines' in value) return value.lines.every(({ text }) => text.trim() === '');
  if ('pairs' in value) return value.pairs.length === 0;
  if ('table' in value) return value.table.columns.length === 0 && value.table.labels.length === 0;
  return false;
}

/** "模块2 三图与文字", with the name of a slot behind it where there is one. */
export function placeName(index: number, { type }: Pick<ModuleValue, 'type'>, path = ''): string {
  const { title, slots } = moduleOf(type);
  const slot = slots.find((one) => one.path === path && path !== '');
  return `模块${index + 1} ${title}${slot ? ` · ${slot.title}` : ''}`;
}

function moduleProblems(module: ModuleValue, index: number): Problem[] {
  const problems: Problem[] = [];
  const { slots } = moduleOf(module.type);
  const sayAt = (path: string) => (message: string) => {
    const label = placeName(index, module, path);
    if (!problems.some((one) => one.path === path && one.message === message)) {
      problems.push({ module: index, path, label, message });
    }
  };
  for (const slot of slots) {
    const value = module.values[slot.path];
    if (value === undefined || isEmpty(value)) {
      if (slot.required) sayAt(slot.path)('必填');
    } else slotProblems(slot, value, sayAt(slot.path));
  }
  const known = new Set(slots.map(({ path }) => path));
  if (Object.keys(module.values).some((path) => !known.has(path))) sayAt('')(STRANGE);
  const hasContent = slots.some(({ kind, path }) => kind !== 'choice' && !isEmpty(module.values[path]));
  if (!hasContent && problems.length === 0) sayAt('')('模块没有内容');
  return problems;
}

/** All that keeps a document from being sent to Amazon, from its top to its bottom. */
export function contentProblems({ name, modules }: Content): Problem[] {
  const say = (label: string, message: string): Problem => ({ module: -1, path: '', label, message });
  return [
    ...(name.trim() === '' ? [say('名称', '必填')] : []),
    ...(modules.length === 0 ? [say('模块', '至少添加一个模块')] : []),
    ...(modules.length > MOST_MODULES ? [say('模块', `最多 ${MOST_MODULES} 个模块，现为 ${modules.length} 个`)] : []),
    ...modules.flatMap(moduleProblems),
  ];
}

/** The largest part of a picture that has the shape of a slot, from its middle; the whole of one that is too small. */
export function centred(
  picture: { width: number; height: number },
  slot: { width: number; height: number },
): ImageValue['crop'] {
  const scale = Math.min(picture.width / slot.width, picture.height / slot.height);
  if (scale < 1) return { x: 0, y: 0, width: picture.width, height: picture.height };
  const [width, height] = [Math.floor(slot.width * scale), Math.floor(slot.height * scale)];
  return {
    x: Math.floor((picture.width - width) / 2),
    y: Math.floor((picture.height - height) / 2),
    width,
    height,
  };
}
