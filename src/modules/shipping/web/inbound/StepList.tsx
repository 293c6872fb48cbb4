import { When } from '#kit/web/cells/index.ts';
import type { InboundStep, InboundView } from '../../contract/inbound.ts';

const MARKS: Readonly<Record<InboundStep['state'], string>> = {
  done: '完成',
  working: '进行中',
  waiting: '待操作',
  trouble: '出错',
  todo: '未开始',
  skipped: '无需',
};

function Row({ step }: { step: InboundStep }) {
  return (
    <li className={`inbound-step is-${step.state}`}>
      <span className="inbound-step-head">
        <span>{step.title}</span>
        <span className="spring" />
        <span className="inbound-step-mark">{MARKS[step.state]}</span>
      </span>
      {step.operation && (
        <span className="inbound-step-call">
          <span className="code">{step.operation}</span>
          {step.operationState && <span className="code">{step.operationState}</span>}
          {step.tries > 1 && <span>第 {step.tries} 次</span>}
          {(step.endedAt ?? step.askedAt) && <When at={step.endedAt ?? step.askedAt ?? ''} />}
        </span>
      )}
      {step.operationId && step.state !== 'done' && <span className="code text3 ellipsis">{step.operationId}</span>}
      {step.words && <span className="inbound-step-words">{step.words}</span>}
      {step.problems.map((problem) => (
        <span key={problem} className="inbound-step-problem">
          {problem}
        </span>
      ))}
    </li>
  );
}

/** Every step with Amazon's own state of it: what was asked, how far it is, what it said. */
export function StepList({ view }: { view: InboundView }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and whoever has no mouse scrolls it with the keys
    <aside className="inbound-side" aria-label="平台操作" tabIndex={0}>
      <h2>平台操作</h2>
      <p className="label">
        {view.planId ? <span className="code">{view.planId}</span> : '计划尚未创建'}
        {view.attempt > 1 && ` · 第 ${view.attempt} 个计划`}
      </p>
      <ol>
        {view.steps.map((step) => (
          <Row key={step.key} step={step} />
        ))}
      </ol>
    </aside>
  );
}
