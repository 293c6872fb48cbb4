import { call } from '#kit/web/api/index.ts';
import { Money, Tag } from '#kit/web/cells/index.ts';
import { FactColumns, Facts, Stream } from '#kit/web/document/index.ts';
import { comment } from '../contract/desk.ts';
import { InstanceState, type InstanceView } from '../contract/instance.ts';
import { refreshApprovals } from './acts.ts';
import { Path } from './Path.tsx';
import './approval.css';

/** State of an approval as a tag. */
export function StateTag({ state }: Pick<InstanceView, 'state'>) {
  const meta = InstanceState.meta()?.states?.[state];
  return meta ? <Tag tone={meta.tone} title={meta.title} /> : null;
}

function facts(view: InstanceView) {
  const { amount, currency, amountBase, base } = view;
  const money =
    amount === null
      ? []
      : [
          {
            label: '金额',
            strong: true,
            value: (
              <>
                <Money amount={amount} currency={currency ?? base} />
                {amountBase !== null && currency !== base && (
                  <span className="label">
                    {' '}
                    折 <Money amount={amountBase} currency={base} />
                  </span>
                )}
              </>
            ),
          },
        ];
  return [...money, ...view.facts];
}

/** The log of an approval as a stream; comments go into it. */
export function ApprovalStream({ view }: { view: InstanceView }) {
  return (
    <Stream
      title="审批记录"
      events={view.log.map((entry) => ({
        id: entry.id,
        kind: entry.action === 'comment' ? 'comment' : entry.action === 'nobody' ? 'note' : 'done',
        who: entry.actorName,
        title: [entry.title, entry.node, entry.principalName && `代 ${entry.principalName}`]
          .filter(Boolean)
          .join(' · '),
        at: entry.at,
        text: [entry.comment, entry.detail].filter(Boolean).join('；'),
      }))}
      onComment={async (text) => {
        await call(comment, { body: { instanceId: view.id, comment: text } });
        await refreshApprovals();
      }}
    />
  );
}

/** An approval: what it is about, what changed since the last time, its way and what was said. */
export function ApprovalView({ view }: { view: InstanceView }) {
  return (
    <div className="approval-view">
      <p className="approval-summary">{view.summary}</p>
      {view.changes.length > 0 && (
        <ul className="approval-changes" aria-label="与上次提交的差异">
          {view.changes.map(({ label, before, after }) => (
            <li key={label}>
              {label}：<del>{before || '—'}</del> → <b>{after || '—'}</b>
            </li>
          ))}
        </ul>
      )}
      <FactColumns>
        <Facts title="单据摘要" facts={facts(view)} />
        <Facts
          title="审批信息"
          facts={[
            { label: '发起人', value: view.initiatorName },
            { label: '流程', value: view.flowNo === null ? view.flowName : `${view.flowName} 第${view.flowNo}版` },
            { label: '提交次数', value: String(view.submission) },
          ]}
        />
      </FactColumns>
      <h2 className="approval-title">审批路径</h2>
      <Path steps={view.path} />
      <ApprovalStream view={view} />
    </div>
  );
}
