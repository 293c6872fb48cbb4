import { CopyOutlined, DeleteOutlined } from '@ant-design/icons';
import { Checkbox, DatePicker, Input, InputNumber } from 'antd';
import dayjs from 'dayjs';
import type { ReactNode } from 'react';
import { sum } from '#kit/contract/decimal.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { Money, ProductCell } from '#kit/web/cells/index.ts';
import { amountOf } from '../../contract/money.ts';
import type { Finding } from '../../contract/order.ts';
import type { Draft } from './draft.ts';
import { ImportTaxCells, TAX_HEADS } from './ImportTaxCells.tsx';
import { ShareInput } from './ShareInput.tsx';

interface Props {
  lines: readonly Draft[];
  currency: string;
  findings: readonly Finding[];
  /** Taxes of imports are asked for. */
  imported: boolean;
  onChange: (lines: Draft[]) => void;
  add: ReactNode;
}

/** A share as percent in a field, e.g. 0.13 as 13. */
function PercentInput({ label, value, put }: { label: string; value: string; put: (value: string) => void }) {
  return <ShareInput label={label} value={value} put={(share) => put(share ?? '0')} />;
}

function Notes({ findings, onFix }: { findings: readonly Finding[]; onFix: (qty: number) => void }) {
  return findings
    .filter((finding) => finding.level !== 'hint')
    .map((finding) => (
      <div key={finding.text} className={`order-line-note ${finding.level === 'error' ? 'danger' : 'warning'}`}>
        {finding.text}
        {finding.fix !== undefined && (
          <button type="button" className="link" onClick={() => onFix(finding.fix ?? 0)}>
            改为 {finding.fix} 件
          </button>
        )}
      </div>
    ));
}

const lineAmount = (line: Draft, currency: string) =>
  line.gift ? '0' : amountOf(line.qty ?? 0, line.unitPrice ?? '0', currency);

interface RowProps {
  line: Draft;
  index: number;
  currency: string;
  findings: readonly Finding[];
  imported: boolean;
  put: (next: Partial<Draft>) => void;
  onCopy: () => void;
  onRemove: () => void;
}

function Row({ line, index, currency, findings, imported, put, onCopy, onRemove }: RowProps) {
  const sku = line.product.code;
  const worst = ['error', 'warning'].find((level) => findings.some((finding) => finding.level === level));
  return (
    <tr className={worst ? `has-${worst}` : ''}>
      <td className="num text3">{index + 1}</td>
      <td>
        <ProductCell product={line.product} />
        <Notes findings={findings} onFix={(qty) => put({ qty })} />
      </td>
      <td className="is-right">
        <InputNumber
          size="small"
          aria-label={`${sku} 数量`}
          controls={false}
          min={1}
          precision={0}
          style={{ width: 72 }}
          status={line.qty ? '' : 'warning'}
          value={line.qty}
          onChange={(qty) => put({ qty })}
        />
      </td>
      <td>
        <Checkbox
          aria-label={`${sku} 赠品`}
          checked={line.gift}
          onChange={({ target }) => put({ gift: target.checked })}
        />
      </td>
      <td className="is-right">
        <InputNumber<string>
          size="small"
          aria-label={`${sku} 单价`}
          stringMode
          controls={false}
          min="0"
          style={{ width: 96 }}
          disabled={line.gift}
          value={line.gift ? '0' : line.unitPrice}
          onChange={(unitPrice) => put({ unitPrice, typed: true })}
        />
      </td>
      <td className="is-right">
        <PercentInput label={`${sku} 税率`} value={line.taxRate} put={(taxRate) => put({ taxRate })} />
      </td>
      <td className="is-right">
        <PercentInput label={`${sku} 退税率`} value={line.rebateRate} put={(rebateRate) => put({ rebateRate })} />
      </td>
      <td>
        <DatePicker
          size="small"
          aria-label={`${sku} 要求到货`}
          placeholder="同单据"
          style={{ width: 112 }}
          value={line.expectedOn ? dayjs(line.expectedOn) : null}
          onChange={(day) => put({ expectedOn: day ? day.format('YYYY-MM-DD') : null })}
        />
      </td>
      <td className="is-right">
        <Money amount={lineAmount(line, currency)} currency={currency} />
      </td>
      <td>
        <Input
          size="small"
          aria-label={`${sku} 备注`}
          maxLength={200}
          style={{ minWidth: 88 }}
          value={line.remark}
          onChange={(event) => put({ remark: event.target.value })}
        />
      </td>
      <td className="is-right">
        <ShareInput
          label={`${sku} 超收容差`}
          placeholder="默认"
          value={line.receiveTolerance}
          put={(receiveTolerance) => put({ receiveTolerance })}
        />
      </td>
      {imported && <ImportTaxCells line={line} put={put} />}
      <td className="nowrap">
        <button type="button" className="icon-button is-small" aria-label={`${sku} 加赠品行`} onClick={onCopy}>
          <CopyOutlined />
        </button>
        <button type="button" className="icon-button is-small" aria-label={`删除 ${sku}`} onClick={onRemove}>
          <DeleteOutlined />
        </button>
      </td>
    </tr>
  );
}

const HEADS = ['行', '商品', '数量', '赠品', '含税单价', '税率', '退税率', '要求到货', '金额', '备注', '超收容差'];
const RIGHT = ['数量', '含税单价', '税率', '退税率', '金额', '超收容差'];

/** The lines of an order as a table that is written in; what is wrong stands in the line, with a fix to press. */
export function LineEditor({ lines, currency, findings, imported, onChange, add }: Props) {
  const put = (key: string) => (next: Partial<Draft>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...next } : line)));
  const gift = (line: Draft) =>
    onChange([...lines, { ...line, key: crypto.randomUUID(), gift: true, qty: null, unitPrice: '0' }]);
  const pieces = lines.reduce((total, line) => total + (line.qty ?? 0), 0);
  return (
    <div className="line-table is-picture order-lines">
      <table aria-label="明细">
        <thead>
          <tr>
            {[...HEADS, ...(imported ? TAX_HEADS : [])].map((head) => (
              <th key={head} className={RIGHT.includes(head) ? 'is-right' : ''}>
                {head}
              </th>
            ))}
            <th aria-label="操作" />
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <Row
              key={line.key}
              line={line}
              index={index}
              currency={currency}
              imported={imported}
              findings={findings.filter((finding) => finding.line === index + 1)}
              put={put(line.key)}
              onCopy={() => gift(line)}
              onRemove={() => onChange(lines.filter((one) => one.key !== line.key))}
            />
          ))}
        </tbody>
      </table>
      <div className="order-add">
        {add}
        <span className="spring" />
        <span className="text2">
          共 <b className="num">{lines.length}</b> 行，<b className="num">{formatInteger(pieces)}</b> 件，
          <Money amount={sum(lines.map((line) => lineAmount(line, currency)))} currency={currency} />
        </span>
      </div>
    </div>
  );
}
