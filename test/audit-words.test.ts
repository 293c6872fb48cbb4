import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestSteps, saveRequest } from '#modules/finance/contract/requests.ts';
import { saveSupplier } from '#modules/supplier/contract.ts';
import { listOperlog } from '#modules/system/contract/operlog.ts';
import { changesOf } from '#modules/system/server/operlog/wording.ts';
import { modules } from '#src/app/modules.ts';
import { SRC, sources } from '../scripts/tree.ts';
import { createWorld, type World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('the log of a document reads in the words of its contract: states, lines, and no ids among them', async () => {
  const owner = await world.owner();
  const supplier = await owner.call(saveSupplier, { body: { shortName: '义乌箱包' } });
  const party = { kind: 'SUPPLIER' as const, id: supplier.id };
  const lines = [
    { title: '货款', amount: '1200', remark: '第一批' },
    { title: '模具费', amount: '80' },
  ];
  const { id } = await owner.call(saveRequest, { body: { kind: 'DEPOSIT', party, lines } });
  await owner.call(requestSteps.submit, { body: { id } });
  const { records } = await owner.call(listOperlog, { body: { filter: { resourceId: id } } });
  expect(records.map((row) => [row.action, row.resourceTitle])).toEqual([
    ['请款单·提交', '请款单'],
    ['请款单·保存', '请款单'],
  ]);
  expect(records[0]?.summary).toBe('状态：草稿 → 待审核');
  const saved = records[1]?.summary ?? '';
  expect(saved).not.toMatch(/[{}"]/);
  expect(saved).not.toContain(supplier.id);
});

/** The text between the brace at `from` and the one that closes it. */
function inBraces(text: string, from: number): string {
  let depth = 1;
  let at = from;
  for (; depth > 0 && at < text.length; at += 1) depth += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0;
  return text.slice(from, at - 1);
}

/** Fields that a source writes into the log by their names, with what they are about: `{ after: { copied } }`. */
function written(path: string) {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/\baudit\([\w.]+, \{/g)].flatMap((call) => {
    const row = inBraces(text, call.index + call[0].length);
    const action = /action: [^'`]*['`]([^'`$]*)/.exec(row)?.[1] ?? '';
    const resource = /resource: '([^']+)'/.exec(row)?.[1] ?? path.split('/modules/')[1]?.split('/')[0] ?? '';
    return [...row.matchAll(/\b(?:before|after): \{([^{}]*)\}/g)].flatMap(([, fields = '']) =>
      fields.split(',').flatMap((field) => {
        const name = /^\s*(\w+)\s*(?::|$)/.exec(field)?.[1];
        return name === undefined ? [] : [{ action, resource, name }];
      }),
    );
  });
}

test('whatever a source writes into the log has a name in Chinese', () => {
  const all = sources(join(SRC, 'modules'))
    .filter((path) => path.includes('/server/'))
    .flatMap(written);
  expect(all.length).toBeGreaterThan(100);
  const unnamed = all.filter(({ action, resource, name }) => {
    const [change] = changesOf(modules, { action, resource, before: null, after: { [name]: 1 } });
    return change?.title === name;
  });
  expect(unnamed).toEqual([]);
});
