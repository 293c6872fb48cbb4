import { expect, it } from 'vitest';
import { readTracking } from '../../server/inbound/tracking/sheet.ts';

const parcels = [1, 2].map((no) => ({ no, amazonBoxId: `FBA15XU00000${no}`, shipmentNo: 'FBA15X', trackingNo: '' }));
const HEAD = ['箱号', '亚马逊箱号', '追踪号'];
const problems = (...rows: string[][]) =>
  readTracking([HEAD, ...rows], parcels).problems.map(({ line, column, reason }) => `${line} ${column} ${reason}`);

it('boxes are named by either number, each once; lines without a tracking number are nothing', () => {
  const read = readTracking([HEAD, ['1.0', '', 'A'], ['', 'fba15xu000002', 'B'], ['7', '', '']], parcels);
  expect(read).toEqual({
    rows: 2,
    problems: [],
    parcels: [
      { no: 1, trackingNo: 'A' },
      { no: 2, trackingNo: 'B' },
    ],
  });
  expect(problems(['3', '', 'A'])).toEqual(['2 箱号 没有这一箱，或由亚马逊合作承运，无需填写']);
  expect(problems(['', '', 'A'])).toEqual(['2 箱号 请填写箱号']);
  expect(problems(['1', 'FBA15XU000002', 'A'])).toEqual(['2 亚马逊箱号 与第 1 箱不一致']);
  expect(problems(['1', '', 'A'], ['', 'FBA15XU000001', 'B'])).toEqual(['3 箱号 与第 2 行是同一箱']);
  expect(problems(['1', '', 'A'.repeat(65)])).toEqual(['2 追踪号 追踪号不能超过64个字符']);
  expect(problems(['1', '', ''])).toEqual(['2 追踪号 没有填写追踪号']);
  expect(readTracking([['箱子']], parcels).problems.map(({ reason }) => reason)).toEqual([
    '缺少列【箱号】',
    '缺少列【追踪号】',
  ]);
});
