import { DownloadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { Reply } from '#kit/contract/endpoint.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Money, Percent } from '#kit/web/cells/index.ts';
import { Legend, LineTrend, type TrendSeries } from '#kit/web/charts/index.ts';
import { ListChart, ListCharts } from '#kit/web/list/index.ts';
import { useExport } from '#kit/web/list/use-export.ts';
import type { ListStateControl } from '#kit/web/list/use-list-state.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { exportGroup, type GroupFilter, monthlyGroup } from '../../contract/group.ts';
import { COST, EXPORT, type ProfitRow } from '../../contract/report.ts';
import { amountOf, COST_LINES, lineOf, STATEMENT_KEYS, type StatementKey } from '../../contract/statement.ts';
import type { OpenRow } from '../ProfitDrawer.tsx';

type Months = Reply<typeof monthlyGroup>;
type Open = (open: OpenRow, rows: readonly ProfitRow[], currency: GroupFilter['currency']) => void;

/** One amount of the statement: a line of one figure opens its lines, a sum what it is made of. */
function Cell({ row, line, onOpen }: { row: ProfitRow; line: StatementKey; onOpen: (open: OpenRow) => void }) {
  const amount = amountOf(row, line);
  if (amount === null) return <span className="text3">{row.fxMissing ? '缺汇率' : '—'}</span>;
  const { of } = lineOf(line);
  const [figure = 'sales'] = of;
  const open = () => onOpen({ row, tab: of.length === 1 ? 'lines' : 'composition', figure });
  return (
    <button type="button" className="drill" onClick={open}>
      <Money amount={amount} currency={row.currency} {...(line === 'profit' ? { good: 'up' } : {})} />
    </button>
  );
}

function Statement({ data, onOpen }: { data: Months; onOpen: (open: OpenRow) => void }) {
  const seesCost = useAllowed(COST);
  const rows = new Map(data.rows.map((row) => [row.month, row]));
  const columns = [
    ...data.months.map((month) => ({ title: month, row: rows.get(month) })),
    { title: '合计', row: data.whole ?? undefined },
  ];
  const partial = data.partial ? data.months.at(-1) : undefined;
  return (
    <div className="line-table profit-statement">
      <table aria-label="月度结算">
        <thead>
          <tr>
            <th>项目</th>
            {columns.map(({ title }) => (
              <th className={`is-right${title === '合计' ? ' is-pinned' : ''}`} key={title}>
                {title}
                {title === partial && <span className="text3"> 未满</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {STATEMENT_KEYS.filter((line) => seesCost || !COST_LINES.includes(line)).map((line) => (
            <tr key={line} className={lineOf(line).result ? 'is-result' : ''}>
              <th scope="row" title={lineOf(line).tip}>
                {lineOf(line).title}
              </th>
              {columns.map(({ title, row }) => (
                <td className={`is-right${title === '合计' ? ' is-pinned' : ''}`} key={title}>
                  {row ? <Cell row={row} line={line} onOpen={onOpen} /> : <span className="text3">—</span>}
                </td>
              ))}
            </tr>
          ))}
          {seesCost && (
            <tr>
              <th scope="row" title="毛利润 ÷ 净销售额">
                毛利率
              </th>
              {columns.map(({ title, row }) => (
                <td className={`is-right${title === '合计' ? ' is-pinned' : ''}`} key={title}>
                  <Percent value={row?.margin ?? null} good="up" />
                </td>
              ))}
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function Chart({ data }: { data: Months }) {
  const seesCost = useAllowed(COST);
  const rows = new Map(data.rows.map((row) => [row.month, row]));
  const lines: StatementKey[] = seesCost ? ['income', 'net', 'profit'] : ['income', 'net'];
  const series = lines.map((line): TrendSeries => {
    const values = data.months.map((month) => {
      const row = rows.get(month);
      return row ? amountOf(row, line) : null;
    });
    return { name: lineOf(line).title, values, measure: { kind: 'money', currency: data.currency }, sparse: true };
  });
  return (
    <ListCharts>
      <ListChart title={`按月 · ${data.currency}${data.converted ? ' 折' : ''}`} wide>
        <Legend items={series.map(({ name }) => ({ name }))} />
        <LineTrend
          labels={data.months}
          series={series}
          label="月度走势"
          unfinished={data.partial ? 1 : 0}
          height={200}
        />
      </ListChart>
    </ListCharts>
  );
}

/** 月度结算: the income statement of the stores with a column for each month; every amount opens to its lines. */
export function Monthly({ state, onOpen }: { state: ListStateControl; onOpen: Open }) {
  const filter = state.filter as GroupFilter;
  const { data, isError, error, refetch } = useCall(monthlyGroup, { body: { filter } }, { keep: true });
  const exporting = useExport(exportGroup, state, []);
  const mayExport = useAllowed(EXPORT);
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (data.rows.length === 0) return <Empty title="这段时间没有收支" text="结算与账务交易同步后自动计算。" />;
  // Several currencies were put together in CNY: what a cell opens is read the same way.
  const open = (row: OpenRow) =>
    onOpen(row, data.rows, data.converted && filter.currency === 'ORIGINAL' ? 'CNY' : filter.currency);
  return (
    <>
      <Chart data={data} />
      <div className="toolbar">
        {data.missingRates.length > 0 && (
          <span className="report-doubt is-warning">缺少汇率：{data.missingRates.slice(0, 2).join('、')}</span>
        )}
        <span className="label">发生口径 · 站点日</span>
        <span className="spring" />
        {mayExport && (
          <Button
            size="small"
            icon={<DownloadOutlined />}
            loading={exporting.busy}
            onClick={() => exporting.start('xlsx')}
          >
            导出
          </Button>
        )}
      </div>
      <Statement data={data} onOpen={open} />
    </>
  );
}
