import '../performance.css';
import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import {
  ALL,
  EDIT,
  EXPORT,
  exportPerformance,
  listPerformance,
  PerformanceFilter,
  PerformanceRow,
  performancePeople,
} from '../../contract/report.ts';
import { PersonDrawer } from '../PersonDrawer.tsx';
import { RuleDialog } from '../RuleDialog.tsx';
import { type PersonOption, TargetDialog } from '../TargetDialog.tsx';

const NOTHING = (
  <Empty title="这段时间没有业绩" text="结算与账务交易同步后自动计算；在「商品分析」为商品指定负责人，或换一个月份。" />
);

/** The months of a filter as the server takes them: one that is missing is the other, or this month. */
function spanOf(from: unknown, to: unknown, today: string) {
  const last = typeof to === 'string' ? to : typeof from === 'string' ? from : today;
  return { from: typeof from === 'string' ? from : last, to: last };
}

/** 业绩报告: what each person's listings earned in some months, against a target, with commission. */
export default function Performance() {
  const [mayAll, mayEdit, mayExport] = [useAllowed(ALL), useAllowed(EDIT), useAllowed(EXPORT)];
  const { data: people } = useCall(performancePeople, {});
  const options = useMemo(() => ({ members: people?.map(({ id, name }) => ({ value: id, label: name })) }), [people]);
  const [defaults] = useState(() => {
    const month = companyDay().slice(0, 7);
    return { from: month, to: month };
  });
  const [open, setOpen] = useState<PerformanceRow>();
  const [aiming, setAiming] = useState<PersonOption>();
  const [ruling, setRuling] = useState(false);
  const first = options.members?.[0];
  const note = (
    <>
      按当日负责人 · 入账口径 · 人民币
      {!mayAll && ' · 仅自己的业绩'}
    </>
  );
  return (
    <>
      <ListScreen
        name="performance/people"
        title="业绩报告"
        unit="人"
        endpoint={listPerformance}
        {...(mayExport ? { exportEndpoint: exportPerformance } : {})}
        row={PerformanceRow}
        filter={PerformanceFilter}
        defaults={defaults}
        options={options}
        above={({ from, to }) => (
          <PersonDrawer
            row={open}
            {...spanOf(from, to, defaults.to)}
            onClose={() => setOpen(undefined)}
            onAim={setAiming}
          />
        )}
        onOpen={setOpen}
        current={open?.id}
        head={
          <>
            <Button onClick={() => setRuling(true)}>提成规则</Button>
            {mayEdit && first && (
              <Button type="primary" onClick={() => setAiming(first)}>
                设置目标
              </Button>
            )}
          </>
        }
        note={note}
        empty={NOTHING}
      />
      {aiming && <TargetDialog person={aiming} people={options.members ?? []} onClose={() => setAiming(undefined)} />}
      {ruling && <RuleDialog onClose={() => setRuling(false)} />}
    </>
  );
}
