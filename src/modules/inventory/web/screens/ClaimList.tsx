import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useSend } from '#kit/web/api/index.ts';
import { DueDay } from '#kit/web/cells/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { buildClaims, countClaims, exportClaims, listClaims } from '../../contract/claim-calls.ts';
import { CLAIM_EDIT, ClaimFilter, ClaimRow, fbaClaim, UNFILED } from '../../contract/claims.ts';
import { RulesDialog } from '../claims/RulesDialog.tsx';
import { refreshClaims } from '../claims/refresh.ts';
import { nothingYet } from '../facts.tsx';

const COLUMNS: ColumnOverrides<ClaimRow> = {
  number: {
    render: (row) => (
      <TabLink to={fbaClaim.detail} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
  deadline: {
    render: (row) =>
      UNFILED.includes(row.state) ? (
        <DueDay day={row.deadline} none="—" />
      ) : (
        <span className="num">{row.deadline}</span>
      ),
    text: (row) => row.deadline,
  },
};

/** 索赔发现: what Amazon lost, broke or never got back and has not made good, and what became of the claims. */
export default function ClaimList() {
  const tab = useTab();
  const sites = useSiteOptions();
  const mayExport = useAllowed('amz:inventory:export');
  const [rules, setRules] = useState(false);
  const build = useSend(buildClaims, {
    onSuccess: async ({ message }) => {
      notice.success(message);
      await refreshClaims();
    },
  });
  return (
    <>
      <ListScreen
        name="inventory/claims"
        title="索赔发现"
        unit="条索赔"
        endpoint={listClaims}
        {...(mayExport ? { exportEndpoint: exportClaims } : {})}
        row={ClaimRow}
        filter={ClaimFilter}
        options={{ sites }}
        tabs={{ field: 'state', counts: countClaims }}
        columns={COLUMNS}
        onOpen={(row) => tab.open(fbaClaim.detail, { title: row.number, query: { id: row.id } })}
        head={
          <>
            <Button onClick={() => setRules(true)}>索赔规则</Button>
            <Allowed code={CLAIM_EDIT}>
              <Button loading={build.isPending} onClick={() => build.mutate({ body: {} })}>
                重新查找
              </Button>
            </Allowed>
          </>
        }
        empty={nothingYet('可索赔的丢损')}
      />
      {rules && <RulesDialog onClose={() => setRules(false)} />}
    </>
  );
}
