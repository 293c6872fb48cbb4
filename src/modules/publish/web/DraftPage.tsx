import { LeftOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { metaOf } from '#kit/contract/columns.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { ApiError, cacheKey, call, messageOf, queryClient, useCall, uuid } from '#kit/web/api/index.ts';
import { StoreName, Tag } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useDirty, useTab } from '#kit/web/tabs/scope.ts';
import {
  AttributeChange,
  type Clash,
  cancelDraft,
  countDrafts,
  type DraftDetail,
  DraftState,
  DraftVersion,
  draftDetail,
  EDIT,
  listDrafts,
  rebaseDraft,
  restoreVersion,
  submitDraft,
  validateDraft,
} from '../contract/draft.ts';
import { ClashDialog } from './ClashDialog.tsx';
import { CopyDialog } from './CopyDialog.tsx';
import { DraftForm } from './form/DraftForm.tsx';
import { FORM_PATH } from './paths.ts';
import { useDraft } from './use-draft.ts';

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

async function refreshDrafts(): Promise<void> {
  await Promise.all(
    [draftDetail, listDrafts, countDrafts].map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })),
  );
}

type View = 'form' | 'diff' | 'versions';

function clashesIn(error: unknown): Clash[] | undefined {
  const data = error instanceof ApiError && error.code === 409 ? error.data : undefined;
  return (data as { clashes?: Clash[] } | null | undefined)?.clashes;
}

function Page({ detail }: { detail: DraftDetail }) {
  const tab = useTab();
  const draft = useDraft(detail);
  const [view, setView] = useState<View>('form');
  const [busy, setBusy] = useState('');
  const [clashes, setClashes] = useState<Clash[]>();
  const [copying, setCopying] = useState(false);
  useDirty(draft.dirty);
  const { id, may } = detail;

  /** Saves first what was typed, then takes the step. */
  const take = async (name: string, step: (version: number) => Promise<string>): Promise<void> => {
    if (busy !== '') return;
    setBusy(name);
    try {
      const version = await draft.save();
      notice.success(await step(version));
      await refreshDrafts();
    } catch (error) {
      const found = clashesIn(error);
      if (found) setClashes(found);
      else if (error instanceof ApiError) notice.error(messageOf(error));
      await refreshDrafts();
    } finally {
      setBusy('');
    }
  };
  const send = { quiet: true, idempotencyKey: uuid() };
  const save = () => take('save', async () => '草稿已保存');
  const judge = () =>
    take('judge', async (version) => {
      const { errors, version: judged } = await call(validateDraft, { body: { id, version } }, send);
      draft.owns(judged);
      return errors === 0 ? '预校验通过' : `预校验未通过：${errors} 个错误，请按提示修改`;
    });
  const submit = () =>
    take('submit', async (version) => {
      await call(submitDraft, { body: { id, version } }, send);
      return '已提交，亚马逊显示后生效';
    });
  const cancel = () =>
    take('cancel', async (version) => {
      await call(cancelDraft, { body: { id, version } }, send);
      return '已取消';
    });
  const merge = (sides: Record<string, 'theirs' | 'mine'>) =>
    take('merge', async (version) => {
      await call(rebaseDraft, { body: { id, version, take: sides } }, send);
      setClashes(undefined);
      return '已合并，请核对后再提交';
    });
  const restore = (number: number) =>
    take('restore', async () => {
      const saved = await call(restoreVersion, { body: { id, number } }, send);
      tab.open(FORM_PATH, { title: `${detail.sellerSku} 还原`, query: { id: saved.id } });
      return `已按版本 ${number} 建立草稿`;
    });
  // One step at a time: while one is taken, or what it changed is read again, the others show that they wait.
  const button = (name: string, possible = true) => ({
    loading: busy === name,
    disabled: !possible || (busy !== '' && busy !== name),
  });
  const state = metaOf(DraftState).states?.[detail.state];
  const views: { key: View; title: string; count?: number }[] = [
    { key: 'form', title: '商品信息' },
    { key: 'diff', title: '修改对比', count: detail.diff.length },
    { key: 'versions', title: '版本', count: detail.versions.length },
  ];
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1 className="code">{detail.sellerSku}</h1>
        {state && <Tag tone={state.tone} title={state.title} />}
        <span className="divider" />
        <span className="document-subject ellipsis">
          <StoreName store={detail.store} /> · {detail.productType} · {detail.product.name || '新商品'}
          {detail.problem && ` · ${detail.problem}`}
        </span>
        <span className="spring" />
        <Allowed code={EDIT}>
          <Button size="small" onClick={() => setCopying(true)}>
            复制到其他站点
          </Button>
        </Allowed>
      </div>
      <div className="document-tabs" role="tablist">
        {views.map(({ key, title, count }) => (
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
        {view === 'versions' && (
          <LineTable
            row={DraftVersion}
            rows={detail.versions}
            rowId={({ number }) => String(number)}
            label="版本"
            none="提交后开始记录版本"
            columns={{
              number: {
                width: 170,
                render: ({ number }) => (
                  <>
                    {number}
                    {may.restore && number !== detail.versions[0]?.number && (
                      <Button type="link" size="small" onClick={() => void restore(number)}>
                        还原到此版本
                      </Button>
                    )}
                  </>
                ),
              },
            }}
          />
        )}
      </div>
      {(may.edit || may.cancel) && (
        <footer className="action-bar">
          {may.cancel && (
            <Button danger {...button('cancel')} onClick={() => void cancel()}>
              取消刊登
            </Button>
          )}
          <span className="spring" />
          {may.edit && (
            <>
              <Button data-save {...button('save', draft.dirty)} onClick={() => void save()}>
                保存草稿
              </Button>
              <Button {...button('judge')} onClick={() => void judge()}>
                预校验
              </Button>
            </>
          )}
          {may.submit && (
            <Button type="primary" {...button('submit')} onClick={() => void submit()}>
              提交
            </Button>
          )}
        </footer>
      )}
      {copying && <CopyDialog id={id} onClose={() => setCopying(false)} />}
      {clashes && (
        <ClashDialog
          clashes={clashes}
          busy={busy === 'merge'}
          onMerge={(sides) => void merge(sides)}
          onClose={() => setClashes(undefined)}
        />
      )}
    </div>
  );
}
