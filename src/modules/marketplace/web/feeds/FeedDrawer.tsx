import { CheckCircleFilled, MinusCircleOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { Allowed } from '#kit/web/Allowed.tsx';
import { download, useCall, useSend } from '#kit/web/api/index.ts';
import { State, When } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import {
  cancelFeed,
  countFeeds,
  type FeedDetail,
  FeedMessage,
  FeedStatus,
  feedDetail,
  feedDocument,
  hurryFeed,
  listFeeds,
  MessageState,
  retryFeed,
} from '../../contract/feeds.ts';
import '../store/store.css';
import '../upload/upload.css';

const EVERY = 3_000;

function Steps({ feed }: { feed: FeedDetail }) {
  return (
    <ul className="upload-timeline">
      {feed.steps.map((step) => (
        <li key={step.title}>
          {step.done ? <CheckCircleFilled className="success" /> : <MinusCircleOutlined className="text3" />}
          <span>
            {step.title} {step.at && <When at={step.at} />}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Facts({ feed }: { feed: FeedDetail }) {
  const { accepted, refused, messages, nextAt, attempts } = feed;
  return (
    <dl className="account-facts">
      <dt>提交类型</dt>
      <dd className="code">{feed.feedType}</dd>
      <dt>提交编号</dt>
      <dd className="code">{feed.feedId ?? '—'}</dd>
      <dt>结果</dt>
      <dd className="num">
        {messages} 条{accepted !== null && `，已接受 ${accepted}`}
        {refused !== null && refused > 0 && <span className="danger">，被拒绝 {refused}</span>}
      </dd>
      <dt>操作人</dt>
      <dd>{feed.createdBy || '—'}</dd>
      {nextAt && (
        <>
          <dt>{feed.may.hurry ? '预计提交' : '下一步'}</dt>
          <dd>
            <When at={nextAt} />
            {attempts > 1 && `（已查询 ${attempts} 次）`}
          </dd>
        </>
      )}
    </dl>
  );
}

function Documents({ feed }: { feed: FeedDetail }) {
  const get = (which: 'sent' | 'result') => void download(feedDocument, { params: { id: feed.id, which } });
  if (!feed.documents.sent) return null;
  return (
    <p>
      <Button size="small" onClick={() => get('sent')}>
        下载提交文件
      </Button>{' '}
      {feed.documents.result && (
        <Button size="small" onClick={() => get('result')}>
          下载处理报告
        </Button>
      )}
    </p>
  );
}

function Actions({ feed, onOpen }: { feed: FeedDetail; onOpen: (id: string) => void }) {
  const refreshes = [feedDetail, listFeeds, countFeeds];
  const cancel = useSend(cancelFeed, { refreshes, onSuccess: () => notice.success('已撤销') });
  const hurry = useSend(hurryFeed, { refreshes, onSuccess: () => notice.success('正在提交') });
  const retry = useSend(retryFeed, {
    refreshes,
    onSuccess: ({ id, messages }) => {
      notice.success(`已重新提交 ${messages} 条`);
      onOpen(id);
    },
  });
  const params = { id: feed.id };
  return (
    <Allowed code="amz:feed:run">
      {feed.may.cancel && (
        <Button loading={cancel.isPending} onClick={() => cancel.mutate({ params })}>
          撤销
        </Button>
      )}
      {feed.may.hurry && (
        <Button type="primary" loading={hurry.isPending} onClick={() => hurry.mutate({ params })}>
          立即提交
        </Button>
      )}
      {feed.may.retry && (
        <Button type="primary" loading={retry.isPending} onClick={() => retry.mutate({ params })}>
          重试未成功的
        </Button>
      )}
    </Allowed>
  );
}

interface Props {
  id: string | undefined;
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** One submission: where it stands, what was sent, and the answer to each message. */
export function FeedDrawer({ id, onOpen, onClose }: Props) {
  const { data, error, refetch } = useCall(
    feedDetail,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, every: EVERY, staleTime: 0 },
  );
  const feed = id === undefined ? undefined : data;
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={
        feed && (
          <>
            {feed.title} <State value={feed.status} states={FeedStatus.meta()?.states} />
          </>
        )
      }
      subtitle={feed && `${feed.store} · ${feed.country}`}
      actions={feed && <Actions feed={feed} onOpen={onOpen} />}
    >
      {error && !feed && <ErrorState error={error} onRetry={() => void refetch()} />}
      {feed && (
        <div className="drawer-pad">
          {feed.error && <p className="note is-danger">{feed.error}</p>}
          <Steps feed={feed} />
          <section className="account-section">
            <Facts feed={feed} />
            <Documents feed={feed} />
          </section>
          <section className="account-section">
            <LineTable
              label="每条修改的结果"
              row={FeedMessage}
              rows={feed.lines}
              none="没有内容"
              columns={{
                state: { render: (line) => <State value={line.state} states={MessageState.meta()?.states} /> },
              }}
            />
          </section>
        </div>
      )}
    </DetailDrawer>
  );
}
