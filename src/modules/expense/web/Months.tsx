import { formatMoney } from '#kit/contract/format.ts';
import { MOST_MONTHS } from '../contract/document.ts';
import { evenParts, monthsFrom } from '../contract/spread.ts';

interface Props {
  /** yyyy-MM-dd */
  day: string;
  months: number;
  amount: string | null;
  currency: string;
}

/** 摊销预览: what each month will bear; nothing while the form has no amount, day or months. */
export function Months({ day, months, amount, currency }: Props) {
  const fits = Number.isInteger(months) && months > 1 && months <= MOST_MONTHS;
  if (!fits || day === '' || amount === null || !/[1-9]/.test(amount)) return null;
  const parts = evenParts(amount, months, currency);
  return (
    <section aria-label="摊销预览" className="expense-rows">
      <strong>摊销预览</strong>
      <div className="expense-months">
        {monthsFrom(day, months).map((month, at) => (
          <span key={month}>
            {month} <span className="num">{formatMoney(parts[at] ?? '0', currency)}</span>
          </span>
        ))}
      </div>
    </section>
  );
}
