import { describe, expect, test } from 'vitest';
import { granted, type MemberRights } from '../server/data-scope.ts';

const list = (...ids: string[]) => ({ dimension: 'store', mode: 'LIST' as const, ids });
const all = { dimension: 'store', mode: 'ALL' as const, ids: [] };
const VIEW = 'amz:listing:view';
const EDIT = 'amz:listing:edit';

function reached(rights: Partial<MemberRights>, code: string): string[] | null {
  const set = granted({ roles: [], own: [], dimensions: ['store'], ...rights }, 'store', code);
  return set === null ? null : [...set].sort();
}

describe('what a member reaches with a permission', () => {
  const editor = { codes: new Set([VIEW, EDIT]), grants: [list('A', 'B')] };
  const viewer = { codes: new Set([VIEW]), grants: [list('C')] };

  test('the roles that hold the code add up, his own limit narrows them', () => {
    const rights = { roles: [editor, viewer], own: [list('B', 'C', 'D')] };
    expect(reached(rights, VIEW)).toEqual(['B', 'C']);
    expect(reached(rights, EDIT)).toEqual(['B']);
  });

  test('a role without a grant reaches nothing, one that reaches all makes the others unimportant', () => {
    const blind = { codes: new Set([VIEW]), grants: [] };
    expect(reached({ roles: [blind] }, VIEW)).toEqual([]);
    expect(reached({ roles: [blind, viewer] }, VIEW)).toEqual(['C']);
    expect(reached({ roles: [viewer, { codes: new Set([VIEW]), grants: [all] }] }, VIEW)).toBeNull();
    expect(reached({ roles: [{ codes: new Set([VIEW]), grants: [all] }], own: [list('A')] }, VIEW)).toEqual(['A']);
  });

  test('a dimension that the company has not switched on limits nobody', () => {
    expect(reached({ roles: [viewer], dimensions: ['warehouse'] }, VIEW)).toBeNull();
  });

  test('a code that no role holds reaches nothing', () => {
    expect(reached({ roles: [viewer] }, EDIT)).toEqual([]);
  });
});
