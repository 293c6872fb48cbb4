import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { Navigate } from 'react-router';
import { useCall } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { usePhone } from '#kit/web/phone/index.ts';
import type { ApprovalPanelProps } from '#kit/web/ports.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { documentApproval, preview } from '../contract/desk.ts';
import { SOURCES } from '../contract/flow.ts';
import type { InstanceView } from '../contract/instance.ts';
import { ActButtons } from './ActButtons.tsx';
import { ApprovalView, StateTag } from './ApprovalView.tsx';
import { Chosen } from './Chosen.tsx';
import { Path } from './Path.tsx';
import { PHONE, WHOLE } from './phone.ts';
import './approval.css';

/** Where the flow stands, in one line. */
function now({ path, state }: InstanceView): string {
  const here = path.filter((step) => step.state === 'now');
  if (here.length === 0) return state === 'approved' ? '全部节点已通过' : '';
  return here.map(({ name, people }) => `${name}（${people.join('、') || '待改派'}）`).join('，');
}

/** Before it is handed in: who will be asked. */
function Forecast({ def, id }: Pick<ApprovalPanelProps, 'def' | 'id'>) {
  const [open, setOpen] = useState(false);
  const { data } = useCall(preview, { query: { docType: def.name, docId: id } }, { staleTime: 0 });
  if (!data) return null;
  const people = data.path
    .filter(({ type }) => type !== 'cc')
    .map((step) => `${step.name}（${step.people.join('、') || (step.previous ? `由${SOURCES.previous}` : '待选')}）`);
  return (
    <section className="approval-bar" aria-label="审批路径预测">
      <b>提交后审批</b>
      <span className="text2 ellipsis approval-now">
        {data.obstacle || people.join(' → ') || '免审，提交后直接通过'}
      </span>
      <span className="spring" />
      {data.path.length > 0 && <Button onClick={() => setOpen(true)}>查看路径</Button>}
      <DetailDrawer open={open} onClose={() => setOpen(false)} title="审批路径" subtitle={data.flowName}>
        <Path steps={data.path} />
        <Chosen docType={def.name} docId={id} path={data.path} />
      </DetailDrawer>
    </section>
  );
}

/** Over the action bar of a document: how it is approved, and what the reader may do about it. */
export default function ApprovalPanel({ def, id, onChanged, onDeciding }: ApprovalPanelProps) {
  const [open, setOpen] = useState(false);
  const phone = usePhone();
  const { active, address } = useTab();
  const { data, refetch } = useCall(documentApproval, { query: { docType: def.name, docId: id } }, { staleTime: 0 });
  const deciding = data?.deciding ?? false;
  useEffect(() => onDeciding(deciding), [deciding, onDeciding]);
  if (!data?.enabled && !data?.current) return null;
  // On a phone whoever is asked decides on the page made for it, wherever he comes from.
  if (phone && deciding && data.current && active && !new URLSearchParams(address.split('?')[1]).has(WHOLE)) {
    return <Navigate to={`${PHONE}?id=${data.current.id}`} replace />;
  }
  const view = data.current;
  const done = () => {
    void refetch();
    onChanged();
  };
  if (!view || ['returned', 'rejected', 'withdrawn'].includes(view.state)) {
    return data.enabled ? <Forecast def={def} id={id} /> : null;
  }
  return (
    <section className="approval-bar" aria-label="审批">
      <b>审批</b>
      <StateTag state={view.state} />
      <span className="text2 ellipsis approval-now">{now(view)}</span>
      <span className="spring" />
      <Button onClick={() => setOpen(true)}>审批详情</Button>
      {deciding && <ActButtons view={view} onDone={done} />}
      <DetailDrawer open={open} onClose={() => setOpen(false)} title={`${view.docTitle}审批`} subtitle={view.number}>
        <ApprovalView view={view} />
      </DetailDrawer>
    </section>
  );
}
