import { Button } from 'antd';
import { useState } from 'react';
import { DueDay } from '#kit/web/cells/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { countClaims, exportClaims, listClaims } from '../../contract/claim/calls.ts';
import { ClaimFilter, ClaimRow, claimCase } from '../../contract/claim/claim.ts';
import { EXPORT } from '../../contract/fields.ts';
import { shipOrder } from '../../contract/order.ts';
import { toOptions, useShipChoices } from '../choices.ts';
import { WindowsDialog } from '../claim/WindowsDialog.tsx';

const UNFILED: readonly string[] = ['found', 'toClaim', 'refused'];

const COLUMNS: ColumnOverrides<ClaimRow> = {
  number: {
    render: (row) => (
      <TabLink to={claimCase.detail} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
  order: {
    render: (row) => (
      <TabLink to={shipOrder.detail} title={row.order} query={{ id: row.orderId }}>
        {row.order}
      </TabLink>
    ),
    text: (row) => row.order,
  },
  deadline: {
    render: (row) =>
      UNFILED.includes(row.state) ? (
        <DueDay day={row.deadline} none="—" />
      ) : (
        <span className="num">{row.deadline ?? '—'}</span>
      ),
    text: (row) => row.deadline ?? '',
  },
};

/** 差异与索赔: what Amazon received otherwise than it left, and what became of the claims. */
export default function ClaimList() {
  const tab = useTab();
  const choices = useShipChoices();
  const mayExport = useAllowed(EXPORT);
  const [windows, setWindows] = useState(false);
  return (
    <>
      <ListScreen
        name="shipping/claims"
        title="差异与索赔"
        unit="条差异"
        endpoint={listClaims}
        {...(mayExport ? { exportEndpoint: exportClaims } : {})}
        row={ClaimRow}
        filter={ClaimFilter}
        options={{ authid: toOptions(choices?.stores) }}
        tabs={{ field: 'state', counts: countClaims }}
        columns={COLUMNS}
        onOpen={(row) => tab.open(claimCase.detail, { title: row.number, query: { id: row.id } })}
        head={<Button onClick={() => setWindows(true)}>期限设置</Button>}
        empty={<Empty title="没有货件差异" text="亚马逊关闭货件后，少收或多收的数量会在这里生成差异。" />}
      />
      {windows && <WindowsDialog onClose={() => setWindows(false)} />}
    </>
  );
}
