import { groupsOf, searchGuide } from './guide.ts';
import { Marked } from './Marked.tsx';
import { PAGES } from './pages.ts';

interface Props {
  search: string;
  current: string;
  onOpen: (id: string) => void;
}

/** The pages by group, or those that a search finds with the words around the first hit. */
export function GuideTree({ search, current, onOpen }: Props) {
  const item = (id: string, title: string, excerpt = '') => (
    <li key={id}>
      <button
        type="button"
        className={id === current ? 'is-on' : ''}
        aria-current={id === current ? 'page' : undefined}
        onClick={() => onOpen(id)}
      >
        <span>
          <Marked text={title} search={search} />
        </span>
        {excerpt && (
          <span className="text3">
            <Marked text={excerpt} search={search} />
          </span>
        )}
      </button>
    </li>
  );
  if (search.trim()) {
    const hits = searchGuide(PAGES, search);
    return (
      <>
        <h2 role="status">{hits.length > 0 ? `${hits.length} 篇` : `没有包含「${search.trim()}」的帮助`}</h2>
        <ul className="is-hits">{hits.map(({ page, excerpt }) => item(page.id, page.title, excerpt))}</ul>
      </>
    );
  }
  return groupsOf(PAGES).map((group) => (
    <section key={group.title}>
      <h2>{group.title}</h2>
      <ul>{group.pages.map((page) => item(page.id, page.title))}</ul>
    </section>
  ));
}
