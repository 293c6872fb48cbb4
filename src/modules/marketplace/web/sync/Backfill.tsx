import { Button, DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useSend } from '#kit/web/api/index.ts';
import { ProgressBar, State } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import {
  BackfillRow,
  backfillStream,
  cancelBackfill,
  type StreamDetail,
  streamDetail,
} from '../../contract/sync-matrix.ts';
import { minutesText } from '../store/health.ts';

const STATES = BackfillRow.shape.state.meta()?.states;
const DAY = 'YYYY-MM-DD';

function Progress({ row }: { row: BackfillRow }) {
  const cancel = useSend(cancelBackfill, { refreshes: [streamDetail] });
  const [from, to, done] = [row.from, row.to, row.readDownTo].map((at) => Date.parse(at)) as [number, number, number];
  const percent = ((to - done) / (to - from)) * 100;
  return (
    <div className="account-backfill">
      <div>
        <span>
          {row.from.slice(0, 10)} 至 {row.to.slice(0, 10)} {row.country} <State value={row.state} states={STATES} />
        </span>
        <span className="num">{percent.toFixed(0)}%</span>
      </div>
      <ProgressBar bare percent={percent} />
      <div className="text3">
        <span className="num">
          已读 {formatInteger(row.rows)} 行 · {row.byName}
          {row.error && <span className="danger"> {row.error}</span>}
        </span>
        {row.state === 'running' && (
          <span>
            {row.etaMin !== null && `预计 ${minutesText(row.etaMin)}后完成 `}
            <Allowed code="amz:sync:config">
              <button type="button" className="link" onClick={() => cancel.mutate({ body: { id: row.id } })}>
                取消
              </button>
            </Allowed>
          </span>
        )}
      </div>
    </div>
  );
}

function Ask({ detail, days }: { detail: StreamDetail; days: number }) {
  const [from, setFrom] = useState<Dayjs>(dayjs().subtract(Math.min(days, 30), 'day'));
  const send = useSend(backfillStream, {
    refreshes: [streamDetail],
    onSuccess: ({ message }) => notice.success(message),
  });
  const { authid, stream } = detail;
  return (
    <div className="sync-back">
      <DatePicker
        size="small"
        allowClear={false}
        aria-label="回补开始日期"
        value={from}
        minDate={dayjs().subtract(days, 'day')}
        maxDate={dayjs()}
        onChange={(day) => day && setFrom(day)}
      />
      <span className="text2">起至今</span>
      <Button
        size="small"
        loading={send.isPending}
        onClick={() => send.mutate({ body: { authid, stream, from: from.format(DAY) } })}
      >
        开始回补
      </Button>
    </div>
  );
}

/** 回补: what of the past is being read again, and the day from which to read more. */
export function Backfill({ detail }: { detail: StreamDetail }) {
  const { backfillDays: days } = detail;
  return (
    <section className="account-section">
      <h3>回补</h3>
      {days === null ? (
        <p className="text3">该数据流只反映当前状态，没有历史可回补。</p>
      ) : (
        <>
          {detail.backfills.map((row) => (
            <Progress key={row.id} row={row} />
          ))}
          <Allowed code="amz:sync:config">
            <Ask detail={detail} days={days} />
          </Allowed>
          <p className="text3" style={{ marginTop: 6 }}>
            由新到旧读取，与日常同步同时进行并让出至少 40% 的调用额度；重复读取不会产生重复数据。最多 {days} 天。
          </p>
        </>
      )}
    </section>
  );
}
