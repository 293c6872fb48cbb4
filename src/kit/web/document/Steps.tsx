import { CheckOutlined } from '@ant-design/icons';
import type { Step } from './steps.ts';

/** Step bar: who, when, how long it waits. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="steps">
      {steps.map((step, index) => (
        <li key={step.key} className={`step is-${step.state}`} aria-current={step.state === 'now' ? 'step' : undefined}>
          <span className="step-mark">{step.state === 'done' ? <CheckOutlined /> : index + 1}</span>
          <span className="step-text">
            <span>{step.title}</span>
            {step.note && <span className="label">{step.note}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
