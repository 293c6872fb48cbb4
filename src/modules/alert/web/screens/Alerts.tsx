import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { Decimal } from '#kit/contract/decimal.ts';
import { useCall } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { type BatchAction, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import {
  AlertFilter,
  AlertRow,
  CONFIG,
  countAlerts,
  EDIT,
  exportAlerts,
  listAlerts,
  readAlertRules,
} from '../../contract/alerts.ts';
import { AssignDialog, MuteDialog } from '../dialogs.tsx';
import { HistoryDrawer } from '../HistoryDrawer.tsx';
import { RulesDialog } from '../RulesDialog.tsx';

const COLUMNS: ColumnOverrides<AlertRow> = {
  // Two places are enough to see how bad it is; files have them all.
  figure: {
    render: ({ figure }) => new Decimal(figure).toDecimalPlaces(2).toFixed(),
    text: ({ figure }) => figure,
  },
  path: {
    title: '处理',
    width: 80,
    pinned: 'right',
    render: (row) => (
      <TabLink to={row.path} title={row.title}>
        去处理
      </TabLink>
    ),
  },
};

/** 预警中心: what is wrong with which listing, since when, and who sees to it. */
export default function Alerts() {
  const sites = useSiteOptions();
  const { data } = useCall(readAlertRules, {}, { staleTime: 60_000 });
  const options = useMemo(
    () => ({
      sites,
      kinds: data?.kinds.map(({ code, title }) => ({ value: code, label: title })),
      owners: data?.scopes.owners,
    }),
    [sites, data],
  );
  const mayEdit = useAllowed(EDIT);
  const mayConfig = useAllowed(CONFIG);
  const [open, setOpen] = useState<string>();
  const [muting, setMuting] = useState<readonly AlertRow[]>();
  const [assigning, setAssigning] = useState<readonly AlertRow[]>();
  const [ruling, setRuling] = useState(false);
  const batch: BatchAction<AlertRow>[] = [
    { label: '静音', primary: true, onClick: setMuting },
    { label: '指派', onClick: setAssigning },
  ];
  return (
    <>
      <ListScreen
        name="alert/alerts"
        title="预警中心"
        unit="条"
        endpoint={listAlerts}
        exportEndpoint={exportAlerts}
        row={AlertRow}
        filter={AlertFilter}
        defaults={{ state: 'OPEN' }}
        tabs={{ field: 'state', counts: countAlerts }}
        options={options}
        columns={COLUMNS}
        {...(mayEdit
          ? {
              batch,
              actions: (row: AlertRow) => [
                { label: row.state === 'MUTED' ? '改静音' : '静音', onClick: () => setMuting([row]) },
                { label: '指派', onClick: () => setAssigning([row]) },
              ],
            }
          : {})}
        {...(mayConfig ? { head: <Button onClick={() => setRuling(true)}>预警设置</Button> } : {})}
        empty={<Empty title="没有预警" text="每小时检查一次，报价和商品状态变化时立即检查。" />}
        onOpen={(row) => setOpen(row.id)}
        current={open}
        note="数值回到阈值以内（留有余量）后自动恢复"
      />
      {open && <HistoryDrawer id={open} onClose={() => setOpen(undefined)} />}
      {muting && <MuteDialog rows={muting} onClose={() => setMuting(undefined)} />}
      {assigning && <AssignDialog rows={assigning} onClose={() => setAssigning(undefined)} />}
      {ruling && <RulesDialog onClose={() => setRuling(false)} />}
    </>
  );
}
