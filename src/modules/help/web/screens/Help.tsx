import '../help.css';
import { MoonOutlined, PrinterOutlined, SearchOutlined, SunOutlined } from '@ant-design/icons';
import { Button, Input } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Logo } from '#kit/web/Logo.tsx';
import { toggleTheme, useTheme } from '#kit/web/theme/preference.ts';
import { GuideTree } from '../GuideTree.tsx';
import { Markdown } from '../Markdown.tsx';
import { PAGES, pageAbout } from '../pages.ts';

const FIRST = 'start';

function Head() {
  const theme = useTheme();
  const title = theme === 'light' ? '切换到深色' : '切换到浅色';
  return (
    <header className="help-head">
      <span className="help-logo">
        <Logo />
      </span>
      <strong>帮助文档</strong>
      <span className="spring" />
      <Button icon={<PrinterOutlined />} onClick={() => window.print()}>
        打印本页
      </Button>
      <button type="button" className="icon-button" aria-label={title} onClick={toggleTheme}>
        {theme === 'light' ? <MoonOutlined /> : <SunOutlined />}
      </button>
    </header>
  );
}

/** The user guide: opens at the page about the screen it was called from (`?key=`), or at `?page=`. */
export default function Help() {
  const [query, setQuery] = useSearchParams();
  const [search, setSearch] = useState('');
  const article = useRef<HTMLElement>(null);
  const asked = PAGES.find((one) => one.id === query.get('page')) ?? pageAbout(query.get('key'));
  const page = asked ?? PAGES.find((one) => one.id === FIRST) ?? PAGES[0];
  const id = page?.id;

  useEffect(() => {
    document.title = `${page?.title ?? ''} - 帮助文档`;
    article.current?.scrollTo({ top: 0 });
  }, [page?.title]);

  const open = (next: string) => setQuery({ page: next });
  return (
    <div className="help">
      <Head />
      <nav className="help-tree" aria-label="帮助目录">
        <Input
          prefix={<SearchOutlined />}
          placeholder="搜索帮助"
          aria-label="搜索帮助"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          allowClear
        />
        <GuideTree search={search} current={id ?? ''} onOpen={open} />
      </nav>
      <main className="help-page" ref={article} tabIndex={-1}>
        {page && (
          <article>
            <p className="text3">{page.group}</p>
            <h1>{page.title}</h1>
            <Markdown text={page.body} search={search} onPage={open} />
          </article>
        )}
      </main>
    </div>
  );
}
