import { useMemo, useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import type { RowAction } from '#kit/web/grid/RowActions.tsx';
import { type BatchAction, ComparedScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { CLAIM_EDIT } from '../../contract/claims.ts';
import { askRemeasure, countFeeAudit, FeeAuditFilter, FeeAuditRow, feeAudit } from '../../contract/fee-audit.ts';
import { ChargedSumFilter, ChargedSumRow, chargedSums } from '../../contract/fee-charged.ts';
import { refreshClaims } from '../claims/refresh.ts';
import { nothingYet } from '../facts.tsx';
import { COLUMNS } from '../fee-audit/columns.tsx';
import { FeeDrawer } from '../fee-audit/FeeDrawer.tsx';

const MEASURES = [
  { key: 'chargedFee', title: '实收配送费', kind: 'money', good: 'down', chart: true },
  { key: 'chargedUnits', title: '实收件数', kind: 'integer', good: 'up', chart: true },
  { key: 'perPiece', title: '每件配送费', kind: 'money', good: 'down', chart: true },
] as const;

const unfit = (row: FeeAuditRow): string | undefined =>
  row.claimId !== null ? `已有索赔单 ${row.claimNumber}` : row.verdict === 'OVER' ? undefined : '未判定为超收';

/**
 * FBA费用: Amazon's fee beside the one by our own measurement, what is overcharged, and the claims for measuring anew; compared,
 * what was charged for sending each SKU in two periods.
 */
export default function FeeAudit() {
  const { active } = useTab();
  const [opened, setOpened] = useState<FeeAuditRow>();
  const sites = useSiteOptions();
  const mayAsk = useAllowed(CLAIM_EDIT);
  const ask = useSend(askRemeasure, {
    refreshes: [feeAudit.list],
    onSuccess: async ({ message }) => {
      notice.success(message);
      await refreshClaims();
    },
  });
  const { mutate } = ask;
  const batch = useMemo<BatchAction<FeeAuditRow>[]>(
    () => [{ label: '申请复测', unfit, onClick: (rows) => mutate({ body: { ids: rows.map(({ id }) => id) } }) }],
    [mutate],
  );
  const actions = (row: FeeAuditRow): RowAction[] => [
    { label: '申请复测', blocked: unfit(row), onClick: () => mutate({ body: { ids: [row.id] } }) },
  ];
  return (
    <>
      <ComparedScreen
        rows={{
          name: 'inventory/feeAudit',
          title: 'FBA费用',
          unit: '个商品',
          endpoint: feeAudit.list,
          exportEndpoint: feeAudit.export,
          row: FeeAuditRow,
          filter: FeeAuditFilter,
          options: { sites },
          tabs: { field: 'tab', counts: countFeeAudit },
          columns: COLUMNS,
          ...(mayAsk ? { batch, actions } : {}),
          current: opened?.id,
          onOpen: setOpened,
          empty: nothingYet('FBA费用', '每周'),
        }}
        sums={{
          name: 'inventory/chargedSum',
          unit: '个商品',
          endpoint: chargedSums.list,
          exportEndpoint: chargedSums.export,
          trend: chargedSums.trend,
          row: ChargedSumRow,
          filter: ChargedSumFilter,
          measures: MEASURES,
          step: 'day',
          drill: (row) => ({ keyword: row.product.code }),
        }}
      />
      <FeeDrawer row={active ? opened : undefined} onClose={() => setOpened(undefined)} />
    </>
  );
}
