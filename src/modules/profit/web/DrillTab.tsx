import { Pagination, Select } from 'antd';
import { useEffect, useState } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import { formatMoney } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { DayText, Money, Percent, StoreName } from '#kit/web/cells/index.ts';
import { Proof } from '#kit/web/proof/Proof.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { MoneyLineRow } from '#modules/settlement/contract/settlements.ts';
import { REFERENCE_COLUMN } from '#modules/settlement/web/index.ts';
import { FIGURE_KEYS, FIGURES } from '../contract/figures.ts';
import { drillProfit, type ProfitFilter, type ProfitRow } from '../contract/report.ts';
import { Costs } from './Costs.tsx';
import { Cut } from './Cut.tsx';
import type { DrillKey } from './composition.ts';
import { Fees } from './Fees.tsx';
import { isWhole, rowFilter } from './whole.ts';

const PAGE = 50;

/** A row of one SKU need not repeat it in each of its lines. */
const LINE_COLUMNS = [
  'postedAt',
  'site',
  'transactionType',
  'amountDescription',
  'reference',
  'sku',
  'quantity',
  'amount',
] as const;
const LINE_LAYOUT = { reference: REFERENCE_COLUMN, amount: { pinned: 'right' } } as const;

type Drill = Reply<typeof drillProfit>;

function Shares({ shares }: { shares: Drill['shares'] }) {
  return (
    <div className="line-table is-dense">
      <table aria-label="分摊依据">
        <thead>
          <tr>
            <th>日期</th>
            <th>店铺</th>
            <th className="is-right">店铺总额</th>
            <th className="is-right">分摊比例</th>
            <th className="is-right">分摊金额</th>
          </tr>
        </thead>
        <tbody>
          {shares.map((share) => (
            <tr key={`${share.day} ${share.store.name} ${share.store.country} ${share.currency}`}>
              <td>
                <DayText day={share.day} />
              </td>
              <td>
                <StoreName store={share.store} />
              </td>
              <td className="is-right">
                <Money amount={share.whole} currency={share.currency} />
              </td>
              <td className="is-right">
                <Percent value={share.weight} />
              </td>
              <td className="is-right">
                <Money amount={share.part} currency={share.currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The proofs of a figure: its lines, and the shares of the store, each in its own currency. */
function Proofs({ proof }: { proof: Drill['proof'] }) {
  return (
    <span className="drill-proofs">
      {proof.map((one) => (
        <Proof
          key={`${one.title} ${one.currency}`}
          total={one.figure}
          lines={[one.lines, one.late]}
          currency={one.currency}
          text={
            Number(one.late) === 0
              ? `${one.title}与报表一致`
              : `${one.title} ${formatMoney(one.lines, one.currency)} 加跨期入账 ${formatMoney(one.late, one.currency)} 与报表一致`
          }
        />
      ))}
    </span>
  );
}

interface Props {
  row: ProfitRow;
  filter: ProfitFilter;
  figure: DrillKey;
  onFigure: (figure: DrillKey) => void;
}

/** 费用行: what one figure of the row is made of, down to the lines of the files, and the proof that it adds up. */
export function DrillTab({ row, filter, figure, onFigure }: Props) {
  const seesCost = useAllowed('fin:cost:view');
  const [page, setPage] = useState(1);
  const about = `${row.id} ${figure}`;
  useEffect(() => {
    // Another figure or row begins at its first line.
    if (about) setPage(1);
  }, [about]);
  const body = {
    currentpage: page,
    pagesize: PAGE,
    filter: {
      ...rowFilter(filter, row),
      sku: row.sku,
      storeKey: row.storeKey,
      day: row.day,
      // The whole may be converted from several currencies; a row of its own currency is of that one alone.
      rowCurrency:
        !isWhole(row) && (filter.currency === 'ORIGINAL' || filter.currency === undefined) ? row.currency : null,
      figure,
    },
  };
  const { data, isError, error, refetch } = useCall(drillProfit, { body }, { keep: true });
  const options = [
    ...FIGURE_KEYS.map((key) => ({ value: key as DrillKey, label: FIGURES[key].title })),
    ...(seesCost ? [{ value: 'cogs' as DrillKey, label: '采购成本' }] : []),
    ...(seesCost ? [{ value: 'fees' as DrillKey, label: '自定义费用' }] : []),
  ];
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <div className="drill-head">
        <Select
          size="small"
          aria-label="费用"
          value={figure}
          options={options}
          onChange={onFigure}
          style={{ width: 150 }}
        />
        {data && <Proofs proof={data.proof} />}
      </div>
      {data && figure === 'cogs' && <Costs costs={data.costs} />}
      {data && figure === 'fees' && <Fees fees={data.fees} />}
      {data && data.shares.length > 0 && <Shares shares={data.shares} />}
      {data && <Cut count={Math.max(data.costs.length, data.fees.length, data.shares.length)} />}
      {figure !== 'cogs' && figure !== 'fees' && (
        <LineTable
          label="费用行"
          row={MoneyLineRow}
          rows={data?.lines.records}
          rowId={(line) => line.key}
          only={row.sku === null ? LINE_COLUMNS : LINE_COLUMNS.filter((key) => key !== 'sku')}
          columns={LINE_LAYOUT}
          none="这个金额没有费用行"
        />
      )}
      {data && data.lines.total > PAGE && (
        <div className="drill-head">
          <Pagination
            size="small"
            current={page}
            pageSize={PAGE}
            total={data.lines.total}
            showSizeChanger={false}
            onChange={setPage}
          />
        </div>
      )}
    </>
  );
}
