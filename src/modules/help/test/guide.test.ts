import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { MenuItem } from '#kit/server/module.ts';
import { modules } from '#src/app/modules.ts';
import { cutAtHits, groupsOf, plainText, readGuide, searchGuide } from '../web/guide.ts';

const GUIDE = fileURLToPath(new URL('../web/guide/', import.meta.url));
const MODULES = fileURLToPath(new URL('../../', import.meta.url));
const pages = readdirSync(GUIDE).map((name) =>
  readGuide(name.replace(/\.md$/, ''), readFileSync(`${GUIDE}${name}`, 'utf8')),
);

function componentsOf(items: readonly MenuItem[]): string[] {
  return items.flatMap((item) => [...(item.component ? [item.component] : []), ...componentsOf(item.children ?? [])]);
}

test('every screen of the menu that exists has a page of the guide, and only one', () => {
  const keys = pages.flatMap((page) => page.keys);
  expect(keys).toHaveLength(new Set(keys).size);
  const screens = modules.flatMap((module) => Object.values(module.menu ?? {}).flatMap(componentsOf));
  const exists = (key: string) => existsSync(`${MODULES}${key.replace('/', '/web/screens/')}.tsx`);
  expect(screens.filter((key) => exists(key) && !keys.includes(key))).toEqual([]);
  expect(keys.filter((key) => !exists(key))).toEqual([]);
});

test('links between pages lead somewhere, and every page says something', () => {
  const ids = new Set(pages.map((page) => page.id));
  for (const page of pages) {
    for (const [, target = ''] of page.body.matchAll(/\]\(([\w-]+)\)/g))
      expect(ids, `${page.id}: ${target}`).toContain(target);
    expect(plainText(page.body).length, page.id).toBeGreaterThan(80);
    expect(page.body, page.id).not.toMatch(/<[a-z]/i);
  }
});

test('a search needs all words, puts titles first and shows the words around', () => {
  const hits = searchGuide(pages, '采购成本');
  expect(hits[0]?.page.id).toBe('cost');
  expect(hits.length).toBeGreaterThan(2);
  for (const hit of hits.slice(1)) expect(`${hit.page.title}${hit.excerpt}`).toContain('采购成本');
  expect(searchGuide(pages, '采购成本 撤销').map((hit) => hit.page.id)).toEqual(['cost']);
  expect(searchGuide(pages, '没有这种东西')).toEqual([]);
  expect(searchGuide(pages, '  ')).toEqual([]);
});

test('hits are cut out of a text without losing a character, signs of patterns taken literally', () => {
  expect(cutAtHits('按 Ctrl K 打开', 'ctrl')).toEqual(['按 ', 'Ctrl', ' K 打开']);
  expect(cutAtHits('a(b)c', '(b)')).toEqual(['a', '(b)', 'c']);
  expect(cutAtHits('文字', '')).toEqual(['文字']);
});

test('groups and pages stand in their order; a head that says too little is an error', () => {
  expect(groupsOf(pages).map((group) => group.title)).toEqual([
    '入门',
    '销售',
    '产品',
    '采购',
    '仓库',
    '物流',
    '广告',
    '客服',
    '财务',
    '授权',
    '系统',
  ]);
  expect(() => readGuide('x', '---\ntitle: 甲\n---\n正文')).toThrow('x: no group');
  expect(() => readGuide('x', '正文')).toThrow('x: no head');
});
