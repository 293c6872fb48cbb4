import { useState } from 'react';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { SELF_ADD } from '../../contract/self/fields.ts';
import { WaitingFilter, WaitingRow } from '../../contract/self/rows.ts';
import { listWaiting } from '../../contract/self/waiting.ts';
import { toOptions } from '../choices.ts';
import { BuildDialog } from '../self/BuildDialog.tsx';
import { HoursLeft } from '../self/cells.tsx';
import { EDIT, useSelfChoices } from '../self/shared.ts';

const COLUMNS: ColumnOverrides<WaitingRow> = {
  hoursLeft: { render: (row) => <HoursLeft hours={row.hoursLeft} />, text: (row) => row.hoursLeft ?? '' },
};

const unfit = ({ unmatched, cancelAsked }: WaitingRow) =>
  unmatched ? '有平台SKU未关联本地产品' : cancelAsked ? '买家申请取消' : undefined;

/** 待建单订单: what of the stores' orders is to be sent by ourselves, the least time left first. */
export default function SelfWaiting() {
  const tab = useTab();
  const choices = useSelfChoices();
  const mayAdd = useAllowed(SELF_ADD);
  const [building, setBuilding] = useState<WaitingRow[]>();
  const split = (rows: readonly WaitingRow[]) =>
    tab.open(EDIT, { title: '新增自发货单', query: { orders: rows.map((row) => row.id).join(',') } });
  return (
    <>
      <ListScreen
        name="shipping/selfWaiting"
        title="待建单订单"
        unit="单"
        endpoint={listWaiting}
        row={WaitingRow}
        filter={WaitingFilter}
        options={{ authid: toOptions(choices?.stores) }}
        columns={COLUMNS}
        batch={
          mayAdd
            ? [
                { label: '建单', primary: true, unfit, onClick: (rows) => setBuilding(rows) },
                { label: '拆分或合并建单', unfit, onClick: split },
              ]
            : []
        }
        empty={<Empty title="没有待建单的订单" text="由卖家配送、未发货的订单同步后显示在这里，按剩余发货时间排序。" />}
      />
      {building && <BuildDialog rows={building} onClose={() => setBuilding(undefined)} />}
    </>
  );
}
