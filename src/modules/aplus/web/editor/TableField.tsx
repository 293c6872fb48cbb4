import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Checkbox, Input } from 'antd';
import type { SlotValue, TableColumn } from '../../contract/content.ts';
import type { Slot } from '../../contract/modules.ts';
import { ImageField } from './ImageField.tsx';

interface Props {
  documentId: string;
  slot: Extract<Slot, { kind: 'table' }>;
  value: SlotValue | undefined;
  disabled: boolean;
  onChange: (value: SlotValue) => void;
}

const newColumn = (rows: number): TableColumn => ({
  asin: '',
  title: '',
  highlight: false,
  image: null,
  metrics: Array.from({ length: rows }, () => ''),
});

/** 对比表: what is compared, and a column for each product. */
export function TableField({ documentId, slot, value, disabled, onChange }: Props) {
  const { labels, columns } = value && 'table' in value ? value.table : { labels: [], columns: [] };
  const put = (change: Partial<{ labels: string[]; columns: TableColumn[] }>) =>
    onChange({ table: { labels, columns, ...change } });
  const putColumn = (at: number, change: Partial<TableColumn>) =>
    put({ columns: columns.map((one, index) => (index === at ? { ...one, ...change } : one)) });
  const without = <T,>(all: readonly T[], at: number): T[] => all.filter((_, index) => index !== at);
  return (
    <div className="aplus-stack">
      {labels.map((label, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a table have nothing else to be told apart by
        <span className="aplus-line" key={row}>
          <Input
            aria-label={`第${row + 1}行对比项`}
            placeholder="对比项，如 材质"
            value={label}
            maxLength={slot.cell}
            disabled={disabled}
            onChange={({ target }) => put({ labels: labels.map((one, at) => (at === row ? target.value : one)) })}
          />
          <Button
            type="text"
            size="small"
            icon={<DeleteOutlined />}
            aria-label={`删除第${row + 1}行`}
            disabled={disabled}
            onClick={() =>
              put({
                labels: without(labels, row),
                columns: columns.map((one) => ({ ...one, metrics: without(one.metrics, row) })),
              })
            }
          />
        </span>
      ))}
      {labels.length < slot.rows && !disabled && (
        <Button
          type="link"
          size="small"
          icon={<PlusOutlined />}
          onClick={() =>
            put({
              labels: [...labels, ''],
              columns: columns.map((one) => ({ ...one, metrics: [...one.metrics, ''] })),
            })
          }
        >
          添加对比项（最多 {slot.rows} 行）
        </Button>
      )}
      {columns.map((column, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns of a table have nothing else to be told apart by
        <fieldset className="aplus-column" key={index} disabled={disabled}>
          <span className="aplus-line">
            <Input
              aria-label={`第${index + 1}列商品名称`}
              placeholder="商品名称"
              value={column.title}
              maxLength={slot.name}
              onChange={({ target }) => putColumn(index, { title: target.value })}
            />
            <Input
              aria-label={`第${index + 1}列ASIN`}
              placeholder="ASIN"
              className="code"
              value={column.asin}
              maxLength={10}
              onChange={({ target }) => putColumn(index, { asin: target.value.trim().toUpperCase() })}
            />
            <Checkbox
              checked={column.highlight}
              onChange={({ target }) => putColumn(index, { highlight: target.checked })}
            >
              突出
            </Checkbox>
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined />}
              aria-label={`删除第${index + 1}列`}
              onClick={() => put({ columns: without(columns, index) })}
            />
          </span>
          <ImageField
            documentId={documentId}
            title={`第${index + 1}列图片`}
            size={slot}
            image={column.image ?? undefined}
            disabled={disabled}
            onChange={(image) => putColumn(index, { image: image ?? null })}
          />
          {labels.map((label, row) => (
            <Input
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a table have nothing else to be told apart by
              key={row}
              aria-label={`第${index + 1}列${label || `第${row + 1}行`}`}
              placeholder={label || `第${row + 1}行`}
              value={column.metrics[row] ?? ''}
              maxLength={slot.cell}
              onChange={({ target }) =>
                putColumn(index, {
                  metrics: labels.map((_, at) => (at === row ? target.value : (column.metrics[at] ?? ''))),
                })
              }
            />
          ))}
        </fieldset>
      ))}
      {columns.length < slot.columns && !disabled && (
        <Button
          type="link"
          size="small"
          icon={<PlusOutlined />}
          onClick={() => put({ columns: [...columns, newColumn(labels.length)] })}
        >
          添加商品（最多 {slot.columns} 列）
        </Button>
      )}
    </div>
  );
}
