import type { ReactNode } from 'react';

interface Props {
  mark: string;
  title: string;
  text: string;
  children?: ReactNode;
}

/** A whole page that says one thing: what happened, and what to do now. */
export function MessageScreen({ mark, title, text, children }: Props) {
  return (
    <div className="message-screen" role="alert">
      <div className="message-screen-mark">{mark}</div>
      <h1>{title}</h1>
      <p>{text}</p>
      <div className="message-screen-actions">{children}</div>
    </div>
  );
}
