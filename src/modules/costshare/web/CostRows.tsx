import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Input, Select } from 'antd';
import { Decimal } from '#kit/contract/decimal.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';

/** A row as it is typed. */
export interface DraftRow {
  key: string;
  store: string;
  sku: string;
  amount: string;
}

let made = 0;
/** A row to type into. */
export function draftRow(row: Partial<Omit<DraftRow, 'key'>> = {}): DraftRow {
  made += 1;
  return { store: '', sku: '', amount: '', ...row, key: `row${made}` };
}

/** Sum of what is typed, or null while something is no number. */
export function totalOf(amounts: readonly string[]): string | null {
  const known = amounts.map((amount) => amount || '0');
  return known.every((amount) => /^\d+(\.\d+)?$/.test(amount)) ? Decimal.sum(0, ...known).toFixed() : null;
}

interface Props {
  rows: readonly DraftRow[];
  /** What is typed beside each bearer: 「分摊金额」, 「比例」. */
  title?: string;
  /** Its unit: a currency, or %. */
  unit: string;
  onChange: (rows: DraftRow[]) => void;
}

/** 分摊商品: who bears the cost, or which part of it, row by row. */
export function CostRows({ rows, title = '分摊金额', unit, onChange }: Props) {
  const sites = useSiteOptions();
  const put = (key: string, change: Partial<DraftRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)));
  return (
    <div className="cost-rows">
      <div className="cost-row is-head">
        <span>店铺 *</span>
        <span>SKU（不填为整店）</span>
        <span>
          {title}（{unit}） *
        </span>
        <span />
      </div>
      {rows.map((row, index) => (
        <div className="cost-row" key={row.key}>
          <Select
            aria-label={`第${index + 1}行店铺`}
            showSearch={{ optionFilterProp: 'label' }}
            value={row.store || null}
            options={sites ?? []}
            placeholder="请选择"
            onChange={(store) => put(row.key, { store: store ?? '' })}
          />
          <Input
            aria-label={`第${index + 1}行SKU`}
            value={row.sku}
            maxLength={100}
            onChange={(event) => put(row.key, { sku: event.target.value })}
          />
          <Input
            aria-label={`第${index + 1}行${title}`}
            value={row.amount}
            inputMode="decimal"
            onChange={(event) => put(row.key, { amount: event.target.value.trim() })}
          />
          <button
            type="button"
            className="icon-button is-small"
            aria-label={`删除第${index + 1}行`}
            disabled={rows.length === 1}
            onClick={() => onChange(rows.filter((each) => each.key !== row.key))}
          >
            <DeleteOutlined />
          </button>
        </div>
      ))}
      <div>
        <Button icon={<PlusOutlined />} onClick={() => onChange([...rows, draftRow()])}>
          添加一行
        </Button>
      </div>
    </div>
  );
}
