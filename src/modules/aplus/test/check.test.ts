import { expect, test } from 'vitest';
import { centred, contentProblems } from '../contract/check.ts';
import type { Content, ImageValue, ModuleValue, SlotValue } from '../contract/content.ts';
import { MODULE_TYPES, MOST_MODULES, moduleOf } from '../contract/modules.ts';
import { fromAmazon, toAmazon } from '../server/payload.ts';
import { rekeyed, stateOf } from '../server/sync/land.ts';
import { issuesOf } from '../server/words.ts';

const image = (width: number, height: number, more: Partial<ImageValue> = {}): ImageValue => ({
  destination: 'aplus-media/sc/a.png',
  width,
  height,
  alt: 'Bottle',
  crop: { x: 0, y: 0, width, height },
  ...more,
});
const document = (modules: ModuleValue[], name = 'Story'): Content => ({ name, locale: 'en-US', modules });
const module = (type: ModuleValue['type'], values: ModuleValue['values']): ModuleValue => ({ id: type, type, values });
const lines = (...texts: string[]): SlotValue => ({ lines: texts.map((text) => ({ text })) });
const plain = module('STANDARD_TEXT', { body: lines('Made to last') });
const said = (content: Content) => contentProblems(content).map(({ label, message }) => `${label}：${message}`);

/** A module in which every slot holds as much as it may. */
function full(type: ModuleValue['type']): ModuleValue {
  const values = moduleOf(type).slots.map((slot): [string, SlotValue] => {
    const { path } = slot;
    if (slot.kind === 'image') return [path, { image: image(slot.width, slot.height) }];
    if (slot.kind === 'text') return [path, { text: { text: 'x'.repeat(slot.max) } }];
    if (slot.kind === 'paragraph') return [path, lines('x'.repeat(slot.max - 1), 'y')];
    if (slot.kind === 'list') return [path, lines(...Array.from({ length: slot.most }, () => 'x'.repeat(slot.max)))];
    if (slot.kind === 'choice') return [path, { choice: Object.keys(slot.choices)[0] ?? '' }];
    if (slot.kind === 'pairs') {
      const pair = { label: 'x'.repeat(slot.label), text: 'y'.repeat(slot.text) };
      return [path, { pairs: Array.from({ length: slot.most }, () => pair) }];
    }
    const labels = Array.from({ length: slot.rows }, () => 'x'.repeat(slot.cell));
    const column = {
      asin: 'B000000001',
      title: 'x'.repeat(slot.name),
      highlight: true,
      image: image(150, 300),
      metrics: labels,
    };
    return [path, { table: { labels, columns: Array.from({ length: slot.columns }, () => column) } }];
  });
  return module(type, Object.fromEntries(values));
}

test.each(MODULE_TYPES)('%s filled to its limits is sent, and is the same when it is read again', (type) => {
  const content = document([full(type)]);
  expect(said(content)).toEqual([]);
  const sent = toAmazon(content, ({ destination = '' }) => destination);
  const read = fromAmazon(sent, () => undefined);
  expect(toAmazon(read ?? document([]), ({ destination = '' }) => destination)).toEqual(sent);
  expect(Object.keys(read?.modules[0]?.values ?? {}).sort()).toEqual(
    Object.keys(content.modules[0]?.values ?? {}).sort(),
  );
});

test.each(MODULE_TYPES)('%s with one more of anything is refused by the name of its place', (type) => {
  const whole = full(type);
  for (const slot of moduleOf(type).slots) {
    const value = whole.values[slot.path];
    if (!value || 'choice' in value) continue;
    const more = structuredClone(value);
    if ('text' in more) more.text.text += 'x';
    if ('lines' in more) more.lines.push({ text: 'x' });
    if ('image' in more) more.image.crop.width -= 1;
    if ('pairs' in more) more.pairs.push({ label: 'a', text: 'b' });
    if ('table' in more) more.table.labels.push('x');
    const problems = contentProblems(document([module(type, { ...whole.values, [slot.path]: more })]));
    expect(problems.map(({ path }) => path)).toEqual([slot.path]);
    expect(problems[0]?.label).toContain(`模块1 ${moduleOf(type).title}`);
  }
});

test('a document needs a name and one to seven modules that hold something', () => {
  expect(said(document([plain]))).toEqual([]);
  expect(said(document([], ' '))).toEqual(['名称：必填', '模块：至少添加一个模块']);
  const many = Array.from({ length: MOST_MODULES + 1 }, () => plain);
  expect(said(document(many))).toEqual(['模块：最多 7 个模块，现为 8 个']);
  expect(said(document(many.slice(1)))).toEqual([]);
  expect(said(document([module('STANDARD_THREE_IMAGE_TEXT', {})]))).toEqual(['模块1 三图与文字：模块没有内容']);
  expect(said(document([plain, module('STANDARD_COMPANY_LOGO', {})]))).toEqual(['模块2 公司徽标 · 徽标：必填']);
});

