import { Banner } from '#kit/web/states/index.ts';

interface Span {
  from: string;
  to: string;
}

interface Props {
  period: Span;
  before: Span | null;
  since: string | null;
  /** Something is compared at all. */
  compares?: boolean;
  converted: boolean;
  currency: string | null;
  missingRates: readonly string[];
}

const MOST_NAMED = 4;
const words = ({ from, to }: Span) => (from === to ? from : `${from} 至 ${to}`);

/** Which days the figures are of, what they are held against, how amounts came into one currency, and what is not in them. */
export function Scope({ period, before, since, compares = true, converted, currency, missingRates }: Props) {
  const named = missingRates.slice(0, MOST_NAMED).join('、');
  const more = missingRates.length > MOST_NAMED ? ` 等 ${missingRates.length} 项` : '';
  return (
    <>
      {missingRates.length > 0 && (
        <Banner key={named}>
          缺少汇率：{named}
          {more}，相应金额未计入
        </Banner>
      )}
      <p className="label sales-scope">
        站点日期 {words(period)}
        {before && `，对比 ${words(before)}`}
        {compares && !before && since && `；数据从 ${since} 开始，没有完整的对比期，不作比较`}
        {converted && `；按每日汇率折算为 ${currency}`}
      </p>
    </>
  );
}
