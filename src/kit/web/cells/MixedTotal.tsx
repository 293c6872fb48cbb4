import { Tooltip } from 'antd';
import { mixedOf } from '../../contract/totals.ts';
import { Money } from './Money.tsx';
import type { RowData } from './Value.tsx';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** "INR", "INR 等 3 种": the cell has room for one. */
const lacking = ([first, ...others]: readonly string[]) =>
  others.length > 0 ? `${first} 等 ${others.length + 1} 种` : first;

/**
 * A sum over the filter: one amount, or with several currencies their sum converted by today's rates and, on hover or
 * focus, one each. A currency without a rate is named: it is not in the sum.
 */
function MixedTotal({ totals, field }: { totals: RowData; field: string }) {
  const mixed = mixedOf(totals, field);
  if (!mixed) return <Money amount={text(totals[field])} currency={text(totals.currency) ?? ''} />;
  const { each, converted, base, day, missing } = mixed;
  const list = (
    <div className="mixed-list">
      {each.map(({ currency, amount }) => (
        <div key={currency}>
          <Money amount={amount} currency={currency} code />
        </div>
      ))}
      <div className="mixed-note">
        {missing.length > 0
          ? `不完整：缺少 ${missing.join('、')} ${day} 汇率，无法折算`
          : `按 ${day} 汇率折算为 ${base}`}
      </div>
    </div>
  );
  return (
    <Tooltip title={list}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the sums per currency must be reachable by key */}
      <span className="mixed-total" tabIndex={0}>
        <Money amount={converted} currency={base} />
        {missing.length > 0 ? (
          <span className="mixed-note warning">折 · 缺 {lacking(missing)}</span>
        ) : (
          <span className="mixed-note">
            折 {base} · {each.length} 币种
          </span>
        )}
      </span>
    </Tooltip>
  );
}

/** The total of a grid's column whose amounts may be of several currencies. */
export const mixedTotal = (field: string) => (totals: RowData) => <MixedTotal totals={totals} field={field} />;
