import '../finance.css';
import { dayAfter } from '#kit/contract/day.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Card, CardsPage, FigureStrip } from '#kit/web/cards/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { filterFields, filterQuery } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { type DueDay, dueDays, PlanRow } from '../../contract/due.ts';
import { ItemFilter } from '../../contract/payables.ts';
import { DueCalendar } from '../DueCalendar.tsx';
import { type Planned, planOf, worthWithin } from '../plan.ts';

const FIELDS = filterFields(ItemFilter);
const CALENDAR_HEIGHT = 470;

interface Range {
  from?: string;
  to?: string;
}

function figuresOf(days: readonly DueDay[], today: string, open: (due: Range) => void) {
  const figure = (key: string, label: string, hint: string, due: Range) => {
    const { from = '', to = '9999' } = due;
    const amount = worthWithin(days, (day) => day >= from && day <= to);
    return { key, label, hint, value: <Money amount={amount} currency="CNY" />, onOpen: () => open(due) };
  };
  const yesterday = dayAfter(today, -1);
  return [
    figure('late', '已逾期', '今天之前到期', { to: yesterday }),
    figure('week', '7天内到期', '今天起7天', { from: today, to: dayAfter(today, 6) }),
    figure('month', '30天内到期', '今天起30天', { from: today, to: dayAfter(today, 29) }),
    figure('all', '有到期日的应付', '按最新汇率折合人民币', {}),
  ];
}

/** 付款计划: what is to be paid by week and currency, and a calendar of the days on which it is due. */
export default function PaymentPlan() {
  const tab = useTab();
  const query = useCall(dueDays, {}, { staleTime: 0 });
  const open = (due: Range) =>
    tab.open('/finance/payable', {
      title: '应付与预付',
      query: filterQuery(FIELDS, { open: 'OPEN', book: 'PAYABLE', ...(due.from || due.to ? { due } : {}) }),
    });
  const { days = [], today = '' } = query.data ?? {};
  const rows = planOf(days, today);
  return (
    <CardsPage>
      <FigureStrip figures={query.data && figuresOf(days, today, open)} count={4} />
      <Card title="付款计划" scope="按周与币种，逾期在前" span={7} height={CALENDAR_HEIGHT} query={query}>
        {rows.length === 0 ? (
          <Empty title="没有未结的应付" text="采购到货、运费与费用产生应付，按供应商账期分段到期后列在这里。" />
        ) : (
          <LineTable
            row={PlanRow}
            rows={rows}
            label="付款计划"
            rowId={({ id }) => id}
            columns={{
              week: {
                render: ({ week, span }: PlanRow & Partial<Planned>) =>
                  span?.from || span?.to ? (
                    <button type="button" className={`link${span.from ? '' : ' is-bad'}`} onClick={() => open(span)}>
                      {week}
                    </button>
                  ) : (
                    week
                  ),
              },
            }}
          />
        )}
      </Card>
      <Card title="到期日历" span={5} height={CALENDAR_HEIGHT} query={query}>
        {today && <DueCalendar days={days} today={today} onOpen={(day) => open({ from: day, to: day })} />}
      </Card>
    </CardsPage>
  );
}
