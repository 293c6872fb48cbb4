import { DeleteOutlined } from '@ant-design/icons';
import { DatePicker, InputNumber, Select } from 'antd';
import dayjs from 'dayjs';
import type { ReactNode } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { Owner } from '../../contract/fields.ts';
import { type Draft, type Shown, totalsOf } from './draft.ts';

const OWNERS = Object.entries(Owner.meta()?.states ?? {}).map(([value, { title }]) => ({ value, label: title }));

interface Props {
  lines: readonly Shown[];
  onPut: (msku: string, next: Partial<Draft>) => void;
  onRemove: (msku: string) => void;
  add: ReactNode;
}

interface RowProps {
  line: Shown;
  put: (next: Partial<Draft>) => void;
  onRemove: () => void;
}

function Row({ line, put, onRemove }: RowProps) {
  const { listing } = line;
  const short = line.qty !== null && listing !== undefined && line.qty > listing.available;
  const number = (key: 'qty' | 'boxQty', title: string) => (
    <InputNumber
      size="small"
      aria-label={`${line.msku} ${title}`}
      controls={false}
      min={1}
      precision={0}
      style={{ width: 88 }}
      status={key === 'qty' && !line.qty ? 'warning' : ''}
      value={line[key]}
      onChange={(value) => put({ [key]: value })}
    />
  );
  const owner = (key: 'labelOwner' | 'prepOwner', title: string) => (
    <Select
      size="small"
      aria-label={`${line.msku} ${title}`}
      style={{ width: 88 }}
      value={line[key]}
      options={OWNERS}
      onChange={(value) => put({ [key]: value })}
    />
  );
  return (
    <tr>
      <td>
        <ProductCell product={listing?.product ?? { name: line.msku, code: line.msku }} />
      </td>
      <td className="code">{listing?.fnsku ?? '—'}</td>
      <td className={listing?.local === '' ? 'danger' : ''}>
        {listing?.local === '' ? '未关联本地产品' : (listing?.local ?? '—')}
      </td>
      <td className={`is-right num ${short ? 'warning' : ''}`}>{formatInteger(listing?.available ?? 0)}</td>
      <td className="is-right">{number('qty', '数量')}</td>
      <td className="is-right">{number('boxQty', '每箱数')}</td>
      <td>{owner('labelOwner', '贴标方')}</td>
      <td>{owner('prepOwner', '预处理方')}</td>
      <td>
        <DatePicker
          size="small"
          aria-label={`${line.msku} 效期`}
          style={{ width: 124 }}
          value={line.expiresOn ? dayjs(line.expiresOn) : null}
          onChange={(day) => put({ expiresOn: day ? day.format('YYYY-MM-DD') : null })}
        />
      </td>
      <td>
        <button type="button" className="icon-button is-small" aria-label={`删除 ${line.msku}`} onClick={onRemove}>
          <DeleteOutlined />
        </button>
      </td>
    </tr>
  );
}

const measured = (value: number | null, unit: string) => (value === null ? '—' : `${value.toFixed(2)} ${unit}`);

/** The lines of a ship order as a table that is written in. */
export function LineEditor({ lines, onPut, onRemove, add }: Props) {
  const totals = totalsOf(lines);
  return (
    <div className="line-table is-picture ship-lines">
      <table aria-label="发货明细">
        <thead>
          <tr>
            <th>商品</th>
            <th>FNSKU</th>
            <th>本地SKU</th>
            <th className="is-right">可用</th>
            <th className="is-right">数量</th>
            <th className="is-right">每箱数</th>
            <th>贴标方</th>
            <th>预处理方</th>
            <th>效期</th>
            <th aria-label="操作" />
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Row
              key={line.msku}
              line={line}
              put={(next) => onPut(line.msku, next)}
              onRemove={() => onRemove(line.msku)}
            />
          ))}
        </tbody>
      </table>
      <div className="ship-add">
        {add}
        <span className="spring" />
        <span className="text2">
          共 <b className="num">{lines.length}</b> 个SKU，<b className="num">{formatInteger(totals.qty)}</b> 件，重量{' '}
          <b className="num">{measured(totals.weight, 'kg')}</b>，体积{' '}
          <b className="num">{measured(totals.volume, 'm³')}</b>
        </span>
      </div>
    </div>
  );
}
