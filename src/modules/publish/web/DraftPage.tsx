import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useDirty } from '#kit/web/tabs/scope.ts';
import { AttributeChange, type DraftDetail, DraftVersion, draftDetail } from '../contract/draft.ts';
import { ClashDialog } from './ClashDialog.tsx';
import { CopyDialog } from './CopyDialog.tsx';
import { DraftActions } from './DraftActions.tsx';
import { DraftHead } from './DraftHead.tsx';
import { DraftForm } from './form/DraftForm.tsx';
import { ScheduleDialog } from './many/ScheduleDialog.tsx';
import { useDraft } from './use-draft.ts';
import { type Steps, useSteps } from './use-steps.ts';

/** A submission that is on its way is looked at so often. */
const WATCH_MS = 4_000;

/** The page of one draft: read again by itself while Amazon works on it. */
export function DraftPage({ id }: { id: string }) {
  const [watching, setWatching] = useState(false);
  const { data, error, isError, refetch } = useCall(
    draftDetail,
    { params: { id } },
    { staleTime: 0, every: watching ? WATCH_MS : false, keep: true },
  );
  const isMoving = data?.state === 'queued' || data?.state === 'processing';
  useEffect(() => setWatching(isMoving), [isMoving]);
  if (isError && !data) return <ErrorState error={error} onRetry={() => void refetch()} text="这份草稿没有取到。" />;
  if (!data) return null;
  return <Page key={data.id} detail={data} />;
}

type View = 'form' | 'diff' | 'versions';

function viewsOf({ diff, versions }: DraftDetail): { key: View; title: string; count?: number }[] {
  return [
    { key: 'form', title: '商品信息' },
    { key: 'diff', title: '修改对比', count: diff.length },
    { key: 'versions', title: '版本', count: versions.length },
  ];
}

function Versions({ detail, steps }: { detail: DraftDetail; steps: Steps }) {
  const { may, versions } = detail;
  return (
    <LineTable
      row={DraftVersion}
      rows={versions}
      rowId={({ number }) => String(number)}
      label="版本"
      none="提交后开始记录版本"
      columns={{
        number: {
          width: 170,
          render: ({ number }) => (
            <>
              {number}
              {may.restore && number !== versions[0]?.number && (
                <Button type="link" size="small" onClick={() => void steps.restore(number)}>
                  还原到此版本
                </Button>
              )}
            </>
          ),
        },
      }}
    />
  );
}

function Page({ detail }: { detail: DraftDetail }) {
  const draft = useDraft(detail);
  const steps = useSteps(detail, draft);
  const [view, setView] = useState<View>('form');
  const [copying, setCopying] = useState(false);
  useDirty(draft.dirty);
  const { id, may } = detail;
  return (
    <div className="page-document">
      <DraftHead detail={detail} steps={steps} onCopy={() => setCopying(true)} />
      <div className="document-tabs" role="tablist">
        {viewsOf(detail).map(({ key, title, count }) => (
          <button
            key={key}
            type="button"
            role="tab"
            aria-selected={key === view}
            className={`status-tab${key === view ? ' is-on' : ''}`}
            onClick={() => setView(key)}
          >
            {title}
            {count !== undefined && <span className="num">{count}</span>}
          </button>
        ))}
      </div>
      <div className="document-content">
        {view === 'form' && (
          <DraftForm
            form={detail.form}
            detail={detail}
            attributes={draft.attributes}
            issues={[...draft.check.issues, ...(draft.dirty ? [] : detail.issues)]}
            required={draft.check.required}
            excluded={draft.check.excluded}
            disabled={!may.edit}
            onChange={draft.put}
          />
        )}
        {view === 'diff' && (
          <div className="publish-diff">
            <LineTable
              row={AttributeChange}
              rows={detail.diff}
              rowId={({ attribute }) => attribute}
              label="修改对比"
              none="没有修改任何属性；保存草稿后对比会更新"
            />
          </div>
        )}
        {view === 'versions' && <Versions detail={detail} steps={steps} />}
      </div>
      <DraftActions may={may} dirty={draft.dirty} steps={steps} />
      {copying && <CopyDialog id={id} onClose={() => setCopying(false)} />}
      {steps.planning && (
        <ScheduleDialog
          at={detail.submitAt}
          busy={steps.busy === 'schedule'}
          onPlan={(at) => void steps.schedule(at)}
          onClose={() => steps.setPlanning(false)}
        />
      )}
      {steps.clashes && (
        <ClashDialog
          clashes={steps.clashes}
          busy={steps.busy === 'merge'}
          onMerge={(sides) => void steps.merge(sides)}
          onClose={steps.forget}
        />
      )}
    </div>
  );
}
