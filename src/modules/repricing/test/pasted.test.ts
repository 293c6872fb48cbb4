import { expect, test } from 'vitest';
import { parsed } from '../web/pasted.ts';

test('rows of a sheet are SKUs with a lowest and a highest price, and perhaps another cost', () => {
  const rows = [
    'NQ-1\t17.80\t24.99',
    'A b/2 # x  5 9.5 1.20',
    'NQ-3,1,2,',
    '',
    'NQ-4 7',
    'NQ-5 a 9',
    '\t1\t2',
    'NQ-1\t18\t25',
  ];
  expect(parsed(rows.join('\r\n'))).toEqual({
    lines: [
      { sku: 'NQ-1', minPrice: '18', maxPrice: '25' },
      { sku: 'A b/2 # x', minPrice: '5', maxPrice: '9.5', otherCost: '1.20' },
      { sku: 'NQ-3', minPrice: '1', maxPrice: '2' },
    ],
    wrong: [5, 6, 7],
  });
});
