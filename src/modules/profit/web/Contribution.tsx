import { Decimal, ratio, sum } from '#kit/contract/decimal.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Money, Percent } from '#kit/web/cells/index.ts';
import { Legend, LineTrend } from '#kit/web/charts/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { listProfit, type ProfitRow, type ProfitScope } from '../contract/report.ts';

const TOP = 20;

interface Part {
  name: string;
  amount: string;
  /** Of the whole, with all parts before it; null where the whole is not above zero. */
  reached: string | null;
}

/** The SKUs that bring most and 其余, each with the share that is reached with it. `whole` is the sum of all SKUs. */
export function contributionOf(rows: readonly ProfitRow[], of: 'profit' | 'platformNet', whole: string): Part[] {
  const parts = rows.flatMap((row) => {
    const amount = row[of];
    return amount == null ? [] : [{ name: row.product?.code || row.sku || '未分摊', amount }];
  });
  const rest = new Decimal(whole).minus(sum(parts.map(({ amount }) => amount))).toFixed();
  const all = new Decimal(rest).isZero() ? parts : [...parts, { name: '其余', amount: rest }];
  let reached = new Decimal(0);
  return all.map((part) => {
    reached = reached.plus(part.amount);
    return { ...part, reached: new Decimal(whole).gt(0) ? ratio(reached.toFixed(), whole) : null };
  });
}

function Parts({ parts, title, currency }: { parts: readonly Part[]; title: string; currency: string }) {
  return (
    <div className="line-table is-dense">
      <table aria-label="SKU贡献">
        <thead>
          <tr>
            <th>SKU</th>
            <th className="is-right">{title}</th>
            <th className="is-right">累计占比</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <tr key={part.name}>
              <td>{part.name}</td>
              <td className="is-right">
                <Money amount={part.amount} currency={currency} good="up" />
              </td>
              <td className="is-right">
                <Percent value={part.reached} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** SKU贡献: which SKUs bring the profit: the first twenty and the rest, with the share that is reached. */
export function Contribution({ filter }: { filter: ProfitScope }) {
  const of = useAllowed('fin:cost:view') ? 'profit' : 'platformNet';
  const title = of === 'profit' ? '毛利润' : 'SKU结算';
  // Parts of a whole need one currency.
  const currency = filter.currency === 'USD' ? 'USD' : 'CNY';
  const body = { pagesize: TOP, sort: of, order: 'desc' as const };
  const asked = { ...body, filter: { ...filter, dimension: 'sku' as const, currency } as const };
  const { data, isError, error, refetch } = useCall(listProfit, { body: asked }, { keep: true });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const whole = data.totals?.[of];
  if (data.records.length === 0) return <div className="line-table-none">这段时间没有收支</div>;
  if (whole === null || whole === undefined) return <div className="line-table-none">缺少汇率，无法折算</div>;
  const parts = contributionOf(data.records, of, String(whole));
  return (
    <>
      <div className="drill-head">
        <Legend items={[{ name: title }, { name: '累计占比' }]} />
      </div>
      <div className="profit-chart">
        <LineTrend
          labels={parts.map(({ name }) => name)}
          series={[
            {
              name: title,
              values: parts.map(({ amount }) => amount),
              measure: { kind: 'money', currency },
              shape: 'bar',
            },
            {
              name: '累计占比',
              values: parts.map(({ reached }) => reached),
              measure: { kind: 'percent' },
              axis: 'right',
            },
          ]}
          label="SKU贡献"
          height={240}
        />
      </div>
      <Parts parts={parts} title={title} currency={currency} />
    </>
  );
}
