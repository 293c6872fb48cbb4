import { CheckOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { EmptyArt } from './EmptyArt.tsx';

/** One step towards the first record. */
export interface EmptyStep {
  title: string;
  hint?: string;
  done?: boolean;
  action?: { label: string; onClick: () => void };
}

interface Props {
  /** e.g. 「还没有采购单」. */
  title: string;
  text?: ReactNode;
  steps?: readonly EmptyStep[];
  children?: ReactNode;
}

function Step({ step, index, next }: { step: EmptyStep; index: number; next: boolean }) {
  return (
    <li className={`empty-step${step.done ? ' is-done' : ''}`}>
      <span className="step-mark">{step.done ? <CheckOutlined /> : index + 1}</span>
      <span className="empty-step-text">
        <span>{step.title}</span>
        {step.hint && <span className="text3">{step.hint}</span>}
      </span>
      {step.action && !step.done && (
        <Button size="small" type={next ? 'primary' : 'default'} onClick={step.action.onClick}>
          {step.action.label}
        </Button>
      )}
    </li>
  );
}

/** Nothing there yet: what it will be good for, and the steps to the first one, done ones ticked. */
export function Empty({ title, text, steps = [], children }: Props) {
  const next = steps.findIndex((step) => !step.done);
  return (
    <div className="state">
      <EmptyArt />
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {steps.length > 0 && (
        <ol className="empty-steps">
          {steps.map((step, index) => (
            <Step key={step.title} step={step} index={index} next={index === next} />
          ))}
        </ol>
      )}
      <div className="state-actions">{children}</div>
    </div>
  );
}