test('pictures need an alternative text and their least size, and are cut from the middle', () => {
  const logo = (value: ImageValue) =>
    said(document([module('STANDARD_COMPANY_LOGO', { companyLogo: { image: value } })]));
  expect(logo(image(600, 180))).toEqual([]);
  expect(logo(image(600, 180, { alt: '' }))).toEqual(['模块1 公司徽标 · 徽标：替代文字必填']);
  expect(logo(image(600, 180, { alt: 'x'.repeat(101) }))).toEqual([
    '模块1 公司徽标 · 徽标：替代文字不能超过 100 个字符',
  ]);
  expect(logo(image(599, 180))).toEqual(['模块1 公司徽标 · 徽标：图片至少 600×180 像素，现为 599×180']);
  expect(logo(image(600, 180, { crop: { x: 1, y: 0, width: 600, height: 180 } }))).toEqual([
    '模块1 公司徽标 · 徽标：裁剪超出图片范围',
  ]);
  expect(centred({ width: 1200, height: 1200 }, { width: 600, height: 180 })).toEqual({
    x: 0,
    y: 420,
    width: 1200,
    height: 360,
  });
  expect(centred({ width: 500, height: 900 }, { width: 600, height: 180 })).toEqual({
    x: 0,
    y: 0,
    width: 500,
    height: 900,
  });
});

test('what stands in a slot of another kind, or in none, is refused', () => {
  expect(said(document([module('STANDARD_TEXT', { body: { choice: 'LEFT' } })]))).toEqual([
    '模块1 文字 · 正文：内容格式不正确',
  ]);
  expect(said(document([module('STANDARD_TEXT', { ...plain.values, other: lines('x') })]))).toEqual([
    '模块1 文字：内容格式不正确',
  ]);
});

test('formats that Amazon gave stay with texts that nobody changed; unknown modules are left to Seller Central', () => {
  const decoratorSet = [{ type: 'STYLE_BOLD', offset: 0, length: 4, depth: 0 }];
  const sent = {
    name: 'Bold',
    contentType: 'EBC',
    locale: 'en-US',
    contentModuleList: [
      {
        contentModuleType: 'STANDARD_TEXT',
        standardCompanyLogo: null,
        standardText: { headline: null, body: { textList: [{ value: 'Bold', decoratorSet }] } },
      },
    ],
  };
  const read = fromAmazon(sent, () => undefined);
  const again = toAmazon(read ?? document([]), () => '');
  expect(again.contentModuleList).toEqual([
    { contentModuleType: 'STANDARD_TEXT', standardText: { body: { textList: [{ value: 'Bold', decoratorSet }] } } },
  ]);
  const premium = { ...sent, contentModuleList: [{ contentModuleType: 'PREMIUM_FULL_IMAGE' }] };
  expect(fromAmazon(premium, () => undefined)).toBeUndefined();
});

test('what Amazon says is told by module and place, and in its own words where nobody knows the code', () => {
  const at = (code: string, details: string) => issuesOf([{ code, message: 'Words', details }], 'ERROR')[0];
  expect(at('PROHIBITED_CLAIM', 'contentModuleList[1].standardText.body')).toMatchObject({
    module: 1,
    path: 'body',
    label: '模块2 文字 · 正文',
    message: '文字含有排名、保证等不允许的宣称',
  });
  expect(at('X', 'contentModuleList[0].standardMultipleImageText.blocks[2].block.image')).toMatchObject({
    path: 'blocks.2.block.image',
    label: '模块1 多图切换 · 第3图图片',
    message: 'Words',
  });
  expect(at('BRAND_NOT_ELIGIBLE', 'asinSet: B000000001')).toMatchObject({ module: -1, label: 'ASIN B000000001' });
  expect(at('X', 'somewhere')).toMatchObject({ label: '', message: 'Words（somewhere）' });
});

test('a vanished key and a new one of the same name and language are one document, unless there are two', () => {
  const keyed = (key: string, name: string, locale: string | null) => ({ key, name, locale });
  expect([...rekeyed([keyed('a', 'X', 'en-US')], [keyed('b', 'X', 'en-US')])]).toEqual([['a', 'b']]);
  expect([...rekeyed([keyed('a', 'X', 'en-US')], [keyed('b', 'X', null)])]).toEqual([['a', 'b']]);
  expect([...rekeyed([keyed('a', 'X', 'en-US')], [keyed('b', 'X', 'es-US')])]).toEqual([]);
  expect([...rekeyed([keyed('a', 'X', 'en-US')], [keyed('b', 'X', 'en-US'), keyed('c', 'X', 'en-US')])]).toEqual([]);
  expect([...rekeyed([keyed('a', 'X', 'en-US'), keyed('c', 'X', 'en-US')], [keyed('b', 'X', 'en-US')])]).toEqual([]);
});

test('an approved document is published where an ASIN shows it, and suspended where somebody took it off', () => {
  expect(stateOf('APPROVED', true, false)).toBe('PUBLISHED');
  expect(stateOf('APPROVED', false, false)).toBe('APPROVED');
  expect(stateOf('APPROVED', false, true)).toBe('SUSPENDED');
  expect(stateOf('DRAFT', true, true)).toBe('DRAFT');
});
