import { Decimal } from '#kit/contract/decimal.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { Money, ProductCell, Tag } from '#kit/web/cells/index.ts';
import { Proof } from '#kit/web/proof/Proof.tsx';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { type OrderDetail, OrderLine, type Proof as ProofEntry } from '../contract/orders.ts';

const COLUMNS = [
  'product',
  'quantity',
  'shippedQuantity',
  'itemPrice',
  'shippingPrice',
  'giftWrapPrice',
  'tax',
  'itemDiscount',
  'shippingDiscount',
  'total',
] as const;

/** Columns that some line has something in; price and quantity always. */
function usedColumns(lines: readonly OrderLine[]): (typeof COLUMNS)[number][] {
  const always: readonly string[] = ['product', 'quantity', 'shippedQuantity', 'itemPrice', 'total'];
  const filled = (key: (typeof COLUMNS)[number]): boolean =>
    lines.some((line) => line[key] !== null && !(typeof line[key] === 'string' && new Decimal(line[key]).isZero()));
  return COLUMNS.filter((key) => always.includes(key) || filled(key));
}

function Price({ line }: { line: OrderLine }) {
  if (line.itemPrice !== null || line.estimatedPrice === null) {
    return <Money amount={line.itemPrice} currency={line.currency} />;
  }
  return (
    <span title="亚马逊尚未给出价格，按最近一次售价估算">
      <span className="text3">预估 </span>
      <Money amount={line.estimatedPrice} currency={line.currency} />
    </span>
  );
}

function Goods({ line }: { line: OrderLine }) {
  if (line.supersededBy === null) return <ProductCell product={line.product} size={26} />;
  return (
    <span className="store">
      <Tag tone="side" title="已被替换" />
      <span className="code">{line.product.code}</span>
    </span>
  );
}

/** Lines of an order; one that Amazon replaced is shown, but counts nowhere. */
export function OrderLines({ order }: { order: OrderDetail }) {
  return (
    <>
      <LineTable
        label="商品明细"
        row={OrderLine}
        rows={order.lines}
        only={usedColumns(order.lines)}
        totals={{
          quantity: order.quantity,
          itemPrice: order.itemAmount,
          total: order.orderTotal,
          currency: order.currency,
        }}
        columns={{
          product: { width: 240, render: (line) => <Goods line={line} /> },
          quantity: {
            render: (line) => (
              <span
                className="num"
                title={line.quantity < line.firstQuantity ? `下单 ${line.firstQuantity} 件` : undefined}
              >
                {formatInteger(line.quantity)}
              </span>
            ),
          },
          itemPrice: { render: (line) => <Price line={line} /> },
        }}
      />
      <AmountProofs order={order} />
    </>
  );
}

function ProofLine({ entry, currency }: { entry: ProofEntry; currency: string }) {
  if (entry.stated === null || entry.lines === null) {
    return <span className="label">{entry.title}：价格未到，暂不能核对</span>;
  }
  return <Proof total={entry.stated} lines={entry.lines} currency={currency} text={`${entry.title} = Σ 商品行`} />;
}

/** That the lines make up the order, amount by amount. */
export function AmountProofs({ order }: { order: OrderDetail }) {
  const amounts = order.proof.filter((entry) => entry.key !== 'quantity');
  return (
    <div className="fact-columns">
      {amounts.map((entry) => (
        <ProofLine key={entry.key} entry={entry} currency={order.currency} />
      ))}
    </div>
  );
}
