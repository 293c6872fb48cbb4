import { useMemo, useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import type { ColumnOverrides, RowAction } from '#kit/web/grid/index.ts';
import { type BatchAction, ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { Exempt, useSiteOptions } from '#modules/listing/web/index.ts';
import {
  countIssues,
  exportIssues,
  IssueFilter,
  IssueRow,
  ignoreListingIssues,
  listIssues,
} from '../../contract/issues.ts';
import { useCareOptions } from '../care.tsx';
import { IgnoreDialog } from '../IgnoreDialog.tsx';
import { DETAIL_PATH } from '../paths.ts';

const COLUMNS: ColumnOverrides<IssueRow> = {
  exemptUntil: { render: (row) => <Exempt until={row.exemptUntil} />, text: (row) => row.exemptUntil ?? '' },
};

/** Listing异常: what Amazon finds wrong with listings, what stops a sale first, and what to do about it. */
export default function Issues() {
  const tab = useTab();
  const sites = useSiteOptions();
  const { people } = useCareOptions();
  const options = useMemo(() => ({ sites, owners: people ?? [] }), [sites, people]);
  const mayEdit = useAllowed('amz:analysis:edit');
  const mayExport = useAllowed('amz:analysis:export');
  const mayMend = useAllowed('amz:listing:edit');
  const [ignoring, setIgnoring] = useState<readonly IssueRow[]>();
  const heed = useSend(ignoreListingIssues, {
    refreshes: [listIssues, countIssues],
    onSuccess: ({ count }) => notice.success(`${count} 个问题重新待处理`),
  });
  const over = (row: IssueRow) => (row.resolvedAt === null ? undefined : '问题已消除');
  const batch: BatchAction<IssueRow>[] = [{ label: '忽略', unfit: over, onClick: setIgnoring }];
  const mend = (row: IssueRow) =>
    tab.open('/amazon/listing/edit/form', { title: row.product.code, query: { listing: row.listingId ?? '' } });
  const actions = (row: IssueRow): RowAction[] => [
    ...(mayMend
      ? [{ label: '去修复', blocked: row.listingId === null ? '商品已不存在' : undefined, onClick: () => mend(row) }]
      : []),
    ...(mayEdit && row.ignoredUntil === null
      ? [{ label: '忽略', blocked: over(row), onClick: () => setIgnoring([row]) }]
      : []),
    ...(mayEdit && row.ignoredUntil !== null
      ? [
          {
            label: '取消忽略',
            blocked: over(row),
            onClick: () => heed.mutate({ body: { ids: [row.id], until: null } }),
          },
        ]
      : []),
  ];
  return (
    <>
      <ListScreen
        name="analysis/issues"
        title="Listing异常"
        unit="个问题"
        endpoint={listIssues}
        {...(mayExport ? { exportEndpoint: exportIssues } : {})}
        row={IssueRow}
        filter={IssueFilter}
        tabs={{ field: 'tab', counts: countIssues, apart: true }}
        defaults={{ tab: 'standing' }}
        options={options}
        columns={COLUMNS}
        actions={actions}
        {...(mayEdit ? { batch } : {})}
        onOpen={(row) =>
          row.listingId !== null && tab.open(DETAIL_PATH, { title: row.product.code, query: { id: row.listingId } })
        }
        empty={
          <Empty
            title="没有商品异常"
            text="亚马逊对在线商品报告的错误、警告与处置会列在这里，消除后自动移到「已消除」。"
          />
        }
      />
      {ignoring && <IgnoreDialog rows={ignoring} onClose={() => setIgnoring(undefined)} />}
    </>
  );
}
