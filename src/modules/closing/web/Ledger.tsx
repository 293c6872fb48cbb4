import { CheckCircleFilled, CloseCircleFilled, ExclamationCircleFilled } from '@ant-design/icons';
import { Tag } from '#kit/web/cells/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { type Check, type Ledger, LedgerState } from '../contract/closing.ts';

const STATES = LedgerState.meta()?.states ?? {};

const SIGNS = {
  done: <CheckCircleFilled className="success" aria-label="已完成" />,
  warn: <ExclamationCircleFilled className="warning" aria-label="待处理" />,
  block: <CloseCircleFilled className="danger" aria-label="不能关账" />,
};

function Line({ check: { title, tone, detail, to } }: { check: Check }) {
  return (
    <li>
      {SIGNS[tone]}
      <span>{tone === 'done' ? title : detail}</span>
      {to && (
        <TabLink to={to.path} title={to.title} query={to.query}>
          去处理
        </TabLink>
      )}
    </li>
  );
}

/** How one ledger stands: whether it is closed, what is in order and what is not. */
export function LedgerCard({ ledger: { title, state, screen, checks } }: { ledger: Ledger }) {
  return (
    <section className="closing-ledger" aria-label={title}>
      <h3>
        {title}
        {state !== 'NONE' && <Tag {...(STATES[state] ?? { title: state, tone: 'off' })} />}
        <span className="spring" />
        <TabLink to={screen.path} title={screen.title}>
          {screen.title}
        </TabLink>
      </h3>
      {checks.length === 0 && <p className="label">这个月还没有账</p>}
      <ul>
        {checks.map((check) => (
          <Line key={check.title} check={check} />
        ))}
      </ul>
    </section>
  );
}
