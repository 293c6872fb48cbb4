import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { type CalendarDay, changeDayKind, DayKind, generateYear, listHolidays } from '../../contract/holidays.ts';
import { useAsk } from '../ask.tsx';
import '../system.css';

const KINDS = DayKind.options;
const TITLES = DayKind.meta()?.states ?? {};
const WEEK = ['一', '二', '三', '四', '五', '六', '日'];
const MONTHS = Array.from({ length: 12 }, (_, at) => at + 1);
const [FIRST_YEAR, LAST_YEAR] = [2020, 2040];

const titleOf = (kind: DayKind) => TITLES[kind]?.title ?? kind;
const nextOf = (kind: DayKind) => KINDS[(KINDS.indexOf(kind) + 1) % KINDS.length] ?? 'work';

/** Monday is the first column. */
function columnOf(day: string): number {
  return ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;
}

interface MonthProps {
  month: number;
  days: readonly CalendarDay[];
  mayEdit: boolean;
  onToggle: (day: CalendarDay) => void;
}

function Month({ month, days, mayEdit, onToggle }: MonthProps) {
  const worked = days.filter((each) => each.kind === 'work' || each.kind === 'makeup').length;
  return (
    <section className="month" aria-label={`${month}月`}>
      <h2>
        {month}月 <span className="label">{worked} 个工作日</span>
      </h2>
      <div className="month-grid">
        {WEEK.map((name) => (
          <span key={name} className="month-week">
            {name}
          </span>
        ))}
        {days.map((each, at) => (
          <Tooltip
            key={each.day}
            mouseEnterDelay={0.4}
            title={`${each.day} ${titleOf(each.kind)}${each.name ? ` · ${each.name}` : ''}${each.byHand ? ' · 手工设置' : ''}`}
          >
            <button
              type="button"
              className={`day is-${each.kind}${each.day === companyDay() ? ' is-today' : ''}`}
              style={at === 0 ? { gridColumnStart: columnOf(each.day) } : {}}
              disabled={!mayEdit}
              aria-label={`${each.day} ${titleOf(each.kind)} ${each.name}`}
              onClick={() => onToggle(each)}
            >
              {Number(each.day.slice(8))}
              {each.byHand && <i />}
            </button>
          </Tooltip>
        ))}
      </div>
    </section>
  );
}

/** 节假日: the year by days; a click turns a day into the next kind. */
export default function Holidays() {
  const [year, setYear] = useState(() => new Date().getFullYear());
  const ask = useAsk();
  const mayEdit = useAllowed('sys:holiday:edit');
  const calendar = useCall(listHolidays, { query: { year } }, { keep: true });
  const change = useSend(changeDayKind, { refreshes: [listHolidays] });
  const generate = useSend(generateYear, {
    refreshes: [listHolidays],
    onSuccess: ({ kept }) => notice.success(`${year}年日历已生成${kept > 0 ? `，保留${kept}天手工设置` : ''}`),
  });
  const data = calendar.data;
  const byHand = data?.days.filter((each) => each.byHand).length ?? 0;
  const regenerate = () =>
    ask({
      title: `生成${year}年日历`,
      content: `按国家法定节假日和调休重新生成${year}年的365天；${byHand > 0 ? `手工设置的${byHand}天会保留。` : '审批时限等工作时间按新日历计算。'}`,
      okText: '生成日历',
      onOk: () => generate.mutateAsync({ body: { year } }),
    });
  return (
    <div className="page-list">
      <ListHead title="节假日">
        <Allowed code="sys:holiday:add">
          <Button type="primary" loading={generate.isPending} onClick={regenerate}>
            生成年度日历
          </Button>
        </Allowed>
      </ListHead>
      <div className="filter-bar">
        <button
          type="button"
          className="icon-button is-small"
          aria-label="上一年"
          disabled={year <= FIRST_YEAR}
          onClick={() => setYear(year - 1)}
        >
          <LeftOutlined />
        </button>
        <span className="strong num">{year} 年</span>
        <button
          type="button"
          className="icon-button is-small"
          aria-label="下一年"
          disabled={year >= LAST_YEAR}
          onClick={() => setYear(year + 1)}
        >
          <RightOutlined />
        </button>
        {data && (
          <span className="label">
            {data.workdays} 个工作日 · {data.generated ? '已生成' : '未生成，按法定节假日计算'}
            {!data.announced && ' · 该年法定节假日尚未公布，仅区分周末'}
          </span>
        )}
        <span className="spring" />
        {KINDS.map((kind) => (
          <span key={kind} className="legend">
            <span className={`day is-${kind}`}>8</span>
            {titleOf(kind)}
          </span>
        ))}
        {mayEdit && <span className="label">点击日期切换类型</span>}
      </div>
      {calendar.isError ? (
        <ErrorState error={calendar.error} onRetry={() => void calendar.refetch()} />
      ) : (
        <div className="year">
          {MONTHS.map((month) => (
            <Month
              key={month}
              month={month}
              days={data?.days.filter((each) => Number(each.day.slice(5, 7)) === month) ?? []}
              mayEdit={mayEdit}
              onToggle={({ day, kind }) => change.mutate({ body: { day, kind: nextOf(kind) } })}
            />
          ))}
        </div>
      )}
    </div>
  );
}
