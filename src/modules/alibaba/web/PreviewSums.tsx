import { InputNumber } from 'antd';
import { useMemo } from 'react';
import { Decimal } from '#kit/contract/decimal.ts';
import { Money } from '#kit/web/cells/index.ts';
import { Facts } from '#kit/web/document/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { Banner } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { type Preview, PreviewLine, PreviewPart } from '../contract/index.ts';

type Line = Preview['lines'][number];

interface Props {
  /** Everything that is left of the purchase order, and what the platform says of the chosen part of it. */
  all: Preview;
  preview: Preview;
  /** Pieces by line where they are not all that is left. */
  chosen: Readonly<Record<string, number>>;
  onChoose: (lineId: string, qty: number) => void;
}

/** What would be ordered, the orders that it becomes, and what they come to beside the purchase order. */
export function PreviewSums({ all, preview, chosen, onChoose }: Props) {
  const money = (amount: string | null) => <Money amount={amount} currency="CNY" />;
  const rows = all.lines.map((line): Line => {
    const now = preview.lines.find((one) => one.lineId === line.lineId);
    return now ?? { ...line, qty: 0, units: 0, ordered: '0', offered: '0' };
  });
  const columns = useMemo<ColumnOverrides<Line>>(
    () => ({
      qty: {
        render: (row) => (
          <InputNumber
            key={chosen[row.lineId] ?? row.left}
            size="small"
            aria-label={`${row.product.code} 本次件数`}
            min={0}
            max={row.left}
            precision={0}
            controls={false}
            className="alibaba-qty"
            defaultValue={chosen[row.lineId] ?? row.left}
            onBlur={({ target }) => onChoose(row.lineId, Math.min(row.left, Number(target.value) || 0))}
            onPressEnter={({ target }) => (target as HTMLInputElement).blur()}
          />
        ),
      },
    }),
    [chosen, onChoose],
  );
  const several = preview.parts.length > 1;
  return (
    <>
      <LineTable
        row={PreviewLine}
        rows={rows}
        rowId={(row) => row.lineId}
        columns={columns}
        density="picture"
        label="下单明细"
      />
      {several && (
        <section className="alibaba-parts">
          <h2>将拆成 {preview.parts.length} 笔1688订单</h2>
          <LineTable
            row={PreviewPart}
            rows={preview.parts}
            rowId={(_, index) => String(index)}
            label="1688订单"
            totals={{ goods: preview.goods, freight: preview.freight, total: preview.total }}
          />
        </section>
      )}
      <Facts
        title="金额核对"
        money
        facts={[
          ...(several
            ? []
            : [
                { label: '货款', value: money(preview.goods) },
                { label: '运费', value: money(preview.freight) },
              ]),
          { label: '1688应付', value: money(preview.total), strong: true },
          { label: '采购单金额（含分摊费用）', value: money(preview.orderAmount) },
          { label: '差额', value: money(preview.difference) },
        ]}
      />
      {preview.obstacle ? (
        <Banner>{preview.obstacle}。点击下单将提交变更审核，审核通过后再下单。</Banner>
      ) : (
        !new Decimal(preview.difference ?? 0).isZero() && <Banner>1688金额与采购单不一致，请核对后再下单</Banner>
      )}
    </>
  );
}
