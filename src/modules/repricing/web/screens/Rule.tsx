import { Button } from 'antd';
import { useState } from 'react';
import { metaOf } from '#kit/contract/columns.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall } from '#kit/web/api/index.ts';
import { When } from '#kit/web/cells/index.ts';
import { DocumentScreen } from '#kit/web/document/index.ts';
import { OwnAddress } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { EDIT, RUN, RuleStatus, ruleDetail } from '../../contract/rules.ts';
import { Strategy } from '../../contract/settings.ts';
import { Bindings } from '../Bindings.tsx';
import { RuleDialog } from '../RuleDialog.tsx';
import { Runs } from '../Runs.tsx';
import { Simulation } from '../Simulation.tsx';
import { stepsOf, useSteps } from '../steps.ts';

/** One rule of 智能调价: its listings, what it decided and why, and what it would have done. */
export default function Rule() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(ruleDetail, { params: { id } }, { enabled: id !== '' });
  const [editing, setEditing] = useState(false);
  const mayEdit = useAllowed(EDIT);
  const mayRun = useAllowed(RUN);
  const steps = useSteps();
  const archived = data?.status === 'ARCHIVED';
  const lists = data && [
    { key: 'bindings', title: '绑定商品', content: <Bindings ruleId={id} archived={archived} /> },
    { key: 'runs', title: '调价日志', content: <Runs ruleId={id} /> },
  ];
  return (
    <>
      <DocumentScreen
        number={data?.name}
        state={data && metaOf(RuleStatus).states?.[data.status]}
        subject={
          data && (
            <>
              {metaOf(Strategy).states?.[data.strategy]?.title}
              {data.shadowSince !== null && (
                <>
                  {' '}
                  · 试运行自 <When at={data.shadowSince} />
                </>
              )}
            </>
          )
        }
        head={
          <>
            {data &&
              mayRun &&
              stepsOf(data, steps).map(({ label, danger = false, onClick }) => (
                <Button key={label} danger={danger} onClick={onClick}>
                  {label}
                </Button>
              ))}
            {!archived && (
              <Allowed code={EDIT}>
                <Button data-edit onClick={() => setEditing(true)}>
                  修改
                </Button>
              </Allowed>
            )}
          </>
        }
        error={error}
        onRetry={() => void refetch()}
        tabs={[
          ...(lists ?? []).map(({ content, ...one }) => ({
            ...one,
            content: <OwnAddress key={one.key}>{content}</OwnAddress>,
          })),
          ...(data && mayEdit ? [{ key: 'simulation', title: '试算', content: <Simulation ruleId={id} /> }] : []),
        ]}
      />
      <RuleDialog of={editing ? { id } : undefined} onClose={() => setEditing(false)} />
    </>
  );
}
