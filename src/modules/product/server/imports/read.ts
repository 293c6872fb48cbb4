import { type CopyValue, copyFields } from '#kit/server/db/copy.ts';
import { plainHeading } from '#kit/server/excel/headings.ts';
import type { GenericTable } from '#modules/marketplace/server/index.ts';
import type { TableCorrection, TableProblem } from '../../contract/imports.ts';
import type { ImportColumn } from './columns.ts';

/** More rows than that are several files. */
export const MAX_ROWS = 200_000;
const MAX_PROBLEMS = 1000;
const PREVIEW = 20;

export interface ReadState {
  rows: number;
  dropped: number;
  bad: number;
  problems: TableProblem[];
  more: number;
  preview: string[][];
}

export function newState(): ReadState {
  return { rows: 0, dropped: 0, bad: 0, problems: [], more: 0, preview: [] };
}

export function report(state: ReadState, problem: TableProblem): void {
  if (state.problems.length < MAX_PROBLEMS) state.problems.push(problem);
  else state.more += 1;
}

/** A problem of the file itself: no line to correct. */
export function wholeFile(reason: string, suggestion: string, column = '', value = ''): TableProblem {
  return { line: null, key: '', field: null, column, value, reason, suggestion };
}

/** Where each column stands in the file, -1 where it does not; required ones that lack are problems. */
export function placesOf(columns: readonly ImportColumn[], headers: readonly string[], state: ReadState): number[] {
  const found = headers.map(plainHeading);
  const places = columns.map((column) => {
    const names = [plainHeading(column.title), ...(column.aliases ?? [])];
    return found.findIndex((heading) => names.includes(heading));
  });
  for (const [index, column] of columns.entries()) {
    if (column.required && places[index] === -1) {
      report(
        state,
        wholeFile(`缺少列「${column.title}」`, '请使用导入模板的表头', column.title, headers.join('、').slice(0, 100)),
      );
    }
  }
  return places;
}

function readCells(
  columns: readonly ImportColumn[],
  cell: (index: number) => string,
  line: number,
  state: ReadState,
): string[] | undefined {
  const values: string[] = [];
  let good = true;
  for (const [index, column] of columns.entries()) {
    const text = cell(index);
    const read = column.read(text);
    const empty = 'value' in read && read.value === '' && column.required;
    if ('value' in read && !empty) {
      values.push(read.value);
      continue;
    }
    good = false;
    const why = 'reason' in read ? read : { reason: `${column.title}不能为空`, suggestion: '请填写，或删除此行' };
    report(state, {
      line,
      key: cell(0).trim().slice(0, 100),
      field: column.key,
      column: column.title,
      value: text.slice(0, 100),
      ...why,
    });
  }
  return good ? values : undefined;
}

/**
 * The rows of a table as COPY lines (line number, then the columns; empty cells are NULL), a batch at a time. What
 * cannot be taken is reported in `state` and left out; corrections are read as if the file said so.
 */
export async function* copyLines(
  table: GenericTable,
  columns: readonly ImportColumn[],
  corrections: readonly TableCorrection[],
  state: ReadState,
): AsyncGenerator<string> {
  const places = placesOf(columns, table.headers, state);
  if (state.problems.length > 0) return;
  const byLine = new Map(corrections.map((one) => [one.line, one]));
  for await (const batch of table.rows()) {
    let chunk = '';
    for (const { lineNo, values } of batch) {
      if (values.every((value) => value.trim() === '')) continue;
      const correction = byLine.get(lineNo);
      if (correction?.drop) {
        state.dropped += 1;
        continue;
      }
      state.rows += 1;
      const cell = (index: number) => {
        const own = correction?.values[columns[index]?.key ?? ''];
        const place = places[index] ?? -1;
        return own ?? (place < 0 ? '' : (values[place] ?? ''));
      };
      const read = readCells(columns, cell, lineNo, state);
      if (!read) {
        state.bad += 1;
        continue;
      }
      if (state.preview.length < PREVIEW) state.preview.push([String(lineNo), ...read]);
      const fields: CopyValue[] = [lineNo];
      for (const value of read) fields.push(value === '' ? null : value);
      chunk += `${copyFields(fields)}\n`;
    }
    yield chunk;
    if (state.rows > MAX_ROWS) {
      report(state, wholeFile(`超过 ${MAX_ROWS.toLocaleString('en-US')} 行`, '请拆分为多个文件'));
      return;
    }
  }
}
