import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { z } from 'zod';
import { type Density, type RowData, valueNode } from '../cells/Value.tsx';
import { type ColumnOverrides, type GridColumn, gridColumns } from '../grid/columns.ts';
import { usePermissions } from '../session.ts';

interface Props<R extends z.ZodObject> {
  row: R;
  rows: readonly z.output<R>[] | undefined;
  rowId?: (row: z.output<R>, index: number) => string;
  /** Keys to show, in order; all columns of the schema where left out. */
  only?: readonly Extract<keyof z.output<R>, string>[];
  columns?: ColumnOverrides<z.output<R>>;
  totals?: RowData;
  totalsTitle?: ReactNode;
  density?: Density;
  /** Said where there is no line. */
  none?: ReactNode;
  onOpen?: (row: z.output<R>) => void;
  /** Name for assistive technology. */
  label?: string;
}

const SKELETONS = ['first', 'second', 'third', 'fourth'];

function cellOf<Row>(column: GridColumn<Row>, row: Row, density: Density): ReactNode {
  return column.render ? column.render(row) : valueNode(column, row as RowData, { density });
}

/** A column that is pinned to the right stays in sight where the table is wider than its place. */
function classOf<Row>({ align, pinned }: GridColumn<Row>): string {
  return `is-${align}${pinned === 'right' ? ' is-pinned' : ''}`;
}

function totalOf<Row>(column: GridColumn<Row>, totals: RowData, title: ReactNode): ReactNode {
  if (column.total) return column.total(totals);
  return column.key in totals ? valueNode(column, totals, { density: 'dense' }) : title;
}

/** Whether what an element holds is wider or higher than the element: then it has to be reachable by key, to be scrolled. */
function useScrolls(content: unknown) {
  const box = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useLayoutEffect(() => {
    const node = box.current;
    if (!node) return;
    const measure = () => setScrolls(node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight);
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    if (content !== undefined) measure();
    return () => observer.disconnect();
  }, [content]);
  return { box, scrolls };
}

/**
 * The lines of a document or of a figure: columns from the contract like the grid's, but a plain table for up to a few
 * hundred rows, in drawers, documents and cards.
 */
export function LineTable<R extends z.ZodObject>(props: Props<R>) {
  type Row = z.output<R>;
  const { rows, density = 'dense', totals, totalsTitle = '合计', none = '没有明细', onOpen } = props;
  const permissions = usePermissions();
  const columns = useMemo(() => {
    const all = gridColumns(props.row, props.columns, permissions).filter((column) => !column.optional || props.only);
    if (!props.only) return all;
    return props.only.flatMap((key) => all.filter((column) => column.key === key));
  }, [props.row, props.columns, props.only, permissions]);
  const idOf = (row: Row, index: number): string => props.rowId?.(row, index) ?? String((row as RowData).id ?? index);

  const { box, scrolls } = useScrolls(rows);
  return (
    <div
      className={`line-table is-${density}`}
      ref={box}
      {...(scrolls ? { tabIndex: 0, role: 'region', 'aria-label': props.label } : {})}
    >
      <table aria-label={props.label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                className={classOf(column)}
                title={column.tip}
                style={{ minWidth: column.own * 0.6 }}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows?.map((row, index) => (
            <tr key={idOf(row, index)} className={onOpen ? 'is-open' : undefined} onClick={() => onOpen?.(row)}>
              {columns.map((column) => (
                <td key={column.key} className={classOf(column)}>
                  {cellOf(column, row, density)}
                </td>
              ))}
            </tr>
          ))}
          {rows === undefined &&
            SKELETONS.map((name) => (
              <tr key={name}>
                {columns.map((column) => (
                  <td key={column.key} className={classOf(column)}>
                    <span className="skeleton" />
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
        {totals && rows && rows.length > 0 && (
          <tfoot>
            <tr>
              {columns.map((column, index) => (
                <td key={column.key} className={classOf(column)}>
                  {totalOf(column, totals, index === 0 ? totalsTitle : null)}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
      {rows?.length === 0 && <div className="line-table-none">{none}</div>}
    </div>
  );
}
