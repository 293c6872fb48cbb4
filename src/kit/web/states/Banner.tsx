import { CloseOutlined, WarningFilled } from '@ant-design/icons';
import { type ReactNode, useState } from 'react';

/** 36 px line over a page: a source is behind; names data and time. */
export function Banner({ children }: { children: ReactNode }) {
  const [closed, setClosed] = useState(false);
  if (closed) return null;
  return (
    <div className="banner" role="status">
      <WarningFilled />
      <span>{children}</span>
      <span className="spring" />
      <button type="button" className="icon-button is-small" aria-label="关闭提示" onClick={() => setClosed(true)}>
        <CloseOutlined />
      </button>
    </div>
  );
}
