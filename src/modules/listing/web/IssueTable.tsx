import { metaOf } from '#kit/contract/columns.ts';
import { State, Tag, When } from '#kit/web/cells/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { IssueAction, OpenIssue, Severity } from '../contract/issues.ts';

/** Amazon holds the action back for good. */
const FOR_GOOD = '9999';

/** What Amazon does because of an issue; a dash where it does nothing. */
export function Actions({ actions }: { actions: readonly IssueAction[] }) {
  const { states } = metaOf(IssueAction);
  if (actions.length === 0) return '—';
  return actions.map((action) => <State key={action} value={action} states={states} />);
}

/** Until when Amazon holds an action back. */
export function Exempt({ until }: { until: string | null }) {
  if (until === null) return '—';
  return until.startsWith(FOR_GOOD) ? <Tag tone="off" title="长期豁免" /> : <When at={until} />;
}

/** What Amazon finds wrong with a listing, what it does because of it, and what to do. */
export function IssueTable({ issues }: { issues: readonly OpenIssue[] }) {
  return (
    <LineTable
      label="商品问题"
      row={OpenIssue}
      rows={issues}
      rowId={(issue) => issue.id}
      none="亚马逊没有报告问题"
      columns={{
        severity: { render: ({ severity }) => <State value={severity} states={metaOf(Severity).states} /> },
        actions: { render: ({ actions }) => <Actions actions={actions} /> },
        attributes: { render: ({ attributes }) => <span className="code">{attributes.join('、') || '—'}</span> },
        exemptUntil: { render: ({ exemptUntil }) => <Exempt until={exemptUntil} /> },
      }}
    />
  );
}
