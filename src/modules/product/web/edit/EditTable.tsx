import { DeleteOutlined } from '@ant-design/icons';
import { Input, InputNumber, Select, Switch } from 'antd';
import type { ReactNode } from 'react';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Option } from '../options.ts';

export type Line = Readonly<Record<string, unknown>>;

export interface EditColumn {
  key: string;
  title: string;
  width?: number;
  /** `only` shows without editing. */
  kind: 'text' | 'decimal' | 'integer' | 'percent' | 'switch' | 'select' | 'only';
  options?: readonly Option[];
  placeholder?: string;
  /** Draws the cell instead. */
  render?: (line: Line, index: number) => ReactNode;
}

interface Props {
  label: string;
  columns: readonly EditColumn[];
  lines: readonly Line[];
  onChange: (lines: Line[]) => void;
  /** Below the lines: how another one is added. */
  add?: ReactNode;
  /** The lines are given and cannot be taken out. */
  fixed?: boolean;
}

const percentOf = (value: unknown) =>
  value === null || value === undefined || value === '' ? null : new Decimal(String(value)).times(100).toFixed();
const shareOf = (text: string | null) => (text === null || text === '' ? null : new Decimal(text).div(100).toFixed());

function Cell({
  column,
  line,
  name,
  put,
}: {
  column: EditColumn;
  line: Line;
  name: string;
  put: (value: unknown) => void;
}) {
  const value = line[column.key];
  const text = value === null || value === undefined ? '' : String(value);
  switch (column.kind) {
    case 'only':
      return <span>{text || '—'}</span>;
    case 'switch':
      return <Switch size="small" aria-label={name} checked={value === true} onChange={put} />;
    case 'select':
      return (
        <Select
          size="small"
          aria-label={name}
          style={{ width: '100%' }}
          value={text || null}
          placeholder={column.placeholder ?? '请选择'}
          onChange={put}
          showSearch={{ optionFilterProp: 'label' }}
          options={[...(column.options ?? [])]}
        />
      );
    case 'text':
      return (
        <Input
          size="small"
          aria-label={name}
          placeholder={column.placeholder ?? ''}
          value={text}
          onChange={(event) => put(event.target.value)}
        />
      );
    default: {
      const percent = column.kind === 'percent';
      return (
        <InputNumber<string>
          size="small"
          stringMode
          controls={false}
          aria-label={name}
          style={{ width: '100%' }}
          value={percent ? percentOf(value) : text || null}
          suffix={percent ? '%' : undefined}
          {...(column.kind === 'integer' ? { precision: 0 } : {})}
          onChange={(next) => {
            if (percent) put(shareOf(next));
            else put(next === null || next === '' ? null : column.kind === 'integer' ? Number(next) : next);
          }}
        />
      );
    }
  }
}

/** Lines of a record that are edited in place. */
export function EditTable({ label, columns, lines, onChange, add, fixed = false }: Props) {
  const put = (index: number, key: string, value: unknown) =>
    onChange(lines.map((line, at) => (at === index ? { ...line, [key]: value } : line)));
  return (
    <div className="line-table is-dense edit-lines">
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} style={{ width: column.width }}>
                {column.title}
              </th>
            ))}
            {!fixed && <th style={{ width: 40 }} />}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <tr key={String(line.key ?? index)}>
              {columns.map((column) => (
                <td key={column.key}>
                  {column.render?.(line, index) ?? (
                    <Cell
                      column={column}
                      line={line}
                      name={`${column.title} 第${index + 1}行`}
                      put={(value) => put(index, column.key, value)}
                    />
                  )}
                </td>
              ))}
              {!fixed && (
                <td>
                  <button
                    type="button"
                    className="icon-button is-small"
                    aria-label={`删除第${index + 1}行`}
                    onClick={() => onChange(lines.filter((_, at) => at !== index))}
                  >
                    <DeleteOutlined />
                  </button>
                </td>
              )}
            </tr>
          ))}
          {add && (
            <tr>
              <td colSpan={columns.length + 1}>{add}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
