import { Tag } from '#kit/web/cells/index.ts';
import { SearchPicture } from './SearchRow.tsx';
import type { SearchItem } from './search-items.ts';

/** The chosen hit at the right: its picture, its state and the figures that tell whether it is the right one. */
export function SearchPreview({ item }: { item: SearchItem | undefined }) {
  if (!item) return <aside className="search-preview" />;
  return (
    <aside className="search-preview" aria-live="polite">
      <div className="search-preview-head">
        <SearchPicture item={item} className="search-preview-picture" />
        <div>
          <strong>{item.title}</strong>
          <span className="text3">{item.subtitle}</span>
          {item.tag && <Tag tone={item.tag.tone} title={item.tag.title} />}
        </div>
      </div>
      {item.facts && (
        <dl>
          {item.facts.map((fact) => (
            <div key={fact.label}>
              <dt>{fact.label}</dt>
              <dd className="num">{fact.value}</dd>
            </div>
          ))}
        </dl>
      )}
      {item.link && <p className="text3">打开「{item.title}」页面。</p>}
    </aside>
  );
}
