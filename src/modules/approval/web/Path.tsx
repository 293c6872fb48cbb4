import { CheckOutlined, MailOutlined, ToolOutlined, UserOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import { SOURCES } from '../contract/flow.ts';
import type { PathStep } from '../contract/instance.ts';

const marks: Record<PathStep['type'], ReactNode> = {
  approve: <UserOutlined />,
  handle: <ToolOutlined />,
  cc: <MailOutlined />,
  auto: <CheckOutlined />,
};

/** Who is asked, one a line with the reason. */
function Reasons({ people, whys, nobody }: PathStep) {
  if (people.length === 0) return nobody ? <span className="label">无人时：{nobody}</span> : null;
  return people.map((name, index) => (
    <span className="label" key={name}>
      {whys[index] && `${name}：${whys[index]}`}
    </span>
  ));
}

/** The way of a document through its flow: what is done, where it stands, what comes, who is asked, and why if wanted. */
export function Path({ steps, reasons = false }: { steps: readonly PathStep[]; reasons?: boolean }) {
  if (steps.length === 0) return <p className="label">无需审批</p>;
  return (
    <ol className="approval-path" aria-label="审批路径">
      {steps.map((step) => (
        <li key={step.key} className={`is-${step.state}`} aria-current={step.state === 'now' ? 'step' : undefined}>
          <span className="approval-mark" aria-hidden="true">
            {step.state === 'done' ? <CheckOutlined /> : marks[step.type]}
          </span>
          <span className="approval-step">
            <b>{step.name}</b>
            {step.lane && <span className="label">{step.lane}</span>}
            <span className={step.open && !step.previous ? 'warning' : 'text2'}>
              {step.people.join('、') ||
                (step.type === 'auto' ? '' : step.previous ? `由${SOURCES.previous}` : '未找到人员')}
              {step.mode && <span className="label"> · {step.mode}</span>}
            </span>
            {reasons && <Reasons {...step} />}
          </span>
        </li>
      ))}
    </ol>
  );
}
