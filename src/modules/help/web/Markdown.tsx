import { marked, type Token, type Tokens } from 'marked';
import { createElement, type ReactNode, useMemo } from 'react';
import { Marked, sequence } from './Marked.tsx';

interface Props {
  text: string;
  /** Words that are marked wherever they stand. */
  search: string;
  /** Follows a link to another page of the guide ("orders" or "orders#columns"). */
  onPage: (id: string) => void;
}

type Draw = Pick<Props, 'search' | 'onPage'>;

/** Tokens carry entities; the guide uses none but these. */
function plain(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');
}

function Link({ href, children, onPage }: { href: string; children: ReactNode } & Pick<Props, 'onPage'>) {
  if (/^[\w-]+$/.test(href)) {
    return (
      <button type="button" className="link" onClick={() => onPage(href)}>
        {children}
      </button>
    );
  }
  return (
    <a
      className="link"
      href={/^(https:\/\/|\/)/.test(href) ? href : undefined}
      target="_blank"
      rel="noopener noreferrer"
    >
      {children}
    </a>
  );
}

function word(token: Token, draw: Draw): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens, draw)}</strong>;
    case 'em':
      return <em>{inline(token.tokens, draw)}</em>;
    case 'codespan':
      return <code>{plain(token.text)}</code>;
    case 'br':
      return <br />;
    case 'link':
      return (
        <Link href={token.href} onPage={draw.onPage}>
          {inline(token.tokens, draw)}
        </Link>
      );
    default:
      if (token.type === 'text' && token.tokens) return inline(token.tokens, draw);
      return <Marked text={plain('text' in token ? String(token.text) : token.raw)} search={draw.search} />;
  }
}

function inline(tokens: readonly Token[] | undefined, draw: Draw): ReactNode {
  return sequence((tokens ?? []).map((token) => word(token, draw)));
}

function table(token: Tokens.Table, draw: Draw): ReactNode {
  return (
    <div className="help-table">
      <table>
        <thead>
          <tr>
            {sequence(token.header.map((cell) => createElement('th', { scope: 'col' }, inline(cell.tokens, draw))))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row) => (
            <tr key={row.map((cell) => cell.text).join(' ')}>
              {sequence(row.map((cell) => createElement('td', null, inline(cell.tokens, draw))))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function list(token: Tokens.List, draw: Draw): ReactNode {
  const items = sequence(token.items.map((item) => createElement('li', null, blocks(item.tokens, draw))));
  return token.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
}

/** An HTML token stands as the text that it is: the guide is written without HTML. */
function block(token: Token, draw: Draw): ReactNode {
  switch (token.type) {
    case 'space':
      return null;
    case 'heading':
      return createElement(`h${Math.min(4, token.depth)}`, null, inline(token.tokens, draw));
    case 'paragraph':
      return <p>{inline(token.tokens, draw)}</p>;
    case 'list':
      return list(token as Tokens.List, draw);
    case 'table':
      return table(token as Tokens.Table, draw);
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [], draw)}</blockquote>;
    case 'code':
      return <pre>{token.text}</pre>;
    case 'hr':
      return <hr />;
    default:
      return inline([token], draw);
  }
}

function blocks(tokens: readonly Token[], draw: Draw): ReactNode {
  return sequence(tokens.map((token) => block(token, draw)));
}

/** Markdown as elements, without a way for markup of its own. */
export function Markdown({ text, search, onPage }: Props) {
  const tokens = useMemo(() => marked.lexer(text), [text]);
  return <>{blocks(tokens, { search, onPage })}</>;
}
