import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Input, InputNumber, Select } from 'antd';
import type { Reply } from '#kit/contract/endpoint.ts';
import { Money } from '#kit/web/cells/index.ts';
import type { findFreightOrders } from '../../contract/freight/calls.ts';
import { type Draft, KINDS, newDraft, totalOf } from './draft.ts';

type Found = Reply<typeof findFreightOrders>[number];

interface Props {
  lines: readonly Draft[];
  currency: string;
  /** Orders that numbers mean, by the number as it is written; undefined while they are looked up. */
  orders: ReadonlyMap<string, Found> | undefined;
  onChange: (next: Draft[]) => void;
}

interface RowProps {
  line: Draft;
  index: number;
  orders: Props['orders'];
  put: (more: Partial<Draft>) => void;
  onRemove: () => void;
}

function Meant({ reference, orders }: { reference: string; orders: Props['orders'] }) {
  if (reference.trim() === '' || orders === undefined) return <span className="text3">—</span>;
  const found = orders.get(reference.trim());
  if (!found) return <span className="danger">没有这个单号</span>;
  if (found.orders > 1) return <span className="danger">对应 {found.orders} 张发货单</span>;
  return (
    <span className="text2">
      {found.number} · {found.store.name}-{found.store.country}
    </span>
  );
}

function Row({ line, index, orders, put, onRemove }: RowProps) {
  const words = `第 ${index + 1} 行`;
  const number = (key: 'amount' | 'billedWeight', title: string) => (
    <InputNumber<string>
      size="small"
      stringMode
      controls={false}
      aria-label={`${words} ${title}`}
      style={{ width: 110 }}
      status={key === 'amount' && !line.amount ? 'warning' : ''}
      value={line[key]}
      onChange={(next) => put({ [key]: next === '' ? null : next })}
    />
  );
  return (
    <tr>
      <td className="is-right num">{index + 1}</td>
      <td>
        <Input
          size="small"
          aria-label={`${words} 单号`}
          placeholder="发货单号、货件编号或追踪号"
          style={{ width: 210 }}
          maxLength={100}
          value={line.reference}
          onChange={(event) => put({ reference: event.target.value })}
        />
      </td>
      <td>
        <Meant reference={line.reference} orders={orders} />
      </td>
      <td>
        <Select
          size="small"
          aria-label={`${words} 费用类型`}
          style={{ width: 96 }}
          value={line.kind}
          options={KINDS}
          onChange={(kind) => put({ kind })}
        />
      </td>
      <td className="is-right">{number('billedWeight', '计费重')}</td>
      <td className="is-right">{number('amount', '金额')}</td>
      <td>
        <Input
          size="small"
          aria-label={`${words} 备注`}
          maxLength={200}
          value={line.remark}
          onChange={(event) => put({ remark: event.target.value })}
        />
      </td>
      <td>
        <button type="button" className="icon-button is-small" aria-label={`删除${words}`} onClick={onRemove}>
          <DeleteOutlined />
        </button>
      </td>
    </tr>
  );
}

const lineKey = (index: number) => `line ${index}`;

/** The lines of a freight bill as a table that is written in, each with the order that its number means. */
export function LineEditor({ lines, currency, orders, onChange }: Props) {
  return (
    <div className="line-table ship-lines">
      <table aria-label="账单明细">
        <thead>
          <tr>
            <th className="is-right">行</th>
            <th>发货单/货件/追踪号</th>
            <th>对应发货单</th>
            <th>费用类型</th>
            <th className="is-right">计费重</th>
            <th className="is-right">金额</th>
            <th>备注</th>
            <th aria-label="操作" />
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <Row
              key={lineKey(index)}
              line={line}
              index={index}
              orders={orders}
              put={(more) => onChange(lines.map((one, at) => (at === index ? { ...one, ...more } : one)))}
              onRemove={() => onChange(lines.filter((_, at) => at !== index))}
            />
          ))}
        </tbody>
      </table>
      <div className="ship-add">
        <Button size="small" icon={<PlusOutlined />} onClick={() => onChange([...lines, newDraft()])}>
          添加一行
        </Button>
        <span className="spring" />
        <span className="text2">
          共 <b className="num">{lines.length}</b> 行，合计{' '}
          <b className="num">
            <Money amount={totalOf(lines)} currency={currency} />
          </b>
        </span>
      </div>
    </div>
  );
}
