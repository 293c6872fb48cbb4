import { CaretDownOutlined, CaretRightOutlined } from '@ant-design/icons';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { type RowAction, RowActions } from '#kit/web/grid/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { SubjectRow } from '../contract/subjects.ts';

interface Props {
  /** In the order of codes; undefined while they are on their way. */
  rows: readonly SubjectRow[] | undefined;
  /** Undefined for whoever may change nothing. */
  actions: ((row: SubjectRow) => readonly RowAction[]) | undefined;
}

const levelOf = (code: string) => code.length / 2 - 1;
const TreeRow = SubjectRow.extend({ actions: z.string().meta({ title: '操作', width: 180, pinned: 'right' }) });
type TreeRow = z.output<typeof TreeRow>;
const COLUMNS = ['code', 'name', 'kind', 'direction', 'leaf', 'state'] as const;

/** The chart of accounts as one tree; a parent folds what is below it. */
export function SubjectTree({ rows, actions }: Props) {
  const [folded, setFolded] = useState<readonly string[]>([]);
  const shown = useMemo(
    () =>
      rows
        ?.filter(({ code }) => !folded.some((above) => code !== above && code.startsWith(above)))
        .map((row): TreeRow => ({ ...row, actions: '' })),
    [rows, folded],
  );
  const toggle = (code: string) =>
    setFolded(folded.includes(code) ? folded.filter((each) => each !== code) : [...folded, code]);
  const columns: ColumnOverrides<TreeRow> = {
    name: {
      render: ({ code, name, leaf }) => (
        <span className={`accounting-level-${levelOf(code)}`}>
          {leaf ? (
            <span className="accounting-fold" />
          ) : (
            <button
              type="button"
              className="icon-button is-small"
              aria-label={folded.includes(code) ? `展开 ${code}` : `收起 ${code}`}
              aria-expanded={!folded.includes(code)}
              onClick={() => toggle(code)}
            >
              {folded.includes(code) ? <CaretRightOutlined /> : <CaretDownOutlined />}
            </button>
          )}
          {name}
        </span>
      ),
      text: ({ name }) => name,
    },
    actions: { render: (row) => actions && <RowActions actions={actions(row)} />, text: () => '' },
  };
  return (
    <LineTable
      row={TreeRow}
      rows={shown}
      only={actions ? [...COLUMNS, 'actions'] : COLUMNS}
      columns={columns}
      label="科目"
      none="没有符合条件的科目"
    />
  );
}
