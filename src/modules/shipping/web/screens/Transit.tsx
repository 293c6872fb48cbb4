import { Button } from 'antd';
import { useState } from 'react';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { EXPORT } from '../../contract/fields.ts';
import { shipOrder } from '../../contract/order.ts';
import { exportTransit, listTransit, TransitFilter, TransitRow } from '../../contract/transit.ts';
import { toOptions, useShipChoices } from '../choices.ts';
import { Board } from '../transit/Board.tsx';
import { SpeedDrawer } from '../transit/SpeedDrawer.tsx';
import '../transit/transit.css';

const COLUMNS: ColumnOverrides<TransitRow> = {
  number: {
    render: (row) => (
      <TabLink to={shipOrder.detail} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
  daysLate: {
    render: (row) =>
      row.daysLate === null ? <span className="text3">—</span> : <span className="num is-late">{row.daysLate}</span>,
    text: (row) => String(row.daysLate ?? ''),
  },
};

/** 在途看板: goods on their way to Amazon as a picture, and the orders that they belong to. */
export default function Transit() {
  const tab = useTab();
  const choices = useShipChoices();
  const mayExport = useAllowed(EXPORT);
  const [speed, setSpeed] = useState(false);
  return (
    <>
      <ListScreen
        name="shipping/transit"
        title="在途看板"
        unit="单"
        endpoint={listTransit}
        {...(mayExport ? { exportEndpoint: exportTransit } : {})}
        row={TransitRow}
        filter={TransitFilter}
        options={{ authid: toOptions(choices?.stores) }}
        columns={COLUMNS}
        onOpen={(row) => tab.open(shipOrder.detail, { title: row.number, query: { id: row.id } })}
        above={(filter) => <Board filter={filter} />}
        head={<Button onClick={() => setSpeed(true)}>物流时效</Button>}
        empty={<Empty title="没有在途货物" text="发货单出库后、亚马逊接收前的货物会在这里。" />}
      />
      <SpeedDrawer open={speed} onClose={() => setSpeed(false)} />
    </>
  );
}
