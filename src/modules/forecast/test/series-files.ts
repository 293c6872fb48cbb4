import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Item } from '../server/engine/shop.ts';

/** A file of daily sales: one shop. */
export interface SeriesFile {
  name: string;
  items: Item[];
}

/**
 * Reads every CSV of a directory, in the order of their names: a header `item,<date>,…`, then one item a line with its units
 * by day. An empty cell is a day that nobody knows. Throws for a line of another length than the header, or what is no number.
 */
export function seriesFiles(directory: string): SeriesFile[] {
  const names = readdirSync(directory).filter((name) => name.toLowerCase().endsWith('.csv'));
  return names.sort().map((name) => {
    const lines = readFileSync(join(directory, name), 'utf8')
      .replace(/^\ufeff/, '')
      .split(/\r?\n/);
    const [header = '', ...rest] = lines.filter((line) => line.trim() !== '');
    const days = cells(header).length - 1;
    return {
      name,
      items: rest.map((line, row) => ({ units: unitsOf(line, days, `${name}:${row + 2}`), category: name })),
    };
  });
}

/** Cells of a line; an item's name in quotes may have commas. */
function cells(line: string): string[] {
  return line.replace(/^"(?:[^"]|"")*"/, 'item').split(',');
}

function unitsOf(line: string, days: number, place: string): Float64Array {
  const values = cells(line).slice(1);
  if (values.length !== days) throw new RangeError(`${place}: ${values.length} days, the header has ${days}`);
  return Float64Array.from(values, (cell) => {
    const value = cell.trim() === '' ? Number.NaN : Number(cell);
    if (cell.trim() !== '' && !Number.isFinite(value)) throw new RangeError(`${place}: ${cell} is no number`);
    return value;
  });
}
