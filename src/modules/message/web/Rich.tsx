import { createElement, Fragment, type ReactNode, useMemo } from 'react';

const TAGS = new Set('p br h2 h3 h4 strong b em i u s code pre blockquote ul ol li hr span'.split(' '));
const SAFE_LINK = /^(https?:|mailto:)/i;

function nodesOf(parent: Node): ReactNode[] {
  return [...parent.childNodes].map((node, index) => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent;
    if (!(node instanceof Element)) return null;
    const tag = node.tagName.toLowerCase();
    const key = `${tag}${index}`;
    if (tag === 'br' || tag === 'hr') return createElement(tag, { key });
    const children = nodesOf(node);
    if (tag === 'a') {
      const href = node.getAttribute('href') ?? '';
      if (!SAFE_LINK.test(href)) return <Fragment key={key}>{children}</Fragment>;
      return (
        <a key={key} className="link" href={href} target="_blank" rel="noopener noreferrer">
          {children}
        </a>
      );
    }
    return TAGS.has(tag) ? createElement(tag, { key }, ...children) : <Fragment key={key}>{children}</Fragment>;
  });
}

/**
 * HTML of a message as elements of the page. The server has sanitised it; here only known tags become elements, so
 * that nothing else could act even if it came through.
 */
export function Rich({ html }: { html: string }) {
  const nodes = useMemo(() => nodesOf(new DOMParser().parseFromString(html, 'text/html').body), [html]);
  return <div className="message-rich">{nodes}</div>;
}
