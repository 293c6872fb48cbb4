import { describe, expect, it } from 'vitest';
import {
  correctCell,
  dropLine,
  errorCount,
  type ImportCheck,
  type ImportProblem,
  problemsCsv,
  undoCell,
} from '../import/types.ts';

const problem = (line: number, message: string, more: Partial<ImportProblem> = {}): ImportProblem => ({
  line,
  level: 'error',
  message,
  ...more,
});
const found = (problems: ImportProblem[], total: number, ok: number): ImportCheck => ({
  fileName: 'costs.csv',
  total,
  ok,
  problems,
});

describe('putting rows right', () => {
  it('keeps one correction per line, in the order of the file', () => {
    const first = correctCell([], 7, 'cost', '9');
    const second = correctCell(first, 3, 'sku', 'A');
    const third = correctCell(second, 7, 'day', '2026-01-01');
    expect(third).toEqual([
      { line: 3, values: { sku: 'A' }, drop: false },
      { line: 7, values: { cost: '9', day: '2026-01-01' }, drop: false },
    ]);
  });

  it('a line left out comes back by a correction or by taking it back', () => {
    const dropped = dropLine(correctCell([], 4, 'cost', '9'), 4);
    expect(dropped).toEqual([{ line: 4, values: {}, drop: true }]);
    expect(undoCell(dropped, 4, 'cost')).toEqual([]);
    expect(correctCell(dropped, 4, 'cost', '8')).toEqual([{ line: 4, values: { cost: '8' }, drop: false }]);
  });

  it('taking back one cell leaves the others of its line, and other lines, alone', () => {
    const both = correctCell(correctCell(correctCell([], 4, 'cost', '9'), 4, 'sku', 'A'), 5, 'cost', '1');
    expect(undoCell(both, 4, 'cost')).toEqual([
      { line: 4, values: { sku: 'A' }, drop: false },
      { line: 5, values: { cost: '1' }, drop: false },
    ]);
  });
});

describe('what a check counts and hands out', () => {
  it('a row with two faults is one bad row; rows beyond the listed ones count too', () => {
    const two = [problem(2, '金额有误'), problem(2, '日期无效'), problem(5, '重复')];
    expect(errorCount(found(two, 10, 8))).toBe(2);
    expect(errorCount(found(two, 5000, 3000))).toBe(2000);
  });

  it('the list of reasons opens in a spreadsheet as text: quotes doubled, formulas harmless', () => {
    const bad = problem(2, '请输入正确的金额', {
      key: '=1+1',
      column: '单价',
      value: '1,5 "约"',
      suggestion: '例如 12.50',
    });
    expect(problemsCsv(found([bad], 1, 0))).toBe(
      '\ufeff行号,记录,列,当前值,问题,建议\r\n2,\'=1+1,单价,"1,5 ""约""",请输入正确的金额,例如 12.50\r\n',
    );
  });
});
