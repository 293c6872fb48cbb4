import { Button, Input } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { State } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { useDirty } from '#kit/web/tabs/scope.ts';
import {
  type AsideDetail,
  AsideState,
  asideDetail,
  countAside,
  listAside,
  retryAside,
} from '../../contract/quarantine.ts';

interface CellsProps {
  row: AsideDetail;
  values: readonly string[];
  onChange: ((at: number, value: string) => void) | undefined;
}

/** The cells of a line by header; what differs from the file is marked. */
function Cells({ row, values, onChange }: CellsProps) {
  return (
    <table className="account-table">
      <thead>
        <tr>
          <th style={{ width: '34%' }}>列</th>
          <th>内容</th>
        </tr>
      </thead>
      <tbody>
        {row.cells.map((cell) => (
          <tr key={cell.at}>
            <td className="code">{cell.header}</td>
            <td>
              {onChange ? (
                <Input
                  size="small"
                  aria-label={cell.header}
                  value={values[cell.at] ?? ''}
                  status={values[cell.at] === cell.original ? '' : 'warning'}
                  onChange={(event) => onChange(cell.at, event.target.value)}
                />
              ) : (
                cell.value
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Content({ row, onDone }: { row: AsideDetail; onDone: () => void }) {
  const [values, setValues] = useState(() => row.cells.map((cell) => cell.value));
  const may = useAllowed('amz:quarantine:edit');
  const editable = may && row.state === 'open' && row.cells.length > 0;
  useDirty(editable && values.some((value, at) => value !== row.cells[at]?.value));
  const send = useSend(retryAside, {
    refreshes: [listAside, countAside, asideDetail],
    onSuccess: ({ state, reason }) => {
      if (state !== 'fixed') return notice.error(`仍然无法入库：${reason}`);
      notice.success('该行已入库');
      onDone();
    },
  });
  const change = (at: number, value: string) => setValues(values.map((old, place) => (place === at ? value : old)));
  return (
    <div className="drawer-pad">
      <p className={`note ${row.state === 'open' ? 'is-danger' : 'is-info'}`}>{row.reason}</p>
      {row.note && <p className="text2">说明：{row.note}</p>}
      {row.answer !== null && (
        <section className="account-section">
          <h3>接口返回</h3>
          <pre className="sync-raw">{row.answer}</pre>
          <p className="text3">接口数据不能在此修改：在「同步监控」回补该数据流，读到正确的内容后自动移出隔离区。</p>
        </section>
      )}
      {row.cells.length > 0 && (
        <section className="account-section">
          <h3>
            {row.fileName} 第 {row.lineNo} 行
          </h3>
          <Cells row={row} values={values} onChange={editable ? change : undefined} />
        </section>
      )}
      {editable && (
        <Allowed code="amz:quarantine:edit">
          <div className="account-section account-actions">
            <Button
              type="primary"
              loading={send.isPending}
              onClick={() => send.mutate({ params: { id: row.id }, body: { cells: values } })}
            >
              保存并重试
            </Button>
            <span className="text3">原文件不变；修正会一直作用于该文件，重新解析时同样生效。</span>
          </div>
        </Allowed>
      )}
    </div>
  );
}

/** One row of the quarantine: why it is there, what came, and how to put it right. */
export function LineDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { data, error, refetch } = useCall(
    asideDetail,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, staleTime: 0 },
  );
  const row = id === undefined || data?.id !== id ? undefined : data;
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={
        row && (
          <>
            {row.source} <State value={row.state} states={AsideState.meta()?.states} />
          </>
        )
      }
      subtitle={row?.store}
    >
      {error && !row && <ErrorState error={error} onRetry={() => void refetch()} />}
      {row && <Content key={row.id} row={row} onDone={onClose} />}
    </DetailDrawer>
  );
}
