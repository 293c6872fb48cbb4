import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { Navigate } from 'react-router';
import { call, useCall } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { usePhone } from '#kit/web/phone/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { batchApprove, DeskFilter, deskCount, deskList, readCopy, readInstance } from '../../contract/desk.ts';
import { DeskRow } from '../../contract/instance.ts';
import { ActButtons } from '../ActButtons.tsx';
import { ApprovalView, StateTag } from '../ApprovalView.tsx';
import { refreshApprovals } from '../acts.ts';
import { Delegations } from '../Delegations.tsx';
import { useKindOptions } from '../kinds.ts';
import { PHONE } from '../phone.ts';

const DEFAULTS = { tab: 'todo' };

/** One approval beside the list: what it is about, its way, its log, and what to do. */
function Detail({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const tab = useTab();
  const { data } = useCall(readInstance, { params: { id: id ?? '' } }, { enabled: id !== undefined, staleTime: 0 });
  const view = data?.id === id ? data : undefined;
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={view ? `${view.docTitle}审批` : '审批'}
      subtitle={view?.number}
      extra={view && <StateTag state={view.state} />}
      foot={
        view && (
          <Button onClick={() => tab.open(view.route.path, { title: view.number, query: { id: view.route.id } })}>
            查看单据
          </Button>
        )
      }
      actions={<span className="approval-actions">{view && <ActButtons view={view} onDone={onClose} />}</span>}
    >
      {view && <ApprovalView view={view} />}
    </DetailDrawer>
  );
}

/** Agrees to several; says of each one that failed why. */
async function approveAll(rows: readonly DeskRow[]): Promise<void> {
  const results = await call(batchApprove, { body: { taskIds: rows.map((row) => row.id) } });
  const failed = results.filter(({ ok }) => !ok);
  if (failed.length === 0) notice.success(`已同意 ${results.length} 单`);
  else notice.error(`${results.length - failed.length} 单已同意，${failed.length} 单失败：${failed[0]?.msg ?? ''}`);
  await refreshApprovals();
}

/** 审批工作台, on a phone the page of cards. */
export default function Desk() {
  const phone = usePhone();
  return phone ? <Navigate to={PHONE} replace /> : <WideDesk />;
}

function WideDesk() {
  const [id, setId] = useState<string>();
  const [delegating, setDelegating] = useState(false);
  const kinds = useKindOptions();
  const options = useMemo(() => ({ docType: kinds }), [kinds]);
  const open = (row: DeskRow) => {
    setId(row.instanceId);
    // Opening it is reading it; for whoever got no copy nothing happens.
    void call(readCopy, { body: { instanceId: row.instanceId } }, { quiet: true }).catch(() => {});
  };
  return (
    <>
      <ListScreen
        name="approval/desk"
        title="审批工作台"
        unit="单"
        density="dense"
        endpoint={deskList}
        row={DeskRow}
        filter={DeskFilter}
        defaults={DEFAULTS}
        options={options}
        tabs={{ field: 'tab', counts: deskCount, apart: true }}
        empty={<Empty title="这里没有单据" text="需要你审批、由你发起或抄送给你的单据，会出现在对应的页签里。" />}
        onOpen={open}
        current={id}
        actions={(row) => [{ label: row.batch || row.state === 'running' ? '审批' : '查看', onClick: () => open(row) }]}
        batch={[
          {
            label: '批量同意',
            primary: true,
            unfit: (row) => (row.batch ? undefined : '该单据类型不允许批量审批，或不在待我审批中'),
            onClick: (rows) => void approveAll(rows),
          },
        ]}
        head={<Button onClick={() => setDelegating(true)}>我的委托</Button>}
      />
      <Detail id={id} onClose={() => setId(undefined)} />
      {delegating && <Delegations onClose={() => setDelegating(false)} />}
    </>
  );
}
