import { describe, expect, it } from 'vitest';
import type { FormAttribute, FormModel } from '../contract/form.ts';
import { cellAt, cellsOf, meantBy, textIn, withValue } from '../server/sheet/cells.ts';

const attribute = (name: string, fields: FormAttribute['fields'], many = 1): FormAttribute => ({
  name,
  title: { bullet_point: '五点描述', item_dimensions: '尺寸', tags: '标签' }[name] ?? name,
  description: '',
  many,
  fields,
  defaults: { marketplace_id: 'M1' },
  replaces: [],
});
const text = (name = 'value', maxLength?: number) => ({
  name,
  title: '内容',
  required: true,
  node: { kind: 'text' as const, ...(maxLength === undefined ? {} : { maxLength }) },
});
const edge = (name: string, title: string) => ({
  name,
  title,
  required: true,
  node: {
    kind: 'object' as const,
    fields: [
      { name: 'value', title: '数值', required: true, node: { kind: 'number' as const, min: 0 } },
      {
        name: 'unit',
        title: '单位',
        required: true,
        node: { kind: 'choice' as const, options: [{ value: 'centimeters', label: '厘米' }] },
      },
    ],
  },
});
const points = attribute('bullet_point', [text()], 10);
const size = attribute('item_dimensions', [edge('length', '长'), edge('width', '宽')]);
const form: FormModel = { groups: [], attributes: [points, size] };

describe('columns of a sheet', () => {
  it('are one for each text, number and choice, with those values that are there and five at first', () => {
    expect(cellsOf(points, [[{ value: 'a' }]]).map(({ code, label }) => [code, label])).toEqual(
      [1, 2, 3, 4, 5].map((n) => [`bullet_point[${n - 1}].value`, `五点描述 ${n}`]),
    );
    const seven = Array.from({ length: 7 }, () => ({ value: 'a' }));
    expect(cellsOf(points, [seven])).toHaveLength(7);
    expect(cellsOf(size, [[]]).map(({ code, label }) => [code, label])).toEqual([
      ['item_dimensions[0].length.value', '尺寸 · 长 · 数值'],
      ['item_dimensions[0].length.unit', '尺寸 · 长 · 单位'],
      ['item_dimensions[0].width.value', '尺寸 · 宽 · 数值'],
      ['item_dimensions[0].width.unit', '尺寸 · 宽 · 单位'],
    ]);
  });

  it('are found again by their code; another code says what is wrong with it', () => {
    for (const cell of [...cellsOf(points, [[]]), ...cellsOf(size, [[]])]) {
      expect(cellAt(form, cell.code)).toMatchObject({ index: cell.index, path: cell.path, node: cell.node });
    }
    expect(cellAt(form, 'bullet_point')).toMatch(/不是属性代码/);
    expect(cellAt(form, 'colour[0].value')).toBe('商品类型没有这个属性');
    expect(cellAt(form, 'bullet_point[10].value')).toBe('这个属性最多 10 个值');
    expect(cellAt(form, 'item_dimensions[0].length')).toBe('属性没有这一部分');
    expect(cellAt(form, 'item_dimensions[0].height.value')).toBe('属性没有这一部分');
  });
});

it('a value that is put in is read out again, its neighbours and the old values stay', () => {
  const values = [{ length: { value: 12.5, unit: 'centimeters' }, marketplace_id: 'M1' }];
  const cell = cellAt(form, 'item_dimensions[0].width.value');
  if (typeof cell === 'string') throw new Error(cell);
  const next = withValue(cell, values, 8);
  expect(next).toEqual([{ length: { value: 12.5, unit: 'centimeters' }, width: { value: 8 }, marketplace_id: 'M1' }]);
  expect(values[0]).not.toHaveProperty('width');
  expect(textIn(cell, next)).toBe('8');
  expect(textIn(cell, withValue(cell, next, undefined))).toBe('');
  const third = cellAt(form, 'bullet_point[2].value');
  if (typeof third === 'string') throw new Error(third);
  expect(withValue(third, [{ value: 'a' }], 'c')).toEqual([
    { value: 'a' },
    { marketplace_id: 'M1' },
    { marketplace_id: 'M1', value: 'c' },
  ]);
});

it('what a text means follows its field; what it cannot mean is said', () => {
  const number = { kind: 'number' as const, min: 0, max: 100 };
  expect(meantBy(number, '1,2')).toBe('请输入数字');
  expect(meantBy({ ...number, max: 5000 }, '1,200.5')).toEqual({ value: 1200.5 });
  expect(meantBy({ ...number, whole: true }, '1.5')).toBe('请输入整数');
  expect(meantBy(number, '-1')).toBe('不能小于 0');
  expect(meantBy(number, '101')).toBe('不能大于 100');
  const choice = { kind: 'choice' as const, options: [{ value: true, label: '是' }] };
  expect(meantBy(choice, '是')).toEqual({ value: true });
  expect(meantBy(choice, 'true')).toEqual({ value: true });
  expect(meantBy(choice, '否')).toBe('不在可选值中，可填 是');
  expect(meantBy({ ...choice, open: true }, '否')).toEqual({ value: '否' });
  expect(meantBy({ kind: 'text', maxLength: 2 }, '三个字')).toBe('最多 2 个字符，现在 3 个');
});
