import { Copy } from '#kit/web/cells/index.ts';
import './call.css';

/** What went to or came from the marketplace, with a button that copies it; nothing where there is none. */
export function JsonBlock({ title, text }: { title: string; text: string | null }) {
  if (text === null) return null;
  return (
    <section className="account-section">
      <h3>
        {title} <Copy text={text} label={`复制${title}`} />
      </h3>
      {/* Scrolls of itself: reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled text has to be reachable */}
      <pre className="call-body code" tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}
