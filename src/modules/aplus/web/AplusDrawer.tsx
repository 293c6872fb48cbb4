import { Button } from 'antd';
import { useState } from 'react';
import { metaOf } from '#kit/contract/columns.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Picture, State, StoreName } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import {
  AplusAsin,
  type AplusDetail,
  AplusIssue,
  AplusRecord,
  AplusState,
  aplusDetail,
  aplusRecords,
} from '../contract/documents.ts';
import { FORM_PATH } from './paths.ts';
import { Preview } from './preview/Preview.tsx';

/** Which documents one ASIN shows now: asked of Amazon on a click, because each call counts. */
function Records({ id, asin }: { id: string; asin: string }) {
  const { data, isError, error, refetch } = useCall(aplusRecords, { body: { id, asin } }, { staleTime: 60_000 });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <LineTable
      row={AplusRecord}
      rows={data}
      rowId={({ contentKey }) => contentKey}
      label={`${asin} 的发布记录`}
      none={data ? '这个 ASIN 没有显示任何 A+ 内容' : '正在向亚马逊查询…'}
    />
  );
}

function Asins({ detail }: { detail: AplusDetail }) {
  const [asked, setAsked] = useState<string>();
  return (
    <>
      <LineTable
        row={AplusAsin}
        rows={detail.related}
        rowId={({ asin }) => asin}
        label="关联的ASIN"
        none="还没有关联 ASIN"
        columns={{
          title: {
            render: ({ title, image }) => (
              <>
                <Picture src={image} size={28} /> {title}
              </>
            ),
          },
          badge: {
            width: 190,
            render: ({ badge, asin }) => (
              <>
                {badge && <State value={badge} states={metaOf(AplusAsin.shape.badge).states} />}
                <Button type="link" size="small" onClick={() => setAsked(asin)}>
                  发布记录
                </Button>
              </>
            ),
          },
        }}
      />
      {asked !== undefined && <Records id={detail.id} asin={asked} />}
    </>
  );
}

/** One document over the list: how it looks, where it is shown, and what Amazon says of it. */
export function AplusDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const [tab, setTab] = useState('preview');
  const { data, isError, error, refetch } = useCall(
    aplusDetail,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, keep: true, staleTime: 0 },
  );
  const body = () => {
    if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (!data) return null;
    if (tab === 'asins') return <Asins key={data.id} detail={data} />;
    if (tab === 'issues') {
      return <LineTable row={AplusIssue} rows={data.issues} label="问题" none="亚马逊没有报告问题" />;
    }
    const content = data.draft ?? data.live;
    if (!content) return <p className="label">{data.unreadable ?? '还没有读取到内容'}</p>;
    return <Preview modules={content.modules} mediaBase={data.mediaBase} />;
  };
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={data?.name ?? 'A+内容'}
      subtitle={data?.contentKey ?? '本地草稿'}
      tabs={[
        { key: 'preview', title: '预览' },
        { key: 'asins', title: '关联ASIN', ...(data ? { count: data.related.length } : {}) },
        { key: 'issues', title: '问题', ...(data ? { count: data.issues.length } : {}) },
      ]}
      tab={tab}
      onTab={setTab}
      scope={
        data && (
          <>
            <StoreName store={data.store} /> · {data.locale} ·{' '}
            <State value={data.state} states={metaOf(AplusState).states} />
          </>
        )
      }
      {...(data
        ? {
            extra: (
              <TabLink to={FORM_PATH} title={`A+ ${data.name}`} query={{ id: data.id }}>
                编辑
              </TabLink>
            ),
          }
        : {})}
    >
      {body()}
    </DetailDrawer>
  );
}
