import { Money } from '#kit/web/cells/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { AMOUNTS, LINES, type Statement, type StatementLine } from '../contract/statements.ts';

interface Props {
  statement: Statement;
  /** Undefined while they are on their way. */
  lines: readonly StatementLine[] | undefined;
  label: string;
  onOpen: (line: StatementLine) => void;
}

/** Lines of a statement; what an amount is made of opens with it. */
export function StatementTable({ statement, lines, label, onOpen }: Props) {
  const cell = (key: 'first' | 'second', name: string) => ({
    render: (row: StatementLine) => {
      const amount = row[key];
      if (amount === null) return null;
      if (!/[1-9]/.test(amount)) return <span className="text3">—</span>;
      return (
        <button
          type="button"
          className="link"
          aria-label={`${row.title} ${name} ${amount}`}
          onClick={() => onOpen(row)}
        >
          <Money amount={amount} currency="CNY" />
        </button>
      );
    },
    text: (row: StatementLine) => row[key] ?? '',
  });
  const [first, second] = AMOUNTS[statement];
  const columns: ColumnOverrides<StatementLine> = {
    title: {
      render: ({ title, indent, total, no }) => (
        <span className={`accounting-indent-${indent}${total || no === '' ? ' is-strong' : ''}`}>{title}</span>
      ),
      text: ({ title }) => title,
    },
    no: { render: ({ no }) => no, text: ({ no }) => no },
    first: cell('first', first),
    second: cell('second', second),
  };
  return <LineTable row={LINES[statement]} rows={lines} rowId={({ title }) => title} columns={columns} label={label} />;
}
