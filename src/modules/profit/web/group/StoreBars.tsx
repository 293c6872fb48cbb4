import { useCall } from '#kit/web/api/index.ts';
import { Bars } from '#kit/web/charts/index.ts';
import { ListChart, ListCharts } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { type GroupFilter, type GroupRow, listGroup } from '../../contract/group.ts';
import { COST } from '../../contract/report.ts';

const TOP = 12;

/** The stores that sell most, with what they sold and what is left of it, side by side. */
export function StoreBars({ filter, onPick }: { filter: GroupFilter; onPick: (row: GroupRow) => void }) {
  const seesCost = useAllowed(COST);
  // Bars side by side need one currency.
  const currency = filter.currency === 'USD' ? 'USD' : 'CNY';
  const body = { pagesize: TOP, filter: { ...filter, currency } as const };
  const { data } = useCall(listGroup, { body }, { keep: true });
  const rows = data?.records ?? [];
  if (rows.length === 0) return null;
  const chart = (key: 'sales' | 'profit' | 'platformNet', title: string) => {
    const known = rows.filter((row) => row[key] != null);
    return (
      <ListChart title={`${title} · ${currency}`}>
        <Bars
          label={title}
          measure={{ kind: 'money', currency }}
          bars={known.map((row) => ({
            name: row.store ? `${row.store.name} ${row.store.country}` : '',
            value: row[key] ?? '0',
            ...(key !== 'sales' && String(row[key]).startsWith('-') ? { tone: 'bad' as const } : {}),
          }))}
          height={180}
          onPick={(index) => {
            const row = known[index];
            if (row) onPick(row);
          }}
        />
      </ListChart>
    );
  };
  return (
    <ListCharts>
      {chart('sales', '销售额')}
      {seesCost ? chart('profit', '利润') : chart('platformNet', '结算收入')}
    </ListCharts>
  );
}
