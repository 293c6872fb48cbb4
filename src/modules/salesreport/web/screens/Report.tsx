import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall } from '#kit/web/api/index.ts';
import { changeColumns, type FilterValue, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { EXPORT } from '../../contract/fields.ts';
import {
  type ReportFilter as Asked,
  chartReport,
  exportReport,
  listReport,
  ReportFilter,
  ReportRow,
} from '../../contract/report.ts';
import { SEND } from '../../contract/subscriptions.ts';
import { useAsked, useSalesOptions } from '../asked.ts';
import { NoSales } from '../NoSales.tsx';
import { FULLNESS, PeriodCharts } from '../PeriodCharts.tsx';
import { SendDialog } from '../SendDialog.tsx';
import '../salesreport.css';

const DEFAULTS = { grain: 'day', compare: 'previous', currency: 'auto' };
const MODES = ['grain', 'compare', 'currency'];
const UNITS: Record<string, string> = { day: '日', week: '周', month: '月' };
const COLUMNS = { ...changeColumns<ReportRow>(['units', 'orders'], 'up'), fullness: FULLNESS };
const ORDERS = '/amazon/sale/order/list';

function Charts({ filter, onPick }: { filter: FilterValue; onPick: (from: string, to: string) => void }) {
  const { data } = useCall(chartReport, { body: { filter: filter as Asked } }, { keep: true });
  return <PeriodCharts chart={data} unit={UNITS[String(filter.grain)] ?? '日'} onPick={onPick} />;
}

/** 销售报表: units and orders by period beside what they are held against. */
export default function Report() {
  const tab = useTab();
  const options = useSalesOptions();
  const asked = useAsked(ReportFilter, options, DEFAULTS);
  const [sending, setSending] = useState(false);
  const mayExport = useAllowed(EXPORT);
  const open = (from: string, to: string) =>
    tab.open(ORDERS, { title: '订单列表', query: { 'f.dates': `${from}~${to}` } });
  return (
    <>
      <ListScreen
        name="salesreport/report"
        title="销售报表"
        unit="个周期"
        density="dense"
        endpoint={listReport}
        {...(mayExport ? { exportEndpoint: exportReport } : {})}
        row={ReportRow}
        filter={ReportFilter}
        defaults={DEFAULTS}
        modes={MODES}
        options={options}
        columns={COLUMNS}
        above={(filter) => <Charts filter={filter} onPick={open} />}
        onOpen={({ from, to }) => open(from, to)}
        note="站点日；取消的订单不计；点一行看该周期的订单"
        empty={<NoSales />}
        head={
          <Allowed code={SEND}>
            <Button onClick={() => setSending(true)}>定时发送</Button>
          </Allowed>
        }
      />
      {sending && <SendDialog filter={asked} onClose={() => setSending(false)} />}
    </>
  );
}
