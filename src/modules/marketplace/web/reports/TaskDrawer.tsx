import { CheckCircleFilled, MinusCircleOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { formatInteger } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { download, useCall, useSend } from '#kit/web/api/index.ts';
import { State, When } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { filterFields, filterQuery } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { refreshTasks } from '#kit/web/tasks/use-tasks.ts';
import { AsideFilter } from '../../contract/quarantine.ts';
import {
  cancelReport,
  ReportStatus,
  type ReportTaskDetail,
  reparseReport,
  reportDocument,
  reportTask,
  reportTaskCounts,
  reportTasks,
  retryReport,
} from '../../contract/report-tasks.ts';

const EVERY = 3_000;
const ASIDE_FIELDS = filterFields(AsideFilter);

function Steps({ task }: { task: ReportTaskDetail }) {
  return (
    <ul className="upload-timeline">
      {task.steps.map((step) => (
        <li key={step.title}>
          {step.done ? <CheckCircleFilled className="success" /> : <MinusCircleOutlined className="text3" />}
          <span>
            {step.title} {step.at && <When at={step.at} />} {step.note && <span className="warning">{step.note}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Facts({ task }: { task: ReportTaskDetail }) {
  return (
    <dl className="account-facts">
      <dt>报表类型</dt>
      <dd className="code">{task.reportType}</dd>
      <dt>站点</dt>
      <dd>{task.countries}</dd>
      <dt>数据区间（UTC）</dt>
      <dd className="num">
        {task.dataFrom && task.dataTo
          ? `${task.dataFrom.slice(0, 16).replace('T', ' ')} 至 ${task.dataTo.slice(0, 16).replace('T', ' ')}`
          : '由亚马逊决定'}
      </dd>
      <dt>报表编号</dt>
      <dd className="code">{task.reportId ?? '—'}</dd>
      {task.nextAt && (
        <>
          <dt>下一步</dt>
          <dd>
            <When at={task.nextAt} />
            {task.attempts > 0 && `（已尝试 ${task.attempts} 次）`}
          </dd>
        </>
      )}
    </dl>
  );
}

function Document({ task }: { task: ReportTaskDetail }) {
  const { document } = task;
  if (!document) return null;
  const query = filterQuery(ASIDE_FIELDS, { reason: '', state: ['open'] });
  return (
    <section className="account-section">
      <h3>文件</h3>
      <dl className="account-facts">
        <dt>文件名</dt>
        <dd className="code">{document.fileName}</dd>
        <dt>大小与编码</dt>
        <dd className="num">
          {formatInteger(document.size)} 字节 · {document.charset ?? '未声明'}
        </dd>
        <dt>行数</dt>
        <dd className="num">
          {document.rows === null ? '—' : formatInteger(document.rows)}
          {task.setAside > 0 && (
            <>
              {' '}
              <TabLink to="/amazon/syncQuarantine" title="隔离区" query={query}>
                隔离 {task.setAside} 行
              </TabLink>
            </>
          )}
        </dd>
        <dt>SHA-256</dt>
        <dd className="code">{document.sha256}</dd>
        <dt>原文件</dt>
        <dd>
          {document.isKept ? (
            document.keptUntil ? (
              <>
                保留至 <When at={document.keptUntil} />
              </>
            ) : (
              '长期保留'
            )
          ) : (
            '已过保留期，内容已清除'
          )}
        </dd>
      </dl>
      <Allowed code="amz:report:export">
        <Button
          size="small"
          disabled={!document.isKept}
          onClick={() => void download(reportDocument, { params: { id: document.id } })}
        >
          下载原文件
        </Button>
      </Allowed>
    </section>
  );
}

function Actions({ task }: { task: ReportTaskDetail }) {
  const refreshes = [reportTask, reportTasks, reportTaskCounts];
  const retry = useSend(retryReport, { refreshes, onSuccess: () => notice.success('已重新申请') });
  const cancel = useSend(cancelReport, { refreshes, onSuccess: () => notice.success('已取消') });
  const reparse = useSend(reparseReport, {
    refreshes,
    onSuccess: () => {
      refreshTasks();
      notice.success('已开始重新解析，结果见右上角的任务');
    },
  });
  const params = { id: task.id };
  return (
    <>
      {task.may.cancel && (
        <Allowed code="amz:report:run">
          <Button loading={cancel.isPending} onClick={() => cancel.mutate({ params })}>
            取消
          </Button>
        </Allowed>
      )}
      {task.may.replay && (
        <Allowed code="amz:report:sync">
          <Button loading={reparse.isPending} onClick={() => reparse.mutate({ params })}>
            重新解析
          </Button>
        </Allowed>
      )}
      {task.may.retry && (
        <Allowed code="amz:report:run">
          <Button type="primary" loading={retry.isPending} onClick={() => retry.mutate({ params })}>
            重新申请
          </Button>
        </Allowed>
      )}
    </>
  );
}

/** One report: where it stands, its document, and what can be done with it. */
export function TaskDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { data, error, refetch } = useCall(
    reportTask,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, every: EVERY, staleTime: 0 },
  );
  const task = id === undefined ? undefined : data;
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={
        task && (
          <>
            {task.title} <State value={task.status} states={ReportStatus.meta()?.states} />
          </>
        )
      }
      subtitle={task?.store}
      actions={task && <Actions task={task} />}
    >
      {error && !task && <ErrorState error={error} onRetry={() => void refetch()} />}
      {task && (
        <div className="drawer-pad">
          {task.error && <p className="note is-danger">{task.error}</p>}
          <Steps task={task} />
          <section className="account-section">
            <Facts task={task} />
          </section>
          <Document task={task} />
        </div>
      )}
    </DetailDrawer>
  );
}
