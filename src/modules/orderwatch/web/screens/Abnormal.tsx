import { Button } from 'antd';
import { useState } from 'react';
import { Decimal } from '#kit/contract/decimal.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { type BatchAction, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import {
  CONFIG,
  countFindings,
  EDIT,
  exportFindings,
  FindingFilter,
  FindingRow,
  listFindings,
} from '../../contract/findings.ts';
import { HandleDialog } from '../HandleDialog.tsx';
import { RulesDialog } from '../RulesDialog.tsx';

const COLUMNS: ColumnOverrides<FindingRow> = {
  orderId: {
    render: (row) => (
      <TabLink to="/orders/detail" title={row.orderId} query={{ id: row.orderKey }}>
        {row.orderId}
      </TabLink>
    ),
    text: (row) => row.orderId,
  },
  // Two places are enough to see how odd it is; files have them all.
  figure: {
    render: ({ figure }) => new Decimal(figure).toDecimalPlaces(2).toFixed(),
    text: ({ figure }) => figure,
  },
};

/** 异常订单: what is odd about which order, and who has seen to it. */
export default function Abnormal() {
  const sites = useSiteOptions();
  const mayEdit = useAllowed(EDIT);
  const mayConfig = useAllowed(CONFIG);
  const [handling, setHandling] = useState<readonly FindingRow[]>();
  const [ruling, setRuling] = useState(false);
  const batch: BatchAction<FindingRow>[] = [{ label: '处理', primary: true, onClick: setHandling }];
  return (
    <>
      <ListScreen
        name="orderwatch/findings"
        title="异常订单"
        unit="条"
        endpoint={listFindings}
        exportEndpoint={exportFindings}
        row={FindingRow}
        filter={FindingFilter}
        defaults={{ state: 'OPEN' }}
        tabs={{ field: 'state', counts: countFindings }}
        options={{ sites }}
        columns={COLUMNS}
        density="picture"
        {...(mayEdit
          ? { batch, actions: (row: FindingRow) => [{ label: '处理', onClick: () => setHandling([row]) }] }
          : {})}
        {...(mayConfig ? { head: <Button onClick={() => setRuling(true)}>异常规则</Button> } : {})}
        empty={<Empty title="没有异常订单" text="订单和退款同步后一两分钟内检查最近 60 天的订单。" />}
        note="已处理的订单在情况加重时重新变为待处理；不再符合规则的变为已消除"
      />
      {handling && <HandleDialog rows={handling} onClose={() => setHandling(undefined)} />}
      {ruling && <RulesDialog onClose={() => setRuling(false)} />}
    </>
  );
}
