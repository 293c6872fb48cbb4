import { CheckOutlined, CopyOutlined } from '@ant-design/icons';
import { type MouseEvent, useState } from 'react';
import { copyText } from './clipboard.ts';

const SHOWN = 1200;

/** Small button that copies a text; appears with the mouse over what it stands beside, or by keyboard. */
export function Copy({ text, label = '复制' }: { text: string; label?: string }) {
  const [done, setDone] = useState(false);
  const copy = async (event: MouseEvent) => {
    event.stopPropagation();
    if (!(await copyText(text))) return;
    setDone(true);
    setTimeout(() => setDone(false), SHOWN);
  };
  return (
    <button
      type="button"
      className="copy"
      tabIndex={-1}
      aria-label={`${label} ${text}`}
      onClick={(event) => void copy(event)}
    >
      {done ? <CheckOutlined className="success" /> : <CopyOutlined />}
    </button>
  );
}
