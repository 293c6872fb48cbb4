import { expect, it } from 'vitest';
import { capitalYuan } from '#kit/contract/capital.ts';

it('amounts are written in words as contracts ask for it', () => {
  const cases: Record<string, string> = {
    '0': '零元整',
    '0.05': '伍分',
    '0.50': '伍角',
    '1': '壹元整',
    '10': '壹拾元整',
    '1005': '壹仟零伍元整',
    '1050.07': '壹仟零伍拾元零柒分',
    '103560.50': '壹拾万叁仟伍佰陆拾元伍角',
    '100000000': '壹亿元整',
    '100010001.01': '壹亿零壹万零壹元零壹分',
    '100000001': '壹亿零壹元整',
    '20300.45': '贰万零叁佰元肆角伍分',
    '-8041': '负捌仟零肆拾壹元整',
  };
  expect(Object.fromEntries(Object.keys(cases).map((amount) => [amount, capitalYuan(amount)]))).toEqual(cases);
});
