import { expect, test } from 'vitest';
import { flatReport } from '../server/feeds/kinds.ts';

const text = (successful: number, ...lines: string[]) =>
  [
    'Feed Processing Summary:',
    '\tNumber of records processed\t\t1',
    `\tNumber of records successful\t\t${successful}`,
    '',
    ...lines,
    '',
  ].join('\r\n');
const HEAD = 'original-record-number\tsku\terror-code\terror-type\terror-message';

test('a processing report of one document says what refuses it, and nothing where it was received', () => {
  expect(flatReport(text(1))).toEqual({ issues: [] });
  expect(flatReport(text(0, HEAD, '1\t\t79513\tError\tPlease provide metadata:shippingid'))).toEqual({
    issues: [{ code: '79513', severity: 'ERROR', message: 'Please provide metadata:shippingid' }],
  });
  expect(flatReport(text(1, HEAD, '1\t\t90\tWarning\tLate')).issues).toEqual([
    { code: '90', severity: 'WARNING', message: 'Late' },
  ]);
});

test('none successful without a reason is a refusal all the same', () => {
  expect(flatReport(text(0)).issues).toMatchObject([{ severity: 'ERROR' }]);
});
