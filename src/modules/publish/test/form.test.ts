import { describe, expect, it } from 'vitest';
import type { Attributes } from '../contract/form.ts';
import { clashesOf, patchesOf, rebased } from '../server/form/merge.ts';
import { formOf } from '../server/form/model.ts';
import { checked } from '../server/form/validate.ts';
import { canonical, diffOf, notShown, withoutEmpty } from '../server/form/values.ts';

const SITE = 'ATVPDKIKX0DER';
const place = { marketplace_id: { $ref: '#/$defs/marketplace_id' }, language_tag: { $ref: '#/$defs/language_tag' } };
const holds = (name: string, value: unknown) => ({
  required: [name],
  properties: { [name]: { contains: { properties: { value: { const: value } }, required: ['value'] } } },
});
const rule = (when: object, what: object) =>
  Object.fromEntries([
    ['if', when],
    ['then', what],
  ]);
const list = (title: string, properties: object, more: object = {}) => ({
  title,
  type: 'array',
  minItems: 1,
  maxUniqueItems: 1,
  selectors: ['marketplace_id', 'language_tag'],
  items: { type: 'object', required: ['value'], properties: { ...properties, ...place }, additionalProperties: false },
  ...more,
});
const SCHEMA = {
  $schema: 'https://schemas.amazon.com/selling-partners/definitions/product-types/meta-schema/v1',
  $id: 'https://schemas.amazon.com/selling-partners/definitions/product-types/schema/v1/LAMP',
  $defs: {
    marketplace_id: { type: 'string', enum: [SITE], default: SITE, hidden: true },
    language_tag: { type: 'string', enum: ['en_US'], default: 'en_US', hidden: true },
  },
  type: 'object',
  required: ['item_name'],
  additionalProperties: false,
  properties: {
    item_name: list('商品名称', { value: { title: '商品名称', type: 'string', maxLength: 10 } }),
    keyword: list('关键词', { value: { title: '关键词', type: 'string', maxUtf8ByteLength: 6 } }),
    bullet: list('五点描述', { value: { title: '五点描述', type: 'string' } }, { maxUniqueItems: 2 }),
    weight: list('重量', {
      unit: { title: '单位', type: 'string', enum: ['g', 'kg'], enumNames: ['克', '千克'] },
      value: { title: '数值', type: 'number', minimum: 0 },
    }),
    battery: list('是否需要电池', { value: { title: '是否需要电池', type: 'boolean' } }),
    cell: list('电池', { value: { title: '电池', type: 'string' } }),
    code: list('编码', { value: { title: '编码', type: 'string', editable: false } }, { replaces: ['old_code'] }),
    old_code: list('旧编码', { value: { title: '旧编码', type: 'string' } }),
    secret: list('内部', { value: { title: '内部', type: 'string' } }, { hidden: true }),
    purchasable_offer: list('售价', { value: { title: '售价', type: 'number' } }),
  },
  allOf: [
    rule(holds('battery', true), {
      required: ['cell'],
      allOf: [rule(holds('cell', 'none'), { not: { required: ['weight'] } })],
    }),
  ],
};
const TEXT = JSON.stringify(SCHEMA);
const form = formOf(JSON.parse(TEXT), {
  basic: { title: '基本', propertyNames: ['item_name', 'bullet', 'secret', 'old_code'] },
  empty: { title: '空', propertyNames: ['secret'] },
});
const here = { marketplace_id: SITE, language_tag: 'en_US' };
const of = (...values: unknown[]) => values.map((value) => ({ value, ...here }));
const messages = (attributes: Attributes) =>
  checked(TEXT, form, attributes).issues.map(({ label, message }) => `${label} ${message}`);

