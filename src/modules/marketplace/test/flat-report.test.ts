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

test('a note on what was taken refuses nothing; lines say their own words, and some none', () => {
  const note = '100001\t-\t3\tInfo\tOne is late';
  expect(flatReport(text(1, HEAD, note)).issues).toEqual([{ code: '3', severity: 'WARNING', message: 'One is late' }]);
  expect(flatReport(text(0, HEAD, note)).issues).toMatchObject([{ severity: 'ERROR' }]);
  const words = ({ sku, message }: { sku: string; message: string }) =>
    sku === '-' ? undefined : `${sku}: ${message}`;
  const lines = [note, '100002\tA-1\t13\tError\tToo many'];
  expect(flatReport(text(0, HEAD, ...lines), words).issues).toEqual([
    { code: '13', severity: 'ERROR', message: 'A-1: Too many' },
  ]);
});
