import dayjs from 'dayjs';
import { useCall } from '#kit/web/api/index.ts';
import { FigureLine } from '#kit/web/cards/index.ts';
import { Legend, LineTrend } from '#kit/web/charts/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { type FilterValue, filterFields, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { exportTurnover, listTurnover, TurnoverFilter, TurnoverRow, turnoverSummary } from '../../contract/reports.ts';
import { EntriesLink, type EntriesOf, pieces, useFilterHere, useOpenRecords } from '../links.tsx';
import { useWarehouseOptions } from '../warehouses.ts';

const FLOWS = ['received', 'sold', 'dispatched', 'moved', 'assembled', 'counted', 'other'] as const;
const FIELDS = filterFields(TurnoverFilter);
const ONE_PLACE = new Intl.NumberFormat('zh-CN', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const COURSE = [{ name: '期末库存' }, { name: '出库' }];

/** Days and warehouses that a filter of the report covers: the last 30 days where it names none. */
function spanOf(filter: FilterValue): EntriesOf {
  const { period, warehouses } = filter as TurnoverFilter;
  const from = period?.from ?? dayjs().subtract(29, 'day').format('YYYY-MM-DD');
  return {
    period: { from, ...(period?.to ? { to: period.to } : {}) },
    ...(warehouses?.length ? { warehouses } : {}),
  };
}

function Flow({ sku, count }: { sku: string; count: number }) {
  const filter = useFilterHere(FIELDS);
  return pieces(count, (text) => <EntriesLink of={{ ...spanOf(filter), sku }}>{text}</EntriesLink>);
}

/** Every figure opens the entries of its product in the days of the report. */
const COLUMNS: ColumnOverrides<TurnoverRow> = Object.fromEntries(
  FLOWS.map((key) => [
    key,
    {
      render: (row: TurnoverRow) => <Flow sku={row.product.code} count={row[key]} />,
      text: (row: TurnoverRow) => String(row[key]),
    },
  ]),
);

function Course({ filter }: { filter: FilterValue }) {
  const openRecords = useOpenRecords();
  const { data } = useCall(turnoverSummary, { body: { filter } }, { keep: true });
  return (
    <>
      <FigureLine
        figures={
          data && [
            { key: 'average', label: '平均库存', value: ONE_PLACE.format(Number(data.average)) },
            { key: 'turns', label: '周转次数', value: data.turns ?? '--' },
            { key: 'days', label: '周转天数', value: data.days ?? '--' },
          ]
        }
      />
      {data?.course.some((day) => day.closing > 0 || day.out > 0) && (
        <div className="warehouse-course">
          <Legend items={COURSE} />
          <LineTrend
            label="每日库存与出库"
            labels={data.course.map(({ day }) => day.slice(5))}
            series={[
              { name: '期末库存', values: data.course.map(({ closing }) => closing) },
              { name: '出库', values: data.course.map(({ out }) => out) },
            ]}
            height={170}
            onPick={(index) => {
              const day = data.course[index]?.day;
              if (day) openRecords({ ...spanOf(filter), period: { from: day, to: day } });
            }}
          />
        </div>
      )}
    </>
  );
}

/** 周转报告: what came, went and was there over a range of days. */
export default function Turnover() {
  const mayExport = useAllowed('erp:inv:export');
  const warehouses = useWarehouseOptions();
  return (
    <ListScreen
      name="warehouse/turnover"
      title="周转报告"
      unit="个产品"
      endpoint={listTurnover}
      {...(mayExport ? { exportEndpoint: exportTurnover } : {})}
      row={TurnoverRow}
      filter={TurnoverFilter}
      options={{ warehouses }}
      columns={COLUMNS}
      above={(filter) => <Course filter={filter} />}
      empty={<Empty title="还没有库存" text="有出入库之后，这里按产品列出期初、变动、期末和周转。" />}
      note="默认近30天；只计在仓的库存，不含在途"
    />
  );
}
