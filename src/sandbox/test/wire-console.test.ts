import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultKinds } from '../wire/faults.ts';
import { type Bench, bench, type Json } from './wire-support.ts';

let sandbox: Bench;
beforeAll(async () => {
  sandbox = await bench();
});
afterAll(() => sandbox.close());

test('the page comes from the sandbox alone, and every part that its script looks for is in it', async () => {
  const page = await fetch(`${sandbox.url}/control`);
  expect(page.headers.get('content-type')).toContain('text/html');
  const html = await page.text();
  expect(html).not.toMatch(/https?:\/\//);
  const script = await fetch(`${sandbox.url}/control/console.js`);
  expect(script.headers.get('content-type')).toContain('javascript');
  const text = await script.text();
  expect(text).toBe(readFileSync(join(import.meta.dirname, '../console/console.js'), 'utf8'));
  const wanted = [...text.matchAll(/at\('([\w-]+)'\)/g)].map(([, id]) => id);
  expect(wanted.length).toBeGreaterThan(10);
  expect(wanted.filter((id) => !html.includes(`id="${id}"`))).toEqual([]);
});

test('the calls of the page do what its buttons say', async () => {
  const { kinds } = (await (await fetch(`${sandbox.url}/control/faults`)).json()) as Json;
  expect(kinds).toEqual([...faultKinds]);
  const before = sandbox.clock.now();
  await sandbox.control('/clock', { advanceMs: 3_600_000 });
  expect(sandbox.clock.now() - before).toBe(3_600_000);
  const { added } = await sandbox.control('/faults', { kind: 'bom', count: 2 });
  expect((await sandbox.control('/faults', { action: 'clear', id: added?.id })).cleared).toBe(1);
});
