import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ScopeGrant } from '../../contract/roles.ts';
import { plain, rebased, rebasedScopes } from '../organisation/rebase.ts';

const codes = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e'));
const grant = (dimension: string, ...ids: string[]): ScopeGrant => ({ dimension, mode: 'LIST', ids });

describe('rights that are ticked while a save is under way', () => {
  test('stay when the answer comes: one more ticked, one unticked again', () => {
    const sent = ['read', 'write'];
    const meanwhile = new Set(['read', 'export']);
    expect([...rebased(sent, sent, meanwhile)].sort()).toEqual(['export', 'read']);
  });

  test('what somebody else gave or took is taken over where the user changed nothing', () => {
    expect([...rebased(['read', 'audit'], ['read', 'write'], new Set(['read', 'write', 'export']))].sort()).toEqual([
      'audit',
      'export',
      'read',
    ]);
  });

  test('whatever is changed by either: the user’s changes hold, and without any the answer does', () => {
    fc.assert(
      fc.property(codes, codes, codes, (next, base, held) => {
        const result = rebased(next, base, new Set(held));
        for (const code of ['a', 'b', 'c', 'd', 'e']) {
          const touched = base.includes(code) !== held.includes(code);
          expect(result.has(code)).toBe(touched ? held.includes(code) : next.includes(code));
        }
      }),
    );
  });

  test('so do scopes, by their dimension', () => {
    const base = [grant('store', '1'), grant('warehouse', '7')];
    const held = [grant('store', '1', '2'), grant('warehouse', '7')];
    const next = [grant('store', '1'), grant('warehouse', '7', '8')];
    const result = rebasedScopes(next, base, held);
    expect(plain(result)).toBe(plain([grant('store', '2', '1'), grant('warehouse', '8', '7')]));
    expect(plain(rebasedScopes(next, base, [grant('warehouse', '7')]))).toBe(plain([grant('warehouse', '7', '8')]));
  });
});
