import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { fbaClaim } from '../../contract/claims.ts';
import type { FeeAuditRow } from '../../contract/fee-audit.ts';

/** A claim's number leads to it, wherever audited fees are listed. */
export const COLUMNS: ColumnOverrides<FeeAuditRow> = {
  claimNumber: {
    render: (row) =>
      row.claimId === null ? null : (
        <TabLink to={fbaClaim.detail} title={row.claimNumber} query={{ id: row.claimId }}>
          {row.claimNumber}
        </TabLink>
      ),
    text: (row) => row.claimNumber,
  },
};
