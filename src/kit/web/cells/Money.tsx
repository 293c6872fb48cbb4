import { moneyParts, NOT_APPLICABLE } from '../../contract/format.ts';

interface Props {
  /** Exact decimal text; null and undefined are a dash. */
  amount: string | null | undefined;
  currency: string;
  /** 'up': less than nothing is bad and red. Costs are negative by nature and stay plain. */
  good?: 'up' | 'down' | undefined;
  /** The code behind the amount: where CNY and JPY stand in one column, their symbol is the same. */
  code?: boolean;
  /** Converted from several currencies: marked 「折」. */
  converted?: boolean;
}

/** "−$1,281.65": minus before the symbol, the symbol grey, digits of equal width. */
export function Money({ amount, currency, good, code = false, converted = false }: Props) {
  if (amount === null || amount === undefined) return <span className="text3">{NOT_APPLICABLE}</span>;
  const { negative, symbol, digits } = moneyParts(amount, currency);
  return (
    <span className={`num${negative && good === 'up' ? ' is-bad' : ''}`}>
      {converted && <span className="text3 money-converted">折 </span>}
      {negative && '−'}
      <span className="money-symbol">{symbol}</span>
      {digits}
      {code && <span className="text3"> {currency}</span>}
    </span>
  );
}
