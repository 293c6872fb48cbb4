import { mixedTotal } from '#kit/web/cells/index.ts';
import { ComparedScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { FEE_CODES } from '../../contract/fees.ts';
import {
  countOpen,
  exportOpen,
  listOpen,
  OpenFilter,
  OpenRow,
  OpenSumFilter,
  OpenSumRow,
  openSums,
} from '../../contract/open.ts';
import { useStoreOptions } from '../index.ts';

const NOTHING = <Empty title="没有未结算的金额" text="亚马逊报告的交易都已经在结算单里。" />;
const FEES = Object.entries(FEE_CODES).map(([value, { title }]) => ({ value, label: title }));
const MEASURES = [
  { key: 'openAmount', title: '期末未结算', kind: 'money', chart: true },
  { key: 'deferredAmount', title: '其中递延', kind: 'money', good: 'down', chart: true },
  { key: 'lines', title: '笔数', kind: 'integer', chart: true },
] as const;

/**
 * 未结算明细: every amount that Amazon has told and no settlement covers yet; they are the figure 未结算金额. Compared, what was
 * open at the end of a period, and behind each kind of amount the lines that it was made of.
 */
export default function OpenMoney() {
  const stores = useStoreOptions();
  const options = { stores, fee: FEES };
  return (
    <ComparedScreen
      rows={{
        name: 'settlement/open',
        title: '未结算明细',
        unit: '笔',
        density: 'dense',
        endpoint: listOpen,
        exportEndpoint: exportOpen,
        row: OpenRow,
        filter: OpenFilter,
        options,
        tabs: { field: 'state', counts: countOpen },
        columns: { amount: { total: mixedTotal('amount') } },
        empty: NOTHING,
        note: '金额合计等于未结算金额；选择「截至站点日」看那一天结束时的未结算金额',
      }}
      sums={{
        name: 'settlement/openSum',
        unit: '项',
        endpoint: openSums.list,
        exportEndpoint: openSums.export,
        trend: openSums.trend,
        row: OpenSumRow,
        filter: OpenSumFilter,
        measures: MEASURES,
        step: 'day',
        drill: (row) => ({ fee: row.feeCode, currency: row.currency, asOf: row.asOf }),
      }}
    />
  );
}
