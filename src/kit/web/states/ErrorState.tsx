import { DisconnectOutlined, ExclamationCircleOutlined, ReloadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../api/errors.ts';
import { Copy } from '../cells/Copy.tsx';
import { NoPermission } from './NoPermission.tsx';

interface Props {
  error: unknown;
  onRetry: () => void;
  /** Effect, and what else helps; filters are kept in any case. */
  text?: ReactNode;
  /** A narrower choice, e.g. 「改为近 7 天」. */
  children?: ReactNode;
}

const INVALID = 400;
const FORBIDDEN = 403;

/** Gone wrong, in the place where the data would stand: what happened, what to do, a number to quote. */
export function ErrorState({ error, onRetry, text, children }: Props) {
  if (error instanceof ApiError && error.code === FORBIDDEN) return <NoPermission />;
  const invalid = error instanceof ApiError && error.code === INVALID;
  const traceId = error instanceof ApiError ? error.traceId : undefined;
  return (
    <div className="state" role="alert">
      {invalid ? <ExclamationCircleOutlined className="state-icon" /> : <DisconnectOutlined className="state-icon" />}
      <h2>{messageOf(error)}</h2>
      <p>{text ?? (invalid ? '请修改筛选条件后再查询。' : '筛选条件已保留，可以直接重试。')}</p>
      <div className="state-actions">
        <Button type="primary" icon={<ReloadOutlined />} onClick={onRetry}>
          重试
        </Button>
        {children}
      </div>
      {traceId && (
        <div className="state-trace">
          编号 <span className="code">{traceId}</span>
          <Copy text={traceId} label="复制编号" />
        </div>
      )}
    </div>
  );
}
