import { Button } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { ProgressBar, State, stampText, When } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import {
  type Change,
  exportOperlog,
  listOperlog,
  OperlogFilter,
  OperlogRow,
  operlogDetail,
  operlogOptions,
  operlogSeal,
  SealState,
} from '../../contract/operlog.ts';
import { useVerify } from '../use-verify.ts';
import '../system.css';

const SEALS = SealState.meta()?.states;

function Side({ text, changed = false }: { text: string | null; changed?: boolean }) {
  if (text === null) return <span className="text3">—</span>;
  return <span className={changed ? 'diff-old is-changed' : ''}>{text}</span>;
}

function Diff({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <p className="text3">这次操作没有记录字段变化。</p>;
  return (
    <table className="diff" aria-label="变更内容">
      <thead>
        <tr>
          <th>字段</th>
          <th>变更前</th>
          <th>变更后</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, title, before, after }) => (
          <tr key={field}>
            <td title={field}>{title}</td>
            <td>
              <Side text={before} changed={before !== null && after !== before} />
            </td>
            <td>
              <Side text={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Detail({ row, onClose }: { row: OperlogRow | undefined; onClose: () => void }) {
  const detail = useCall(operlogDetail, { params: { id: row?.id ?? '' } }, { enabled: row !== undefined });
  const who = row && `${row.actorName ?? '系统'} · ${stampText(row.at)}${row.ip ? ` · ${row.ip}` : ''}`;
  return (
    <DetailDrawer
      open={row !== undefined}
      onClose={onClose}
      title={row && `${row.action} · ${row.resourceTitle}`}
      subtitle={row?.resourceId}
      foot={<span className="label">{detail.data?.sealed ? '已封存，改动会被发现' : '尚未封存，下次校验时封存'}</span>}
    >
      <div style={{ padding: '12px 16px' }}>
        <p className="label" style={{ marginBottom: 10 }}>
          {who}
        </p>
        {detail.isError && <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />}
        {detail.data && <Diff changes={detail.data.changes} />}
      </div>
    </DetailDrawer>
  );
}

/** Whether the log was touched since it was written, and the button that finds out. */
function SealLine() {
  const seal = useCall(operlogSeal, {});
  const verify = useVerify();
  const data = seal.data;
  const fingerprint = data?.fingerprint ? `链尾指纹 ${data.fingerprint}` : undefined;
  return (
    <>
      {data && <State value={data.state} states={SEALS} reason={data.problem ?? fingerprint} />}
      {data?.checkedAt && (
        <span className="label" title={fingerprint}>
          {data.problem ? `${data.problem}${data.auditId ? `（${data.auditId}）` : ''}` : `已封存 ${data.sealed} 条`} ·
          校验于 <When at={data.checkedAt} />
        </span>
      )}
      {verify.running && (
        <span className="seal-progress" title={verify.progress?.detail ?? '排队中'}>
          <ProgressBar percent={verify.progress?.progress ?? 0} label="校验进度" />
        </span>
      )}
      <Button loading={verify.running} onClick={verify.start}>
        校验
      </Button>
    </>
  );
}

/** Most companies have taken in no other one. */
const OWN_LOG = OperlogFilter.omit({ company: true });

/** 操作日志: who did what to which record, and whether anybody touched the log itself. */
export default function Operlog() {
  const [row, setRow] = useState<OperlogRow>();
  const mayExport = useAllowed('sys:log:export');
  const options = useCall(operlogOptions, {}).data;
  return (
    <>
      <ListScreen
        name="system/operlog"
        title="操作日志"
        unit="条"
        endpoint={listOperlog}
        {...(mayExport ? { exportEndpoint: exportOperlog } : {})}
        row={OperlogRow}
        filter={options && options.companies.length > 0 ? OperlogFilter : OWN_LOG}
        options={{ actors: options?.actors, resource: options?.resources, company: options?.companies }}
        density="dense"
        onOpen={setRow}
        current={row?.id}
        actions={(one) => [{ label: '详情', onClick: () => setRow(one) }]}
        actionsWidth={70}
        head={<SealLine />}
      />
      <Detail row={row} onClose={() => setRow(undefined)} />
    </>
  );
}
