import { type ReactNode, useState } from 'react';
import { ListScreen } from '#kit/web/list/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { countFeeAudit, FeeAuditFilter, FeeAuditRow, feeAudit } from '../../contract/fee-audit.ts';
import { nothingYet } from '../facts.tsx';
import { COLUMNS } from './columns.tsx';
import { FeeDrawer } from './FeeDrawer.tsx';

const AUDIT = '/amazon/report/fbafee';

/** 实测对比: the list of the fee audit, dearest first, beside the fees that it is reckoned by; claims are made over there. */
export function MeasuredFees({ tabs }: { tabs: ReactNode }) {
  const tab = useTab();
  const [opened, setOpened] = useState<FeeAuditRow>();
  const sites = useSiteOptions();
  return (
    <>
      <ListScreen
        name="inventory/feeAudit"
        title="FBA费用"
        unit="个商品"
        endpoint={feeAudit.list}
        exportEndpoint={feeAudit.export}
        row={FeeAuditRow}
        filter={FeeAuditFilter}
        options={{ sites }}
        tabs={{ field: 'tab', counts: countFeeAudit }}
        columns={COLUMNS}
        head={tabs}
        current={opened?.id}
        onOpen={setOpened}
        actions={({ product }) => [
          {
            label: '去核对',
            onClick: () => tab.open(AUDIT, { title: 'FBA费用核对', query: { keyword: product.code } }),
          },
        ]}
        empty={nothingYet('FBA费用', '每周')}
      />
      <FeeDrawer row={tab.active ? opened : undefined} onClose={() => setOpened(undefined)} />
    </>
  );
}
