import { useCall } from '#kit/web/api/index.ts';
import { LineTrend } from '#kit/web/charts/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { type RateRow, rateHistory } from '../contract/rates.ts';
import { dayAgo } from './days.ts';

const DAYS = 365;

/** A currency over the last year: official rates, and what documents of the day are converted by. */
export function RateHistory({ row, onClose }: { row: RateRow | undefined; onClose: () => void }) {
  const { data } = useCall(
    rateHistory,
    { body: { currency: row?.currency ?? 'USD', from: dayAgo(DAYS), to: companyDay() } },
    { enabled: row !== undefined },
  );
  return (
    <DetailDrawer
      open={row !== undefined}
      onClose={onClose}
      title={row ? `${row.name} ${row.currency}` : ''}
      subtitle="近一年 1 外币兑人民币"
    >
      <div className="finance-body">
        {data && (
          <LineTrend
            label="汇率走势"
            height={320}
            labels={data.map((day) => day.day)}
            series={[
              {
                name: '折算采用',
                values: data.map((day) => day.effective),
                measure: { kind: 'money', currency: 'CNY' },
              },
              {
                name: '官方汇率',
                values: data.map((day) => day.official),
                measure: { kind: 'money', currency: 'CNY' },
              },
            ]}
          />
        )}
        <p className="label">
          折算采用：我的汇率优先；没有时用当天或之前 7 天内最近的官方汇率；都没有时外币单据不能提交。
        </p>
      </div>
    </DetailDrawer>
  );
}
