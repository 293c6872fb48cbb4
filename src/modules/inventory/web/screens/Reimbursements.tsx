import { ComparedScreen, useFilter } from '#kit/web/list/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import {
  PAID_REASONS,
  PaidSumFilter,
  PaidSumRow,
  paidSums,
  ReimbursementFilter,
  ReimbursementRow,
  reimbursements,
} from '../../contract/events.ts';
import { nothingYet, optionsOf } from '../facts.tsx';
import { PaidStrip } from '../PaidStrip.tsx';

const REASONS = optionsOf(PAID_REASONS);
const MEASURES = [
  { key: 'paidAmount', title: '赔偿总额', kind: 'money', chart: true },
  { key: 'quantity', title: '赔偿件数', kind: 'integer', chart: true },
  { key: 'payments', title: '笔数', kind: 'integer' },
] as const;

/** 赔偿: what Amazon paid, or gave back in pieces, for goods that it lost or broke; or a period against another one. */
export default function Reimbursements() {
  const sites = useSiteOptions();
  const setFilter = useFilter();
  return (
    <ComparedScreen
      rows={{
        name: 'inventory/reimbursements',
        title: '赔偿',
        unit: '笔',
        endpoint: reimbursements.list,
        exportEndpoint: reimbursements.export,
        row: ReimbursementRow,
        filter: ReimbursementFilter,
        options: { reasons: REASONS, sites },
        above: (filter) => <PaidStrip filter={filter} onReason={(reason) => setFilter('reasons', reason)} />,
        empty: nothingYet('赔偿'),
      }}
      sums={{
        name: 'inventory/paidSums',
        unit: '个商品',
        endpoint: paidSums.list,
        exportEndpoint: paidSums.export,
        trend: paidSums.trend,
        row: PaidSumRow,
        filter: PaidSumFilter,
        measures: MEASURES,
        step: 'day',
        drill: (row) => ({ skus: row.product.code }),
      }}
    />
  );
}
