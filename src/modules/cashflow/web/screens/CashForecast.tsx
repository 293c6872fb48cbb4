import '../cashflow.css';
import { Button, Segmented } from 'antd';
import { useState } from 'react';
import { formatMoney } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Card, CardsPage, FigureStrip } from '#kit/web/cards/index.ts';
import { Legend } from '#kit/web/charts/index.ts';
import { filterFields, filterQuery } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { EDIT } from '../../contract/fields.ts';
import {
  CashCurrency,
  CashFilter,
  CashItem,
  daysIn,
  type Horizon,
  listCash,
  readForecast,
  USUAL_HORIZON,
} from '../../contract/forecast.ts';
import { CashCalendar } from '../CashCalendar.tsx';
import { CashChart } from '../CashChart.tsx';
import { CashNotes } from '../CashNotes.tsx';
import { CASH_COLUMNS } from '../columns.tsx';
import { type Forecast, figuresOf } from '../figures.tsx';
import { ITEMS } from '../paths.ts';
import { SettingDialog } from '../SettingDialog.tsx';

const FIELDS = filterFields(CashFilter);
const HORIZONS = (['D30', 'D60', 'D90'] as const).map((value) => ({ value, label: `${daysIn(value)}天` }));
const STEPS = [
  { value: 'day' as const, label: '按日' },
  { value: 'week' as const, label: '按周' },
];
const LEGEND = [{ name: '余额' }, { name: '流入' }, { name: '流出' }];
const SHOWN = ['state', 'kind', 'title', 'party', 'worth'] as const;
const CURRENCY_HEIGHT = 260;

function DayItems({ day, horizon }: { day: string; horizon: Horizon }) {
  const query = useCall(listCash, { body: { filter: { horizon, date: { from: day, to: day } }, pagesize: 100 } });
  const { records, total = 0, totals } = query.data ?? {};
  return (
    <LineTable
      label="当日收付"
      row={CashItem}
      rows={records}
      only={SHOWN}
      columns={CASH_COLUMNS}
      {...(totals ? { totals, totalsTitle: `共 ${total} 笔` } : {})}
      none="这一天没有预计的收付"
    />
  );
}

/** What is in which currency, and the rate that it counts with. */
function Currencies({ forecast }: { forecast: Forecast }) {
  return (
    <LineTable label="币种与汇率" row={CashCurrency} rows={forecast.currencies} rowId={({ currency }) => currency} />
  );
}

/** 现金流预测: what the accounts will hold by day, from what is expected to come in and to go out. */
export default function CashForecast() {
  const tab = useTab();
  const mayEdit = useAllowed(EDIT);
  const [horizon, setHorizon] = useState<Horizon>(USUAL_HORIZON);
  const [by, setBy] = useState<'day' | 'week'>('day');
  const [picked, setPicked] = useState<string>();
  const [setting, setSetting] = useState(false);
  const query = useCall(readForecast, { body: { horizon } }, { staleTime: 0, keep: true });
  const forecast = query.data;
  const day = picked ?? forecast?.today ?? '';
  const items = (filter: CashFilter = {}) =>
    tab.open(ITEMS.path, { title: ITEMS.title, query: filterQuery(FIELDS, { horizon, ...filter }) });
  const filters = (
    <>
      <Segmented aria-label="范围" options={HORIZONS} value={horizon} onChange={setHorizon} />
      {forecast && (
        <span className="label">
          {forecast.today} 至 {forecast.until}，按今天的汇率折合人民币，最低安全余额{' '}
          {formatMoney(forecast.floor, 'CNY')}
        </span>
      )}
      <span className="spring" />
      <Button onClick={() => items()}>预计收付明细</Button>
      {mayEdit && <Button onClick={() => setSetting(true)}>设置</Button>}
    </>
  );
  return (
    <CardsPage filters={filters}>
      <FigureStrip figures={forecast && figuresOf(forecast, items)} />
      {forecast && <CashNotes forecast={forecast} />}
      <Card
        title="余额与收付"
        scope="人民币；余额为左轴，流入流出为右轴，虚线为最低安全余额"
        span={12}
        height={300}
        query={query}
        extra={
          <>
            <Legend items={LEGEND} />
            <Segmented aria-label="步长" size="small" options={STEPS} value={by} onChange={setBy} />
          </>
        }
      >
        {forecast && <CashChart days={forecast.days} floor={forecast.floor} by={by} />}
      </Card>
      <Card title="日历" scope="流入、流出与日终余额，红色低于安全余额" span={7} height={600} query={query}>
        {forecast && <CashCalendar days={forecast.days} today={forecast.today} chosen={day} onOpen={setPicked} />}
      </Card>
      <Card title={day ? `${day} 的收付` : '当日收付'} span={5} height={600} query={query}>
        {day && <DayItems day={day} horizon={horizon} />}
      </Card>
      <Card title="币种与汇率" scope="各币种原币金额" span={12} height={CURRENCY_HEIGHT} query={query}>
        {forecast && <Currencies forecast={forecast} />}
      </Card>
      {setting && <SettingDialog onClose={() => setSetting(false)} />}
    </CardsPage>
  );
}
