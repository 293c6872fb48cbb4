import type { ReactNode } from 'react';
import type { Column } from '../../contract/columns.ts';
import type { Product, Store } from '../../contract/field.ts';
import { formatInteger, formatMoney, formatPercent, NOT_APPLICABLE } from '../../contract/format.ts';
import { Integer, Percent } from './Figures.tsx';
import { Money } from './Money.tsx';
import { Person } from './Person.tsx';
import { Picture, ProductCell } from './Product.tsx';
import { State } from './State.tsx';
import { StoreName } from './Store.tsx';
import { DayText, When } from './Time.tsx';
import { dateText, stampText } from './time.ts';

export type RowData = Readonly<Record<string, unknown>>;

/** How densely a value is drawn: one line, two lines, or with a full picture. */
export type Density = 'dense' | 'two' | 'picture';

export interface ValueOptions {
  density?: Density;
  /** Show the currency's code beside its symbol. */
  code?: boolean;
}

const PICTURE_SIZE: Record<Density, number> = { dense: 26, two: 36, picture: 40 };

/** Currency of a money column in a row: a fixed one in upper case, or a sibling field. */
export function currencyOf(column: Column, row: RowData): string {
  const key = column.currency ?? 'currency';
  if (/^[A-Z]{3}$/.test(key)) return key;
  const value = row[`${column.key}Currency`] ?? row[key];
  return typeof value === 'string' ? value : '';
}

function money(column: Column, row: RowData, options: ValueOptions): ReactNode {
  return (
    <Money
      amount={row[column.key] as string | null | undefined}
      currency={currencyOf(column, row)}
      good={column.good}
      code={options.code ?? false}
      converted={row[`${column.key}Converted`] === true}
    />
  );
}

function plain(value: unknown, kind: string): ReactNode {
  if (value === null || value === undefined || value === '') return <span className="text3">{NOT_APPLICABLE}</span>;
  const text = String(value);
  return (
    <span className={kind === 'code' ? 'code ellipsis' : 'ellipsis'} title={text}>
      {text}
    </span>
  );
}

/** The standard cell of a field, chosen by its kind. */
export function valueNode(column: Column, row: RowData, options: ValueOptions = {}): ReactNode {
  const value = row[column.key];
  const density = options.density ?? 'picture';
  switch (column.kind) {
    case 'money':
      return money(column, row, options);
    case 'integer':
      return <Integer value={value as number | string | null | undefined} good={column.good} />;
    case 'rate':
      return <span className="num">{value === null || value === undefined ? NOT_APPLICABLE : String(value)}</span>;
    case 'percent':
      return <Percent value={value as string | null | undefined} good={column.good} />;
    case 'instant':
      return <When at={value as string | null | undefined} />;
    case 'date':
      return <DayText day={value as string | null | undefined} />;
    case 'state':
      return <State value={value as string | null | undefined} states={column.states} />;
    case 'choice':
      return plain(column.states?.[String(value)]?.title ?? value, 'text');
    case 'boolean':
      return value === null || value === undefined ? plain(null, 'text') : <span>{value ? '是' : '否'}</span>;
    case 'product':
      return <ProductCell product={value as Product | null} size={PICTURE_SIZE[density]} flat={density === 'dense'} />;
    case 'store':
      return <StoreName store={value as Store | null} />;
    case 'person':
      return <Person name={value as string | null} />;
    case 'image':
      return <Picture src={value as string | null} size={PICTURE_SIZE[density]} />;
    default:
      return plain(value, column.kind);
  }
}

/** The same as plain text: for copying and for screen readers. */
export function valueText(column: Column, row: RowData): string {
  const value = row[column.key];
  if (value === null || value === undefined) return '';
  if (column.states) return column.states[String(value)]?.title ?? String(value);
  switch (column.kind) {
    case 'money':
      return formatMoney(String(value), currencyOf(column, row));
    case 'integer':
      return formatInteger(String(value));
    case 'percent':
      return formatPercent(String(value));
    case 'instant':
      return stampText(String(value));
    case 'date':
      return dateText(String(value));
    case 'boolean':
      return value ? '是' : '否';
    case 'product':
      return (value as Product).code;
    case 'store':
      return (value as Store).name;
    default:
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
}
