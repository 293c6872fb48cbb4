import { DeleteOutlined } from '@ant-design/icons';
import { DatePicker, Input, InputNumber, Select } from 'antd';
import dayjs from 'dayjs';
import { type ReactNode, useState } from 'react';
import { plainDecimal } from '#kit/contract/decimal.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { locationChoices } from '../../contract/documents/choices.ts';
import type { Draft } from './draft.ts';
import type { LineKey } from './kinds.ts';
import { StockPicker } from './StockPicker.tsx';

interface Props {
  keys: readonly LineKey[];
  lines: readonly Draft[];
  warehouseId: string;
  mayCost: boolean;
  /** The document takes pieces out: more than there are is marked. */
  takes: boolean;
  onChange: (lines: Draft[]) => void;
  add: ReactNode;
}

const TITLES: Partial<Record<LineKey, string>> = {
  product: '产品',
  available: '现有可用',
  toProduct: '调入产品',
  qty: '数量',
  qtyPer: '单套用量',
  unitCost: '单价（CNY）',
  fee: '分摊费用（CNY）',
  lotNo: '批次',
  expiresAt: '效期',
  location: '库位',
  reason: '备注',
};
const COST: readonly LineKey[] = ['unitCost', 'fee'];
const RIGHT: readonly LineKey[] = ['available', 'qty', 'qtyPer', 'unitCost', 'fee'];

function LocationSelect({
  line,
  warehouseId,
  put,
}: {
  line: Draft;
  warehouseId: string;
  put: (next: Partial<Draft>) => void;
}) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const { data } = useCall(
    locationChoices,
    { body: { warehouseId, text } },
    { enabled: open && warehouseId !== '', keep: true },
  );
  const options = (data ?? []).map((one) => ({ value: one.id, label: one.code }));
  const known = line.locationId && !options.some((one) => one.value === line.locationId);
  return (
    <Select
      size="small"
      aria-label={`${line.product.code} 库位`}
      style={{ width: 110 }}
      value={line.locationId}
      placeholder="自动"
      allowClear
      onOpenChange={setOpen}
      showSearch={{ filterOption: false, onSearch: setText }}
      options={known ? [{ value: line.locationId ?? '', label: line.location ?? '' }, ...options] : options}
      onChange={(id: string | undefined) =>
        put({ locationId: id ?? null, location: options.find((one) => one.value === id)?.label ?? null })
      }
    />
  );
}

function Amount({ value, label, put }: { value: string | null; label: string; put: (value: string | null) => void }) {
  return (
    <InputNumber<string>
      size="small"
      aria-label={label}
      stringMode
      controls={false}
      min="0"
      style={{ width: 104 }}
      value={value}
      onChange={put}
    />
  );
}

function Cell({
  name,
  line,
  warehouseId,
  takes,
  put,
}: {
  name: LineKey;
  line: Draft;
  warehouseId: string;
  takes: boolean;
  put: (next: Partial<Draft>) => void;
}) {
  const label = `${line.product.code} ${TITLES[name] ?? ''}`;
  switch (name) {
    case 'product':
      return <ProductCell product={line.product} />;
    case 'available':
      return (
        <span className={takes && line.qty !== null && line.qty > line.available ? 'num warning' : 'num'}>
          {formatInteger(line.available)}
        </span>
      );
    case 'toProduct':
      return (
        <StockPicker
          warehouseId={warehouseId}
          placeholder="选择调入产品"
          value={line.toProductId && line.toProduct ? { id: line.toProductId, product: line.toProduct } : undefined}
          onPick={(choice) => put({ toProductId: choice.id, toProduct: choice.product })}
        />
      );
    case 'qty':
      return (
        <InputNumber
          size="small"
          aria-label={label}
          controls={false}
          min={1}
          precision={0}
          style={{ width: 88 }}
          status={line.qty ? '' : 'warning'}
          value={line.qty}
          onChange={(qty) => put({ qty })}
        />
      );
    case 'unitCost':
      return <Amount label={label} value={line.unitCost} put={(unitCost) => put({ unitCost })} />;
    case 'fee':
      return <Amount label={label} value={line.fee} put={(fee) => put({ fee })} />;
    case 'qtyPer':
      return <span className="num">{line.qtyPer ? plainDecimal(line.qtyPer) : '—'}</span>;
    case 'lotNo':
      return (
        <Input
          size="small"
          aria-label={label}
          style={{ width: 110 }}
          maxLength={60}
          value={line.lotNo}
          onChange={(event) => put({ lotNo: event.target.value })}
        />
      );
    case 'expiresAt':
      return (
        <DatePicker
          size="small"
          aria-label={label}
          style={{ width: 124 }}
          value={line.expiresAt ? dayjs(line.expiresAt) : null}
          onChange={(day) => put({ expiresAt: day ? day.format('YYYY-MM-DD') : null })}
        />
      );
    case 'location':
      return <LocationSelect line={line} warehouseId={warehouseId} put={put} />;
    default:
      return (
        <Input
          size="small"
          aria-label={label}
          maxLength={200}
          value={line.reason}
          onChange={(event) => put({ reason: event.target.value })}
        />
      );
  }
}

/** The lines of a document as a table that is written in. */
export function LineEditor({ keys, lines, warehouseId, mayCost, takes, onChange, add }: Props) {
  const shown = keys.filter((key) => mayCost || !COST.includes(key));
  const put = (key: string) => (next: Partial<Draft>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...next } : line)));
  const total = lines.reduce((sum, line) => sum + (line.qty ?? 0), 0);
  return (
    <div className="line-table is-picture document-lines">
      <table aria-label="明细">
        <thead>
          <tr>
            <th>行</th>
            {shown.map((key) => (
              <th key={key} className={RIGHT.includes(key) ? 'is-right' : ''}>
                {TITLES[key]}
              </th>
            ))}
            <th aria-label="操作" />
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <tr key={line.key}>
              <td className="num text3">{index + 1}</td>
              {shown.map((key) => (
                <td key={key} className={RIGHT.includes(key) ? 'is-right' : ''}>
                  <Cell name={key} line={line} warehouseId={warehouseId} takes={takes} put={put(line.key)} />
                </td>
              ))}
              <td>
                <button
                  type="button"
                  className="icon-button is-small"
                  aria-label={`删除 ${line.product.code}`}
                  onClick={() => onChange(lines.filter((one) => one.key !== line.key))}
                >
                  <DeleteOutlined />
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="document-add">
        {add}
        <span className="spring" />
        <span className="text2">
          共 <b className="num">{lines.length}</b> 行，<b className="num">{formatInteger(total)}</b> 件
        </span>
      </div>
    </div>
  );
}
