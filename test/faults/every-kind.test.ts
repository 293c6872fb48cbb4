import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faultKinds } from '#sandbox/wire/faults.ts';

test('every fault that the marketplace can be made to have has its story', () => {
  const stories = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'))
    .join('\n');
  const told = new Set([...stories.matchAll(/kind: '(\w+)'/g)].map((match) => match[1]));
  expect(faultKinds.filter((kind) => !told.has(kind))).toEqual([]);
});
