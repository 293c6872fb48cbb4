import { CheckOutlined, ClockCircleOutlined, CommentOutlined, SendOutlined, WarningFilled } from '@ant-design/icons';
import { Input } from 'antd';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { Disc } from '../cells/Person.tsx';
import { When } from '../cells/Time.tsx';

/** One entry of a document's history, newest first. */
export interface StreamEvent {
  id: string;
  kind: 'waiting' | 'done' | 'comment' | 'note';
  who?: string | null;
  /** What was done: 「提交审核」. */
  title: string;
  at?: string | null;
  /** Instead of the time: 「截止 18:00」. */
  due?: string;
  text?: ReactNode;
  /** A rule that was hit, explained. */
  warning?: string;
}

interface Props {
  title?: string;
  events: readonly StreamEvent[] | undefined;
  /** Writes a comment; without it there is no box. */
  onComment?: (text: string) => Promise<unknown>;
}

const marks: Record<StreamEvent['kind'], ReactNode> = {
  waiting: <ClockCircleOutlined />,
  done: <CheckOutlined />,
  comment: <CommentOutlined />,
  note: null,
};

function Entry({ event }: { event: StreamEvent }) {
  return (
    <li className={`stream-entry is-${event.kind}`}>
      <span className="stream-mark" aria-hidden="true">
        {marks[event.kind]}
      </span>
      <div className="stream-body">
        <div className="stream-line">
          {event.who && <Disc name={event.who} size={18} />}
          {event.who && <b>{event.who}</b>}
          <span className="text2 ellipsis">{event.title}</span>
          <span className="spring" />
          <span className="label">{event.due ?? (event.at ? <When at={event.at} /> : null)}</span>
        </div>
        {event.text && <div className="stream-text">{event.text}</div>}
        {event.warning && (
          <div className="note is-warning">
            <WarningFilled />
            {event.warning}
          </div>
        )}
      </div>
    </li>
  );
}

function CommentBox({ onComment }: { onComment: (text: string) => Promise<unknown> }) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const send = async () => {
    if (!text.trim() || busy) return;
    setBusy(true);
    try {
      await onComment(text.trim());
      setText('');
    } catch {
      // The client has said why; the text stays.
    } finally {
      setBusy(false);
    }
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      // Ctrl+Enter in this box sends the comment, not the document.
      event.stopPropagation();
      void send();
    }
  };
  return (
    <div className="comment-box">
      <Input.TextArea
        autoSize={{ minRows: 1, maxRows: 5 }}
        placeholder="写评论"
        aria-label="写评论"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKey}
      />
      <button
        type="button"
        className="icon-button is-small is-accent"
        aria-label="发送评论"
        disabled={busy || !text.trim()}
        onClick={() => void send()}
      >
        <SendOutlined />
      </button>
    </div>
  );
}

/** Approvals, changes and comments of a document in one stream. */
export function Stream({ title = '审批与动态', events, onComment }: Props) {
  return (
    <aside className="stream" aria-label={title}>
      <header>{title}</header>
      <ul>
        {events?.map((event) => (
          <Entry key={event.id} event={event} />
        ))}
        {events?.length === 0 && <li className="label">还没有动态</li>}
      </ul>
      {onComment && <CommentBox onComment={onComment} />}
    </aside>
  );
}
