import { LeftOutlined } from '@ant-design/icons';
import { type ReactNode, useEffect } from 'react';
import { loseSession, useSession } from '../session.ts';
import './phone.css';

interface Props {
  title: string;
  onBack: () => void;
  /** `<main>`, with `<nav className="phone-tabs">` before it and `<footer className="phone-acts">` behind it where there are any. */
  children: ReactNode;
}

/** A page for phones: one column outside the frame, for whoever is logged in. Its route is `public`, which leaves the frame out. */
export function PhonePage({ title, onBack, children }: Props) {
  const session = useSession();
  useEffect(() => {
    if (session === null) loseSession();
  }, [session]);
  if (session === null) return null;
  return (
    <div className="phone-page">
      <header>
        <button type="button" aria-label="返回" onClick={onBack}>
          <LeftOutlined />
        </button>
        <h1>{title}</h1>
      </header>
      {children}
    </div>
  );
}
