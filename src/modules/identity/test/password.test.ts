import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passwordProblem } from '../contract/account.ts';
import { hashPassword, passwordFits } from '../server/password.ts';

const REFUSED = '密码须包含数字、小写字母、大写字母、特殊符号中的至少三种，长度为8-30位';

describe('the rule', () => {
  test.each([
    ['Abcdefg1', undefined],
    ['abc_1234', undefined],
    ['abcdefg1', REFUSED],
    ['Ab1!xyz', REFUSED],
    [`Ab1${'x'.repeat(28)}`, REFUSED],
    [`Ab1${'x'.repeat(27)}`, undefined],
    ['Ab1 xyzw', REFUSED],
    ['Ab1\u3000xyzw', REFUSED],
    ['密码Ab1xyz', undefined],
    ['Ab1😀😀😀😀', REFUSED],
    ['Ab1😀😀😀😀😀', undefined],
  ])('%s', (password, problem) => {
    expect(passwordProblem(password)).toBe(problem);
  });

  test('two classes are never enough', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{8,30}$/), (password) => {
        expect(passwordProblem(password)).toBe(REFUSED);
      }),
    );
  });
});

describe('hashes', () => {
  test('fit their password and pepper only, and are salted', async () => {
    const one = await hashPassword('Abcdefg1', 'pepper');
    const two = await hashPassword('Abcdefg1', 'pepper');
    expect(one).not.toBe(two);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwordFits(one, 'Abcdefg1', 'pepper')).toBe(true);
    expect(await passwordFits(one, 'Abcdefg1', 'salt')).toBe(false);
    expect(await passwordFits(one, 'abcdefg1', 'pepper')).toBe(false);
    expect(await passwordFits('no hash', 'Abcdefg1', 'pepper')).toBe(false);
  });

  test('do not care how an accent is typed', async () => {
    expect(await passwordFits(await hashPassword('Caf\u00e9-2026', 'p'), 'Cafe\u0301-2026', 'p')).toBe(true);
  });
});
