import { useCall } from '#kit/web/api/index.ts';
import { LineTrend, Ring } from '#kit/web/charts/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { accountTrend } from '../contract/accounts.ts';
import { dayAgo } from './days.ts';

const DAYS = 60;

/** An account over the last 60 days: what was in it every evening, and what it was spent on. */
export function AccountTrend({ id }: { id: string }) {
  const { data } = useCall(accountTrend, { body: { id, from: dayAgo(DAYS), to: companyDay() } }, { keep: true });
  if (!data) return <div className="finance-trend" aria-busy="true" />;
  const measure = { kind: 'money' as const, currency: data.currency };
  const spent = data.projects.filter((one) => one.direction === 'OUT');
  return (
    <div className="finance-trend">
      <LineTrend
        label="账户余额走势"
        height={168}
        labels={data.days.map((day) => day.day.slice(5))}
        series={[
          { name: '日终余额', values: data.days.map((day) => day.balance), measure },
          { name: '支出', values: data.days.map((day) => day.outgo), measure, shape: 'bar' },
        ]}
      />
      {spent.length > 0 && (
        <Ring
          label="支出构成"
          measure={measure}
          parts={spent.map((one) => ({ name: one.project, value: one.amount }))}
        />
      )}
    </div>
  );
}
