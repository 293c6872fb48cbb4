import { expect, test } from 'vitest';
import type { ModuleValue } from '../../contract/content.ts';
import { duplicated, linesOf, moved, newModule, withSlot } from '../editor/modules.ts';

const [logo, text, specs] = (['STANDARD_COMPANY_LOGO', 'STANDARD_TEXT', 'STANDARD_TECH_SPECS'] as const).map(newModule);
const all = [logo, text, specs] as ModuleValue[];
const types = (modules: readonly ModuleValue[]) => modules.map(({ type }) => type.replace('STANDARD_', ''));

test('a new module has the first of its choices and nothing else', () => {
  expect(newModule('STANDARD_SINGLE_SIDE_IMAGE').values).toEqual({ imagePositionType: { choice: 'LEFT' } });
  expect(newModule('STANDARD_TEXT').values).toEqual({});
});

test('modules move by one place and stop at the ends', () => {
  expect(types(moved(all, 0, 1))).toEqual(['TEXT', 'COMPANY_LOGO', 'TECH_SPECS']);
  expect(types(moved(all, 2, -1))).toEqual(['COMPANY_LOGO', 'TECH_SPECS', 'TEXT']);
  expect(moved(all, 0, -1)).toEqual(all);
  expect(moved(all, 2, 1)).toEqual(all);
});

test('a copy stands behind its original and is one of its own', () => {
  const more = duplicated(all, 1);
  expect(types(more)).toEqual(['COMPANY_LOGO', 'TEXT', 'TEXT', 'TECH_SPECS']);
  expect(new Set(more.map(({ id }) => id)).size).toBe(4);
});

test('a slot takes a value and gives it back', () => {
  const written = withSlot(all[1] as ModuleValue, 'headline', { text: { text: 'Why' } });
  expect(written.values).toEqual({ headline: { text: { text: 'Why' } } });
  expect(withSlot(written, 'headline', undefined).values).toEqual({});
});

test('lines that nobody touched keep their marks', () => {
  const before = [{ text: 'Bold', decorators: [{ type: 'STYLE_BOLD' }] }, { text: 'Plain' }];
  expect(linesOf('Bold\nPlainer', before)).toEqual([before[0], { text: 'Plainer' }]);
});
