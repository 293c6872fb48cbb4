import { Tooltip } from 'antd';
import { Money, type RowData } from '#kit/web/cells/index.ts';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** A sum over the filter: one amount, or with several currencies one each, which are never added up unconverted. */
export function MixedTotal({ totals, field }: { totals: RowData; field: string }) {
  if (!totals.mixed) return <Money amount={text(totals[field])} currency={text(totals.currency) ?? ''} />;
  const sums = Object.entries(totals).flatMap(([key, value]) => {
    const [name, currency] = key.split('.');
    return name === field && currency ? [{ currency, amount: text(value) }] : [];
  });
  const list = (
    <>
      {sums.map(({ currency, amount }) => (
        <div key={currency}>
          <Money amount={amount} currency={currency} code />
        </div>
      ))}
    </>
  );
  return (
    <Tooltip title={list}>
      <span className="text2">{sums.length} 种币种</span>
    </Tooltip>
  );
}
