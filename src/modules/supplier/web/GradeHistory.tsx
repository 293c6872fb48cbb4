import { LockOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall } from '#kit/web/api/index.ts';
import { ProgressBar, State, Tag } from '#kit/web/cells/index.ts';
import { Stream, type StreamEvent } from '#kit/web/document/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { ChangeSource, type GradeChange, gradeHistory, ScoreState } from '../contract/grading.ts';
import { GRADE } from '../contract.ts';
import { LockDialog } from './LockDialog.tsx';

/** What the grades mean, by colour. */
export const TONES = { A: 'done', B: 'running', C: 'waiting', D: 'trouble' } as const;

function eventOf({ id, at, by, from, to, source, reason }: GradeChange): StreamEvent {
  const title = `${from} → ${to} · ${ChangeSource.meta()?.states?.[source]?.title}`;
  return { id, kind: source === 'manual' ? 'comment' : 'done', who: by, title, at, text: reason };
}

/** The totals of the last quarters, the grade's changes, and its lock. */
export function GradeHistory({ id, name }: { id: string; name: string }) {
  const { data, isError, error, refetch } = useCall(gradeHistory, { body: { id } });
  const [locking, setLocking] = useState(false);
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <span className="skeleton" />;
  return (
    <>
      <div className="supplier-lock">
        <b>当前等级 {data.grade}</b>
        {data.locked && (
          <span className="text2">
            <LockOutlined /> 已锁定{data.lockReason ? `：${data.lockReason}` : ''}
          </span>
        )}
        <span className="spring" />
        <Allowed code={GRADE}>
          <Button size="small" onClick={() => setLocking(true)}>
            {data.locked ? '解锁等级' : '锁定等级'}
          </Button>
        </Allowed>
      </div>
      {data.quarters.length > 0 && (
        <div className="line-table is-dense">
          <table aria-label="季度总分">
            <tbody>
              {data.quarters.map((one) => (
                <tr key={one.quarter}>
                  <td className="code">{one.quarter}</td>
                  <td className="num text3">{one.lines} 行</td>
                  <td style={{ width: 160 }}>
                    {one.total === null ? '不足 5 行' : <ProgressBar percent={Number(one.total)} bare label="总分" />}
                  </td>
                  <td className="is-right num">{one.total ?? '—'}</td>
                  <td>{one.grade && <Tag tone={TONES[one.grade]} title={one.grade} />}</td>
                  <td>
                    <State value={one.state} states={ScoreState.meta()?.states} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Stream title="等级变更" events={data.changes.map(eventOf)} />
      {locking && <LockDialog supplier={{ id, name, locked: data.locked }} onClose={() => setLocking(false)} />}
    </>
  );
}