describe('a form of a schema', () => {
  it('has the groups in order, without what is hidden or replaced, and the rest behind them', () => {
    expect(form.groups.map(({ title, names }) => [title, names.length])).toEqual([
      ['基本', 2],
      ['其他', 6],
    ]);
    expect(form.attributes.map(({ name }) => name)).not.toContain('old_code');
    expect(form.attributes.find(({ name }) => name === 'weight')).toMatchObject({
      many: 1,
      defaults: here,
      fields: [
        {
          name: 'unit',
          required: false,
          node: { kind: 'choice', options: [{ value: 'g', label: '克' }, { value: 'kg' }] },
        },
        { name: 'value', required: true, node: { kind: 'number', min: 0 } },
      ],
    });
    expect(form.attributes.find(({ name }) => name === 'code')?.fields[0]).toMatchObject({ fixed: true });
  });

  it('follows conditions, also those within others', () => {
    const required = (attributes: Attributes) => checked(TEXT, form, attributes).required;
    expect(required({})).toEqual(['item_name']);
    expect(required({ battery: of(false) })).toEqual(['item_name']);
    expect(required({ battery: of(true) })).toEqual(['item_name', 'cell']);
    expect(checked(TEXT, form, { battery: of(true), cell: of('none') }).excluded).toEqual(['weight']);
    expect(
      messages({ item_name: of('A'), battery: of(true), cell: of('none'), weight: [{ unit: 'g', value: 1, ...here }] }),
    ).toEqual(['重量 当前情况下不能填写']);
  });

  it('says what is wrong in Chinese, by attribute and part', () => {
    expect(messages({})).toEqual(['商品名称 必填']);
    expect(messages({ item_name: of('12345678901') })).toEqual(['商品名称 最多 10 个字符']);
    // Three Chinese characters are nine bytes.
    expect(messages({ item_name: of('A'), keyword: of('咖啡杯') })).toEqual(['关键词 超过最大字节数']);
    expect(messages({ item_name: of('A'), keyword: of('咖啡') })).toEqual([]);
    expect(messages({ item_name: of('A'), bullet: of('1', '2', '3') })).toEqual(['五点描述 值过多，请删除一些']);
    expect(messages({ item_name: of('A'), weight: [{ unit: 'lb', value: -1, ...here }] })).toEqual([
      '重量 单位：只能是 g、kg',
      '重量 数值：不能小于 0',
    ]);
    expect(messages({ item_name: of('A'), nonsense: of('B') })).toEqual(['nonsense 商品类型没有这个属性']);
    expect(messages({ item_name: of('A'), battery: of(true) })).toEqual(['电池 必填']);
  });
});

describe('what a draft changes', () => {
  const base = { item_name: of('Lamp'), bullet: of('a', 'b'), cell: of('x'), purchasable_offer: of(9) };

  it('is told in words, with units behind numbers', () => {
    const after = { ...base, item_name: of('Desk Lamp'), weight: [{ unit: 'kg', value: 2, ...here }], bullet: of('a') };
    expect(diffOf(form, base, after)).toEqual([
      { attribute: 'item_name', label: '商品名称', before: 'Lamp', after: 'Desk Lamp' },
      { attribute: 'bullet', label: '五点描述', before: 'a\nb', after: 'a' },
      { attribute: 'weight', label: '重量', before: null, after: '2 千克' },
    ]);
  });

  it('does not depend on the order of keys, and empty parts are none', () => {
    expect(canonical({ b: 1, a: [{ d: 2, c: null }] })).toBe(canonical({ a: [{ c: null, d: 2 }], b: 1 }));
    expect(withoutEmpty({ item_name: [{ value: '', ...here }], bullet: of('a', '') })).toEqual({ bullet: of('a') });
  });

  it('goes out attribute by attribute, without price and stock', () => {
    const { cell: _, ...rest } = base;
    expect(patchesOf(base, { ...rest, item_name: of('New'), purchasable_offer: of(1) })).toEqual([
      { op: 'replace', path: '/attributes/item_name', value: of('New') },
      { op: 'delete', path: '/attributes/cell', value: [here] },
    ]);
  });

  it('clashes with what others changed since, and is put on top of it by choice', () => {
    const attributes = { ...base, item_name: of('Mine'), keyword: of('k') };
    const live = { ...base, item_name: of('Theirs'), bullet: of('z'), purchasable_offer: of(5) };
    expect(clashesOf(form, base, live, attributes)).toMatchObject([
      { attribute: 'item_name', base: 'Lamp', theirs: 'Theirs', mine: 'Mine', both: true },
      { attribute: 'bullet', theirs: 'z', mine: null, both: false },
    ]);
    expect(rebased({ base, live, attributes }, {}).undecided).toEqual(['item_name']);
    const mine = rebased({ base, live, attributes }, { item_name: 'mine' });
    expect(mine.attributes).toEqual({ ...live, item_name: of('Mine'), keyword: of('k') });
    const theirs = rebased({ base, live, attributes }, { item_name: 'theirs' });
    expect(theirs.attributes).toEqual({ ...live, keyword: of('k') });
    // Both made the same of it: nothing to choose.
    expect(rebased({ base, live: attributes, attributes }, {}).undecided).toEqual([]);
  });

  it('is shown once the marketplace has all of it, whatever it adds', () => {
    const live = { item_name: [{ value: 'New', ...here, audience: 'ALL' }] };
    expect(notShown(live, { item_name: of('New'), cell: null })).toEqual([]);
    expect(notShown({ ...live, cell: of('x') }, { item_name: of('Other'), cell: null })).toEqual(['item_name', 'cell']);
    expect(notShown({ bullet: of('a', 'b') }, { bullet: of('a') })).toEqual(['bullet']);
  });
});
