import {
  AppstoreOutlined,
  EnterOutlined,
  FileTextOutlined,
  HistoryOutlined,
  ShoppingOutlined,
  TagOutlined,
} from '@ant-design/icons';
import { Tag } from '#kit/web/cells/index.ts';
import { Marked } from './Marked.tsx';
import type { SearchItem } from './search-items.ts';

const ICONS = {
  page: AppstoreOutlined,
  sku: TagOutlined,
  order: ShoppingOutlined,
  document: FileTextOutlined,
  recent: HistoryOutlined,
};

/** The picture of a thing, or the icon of its kind. */
export function SearchPicture({ item, className }: { item: SearchItem; className: string }) {
  const Icon = ICONS[item.icon];
  return (
    <span className={className}>
      {item.image ? <img src={item.image} alt="" loading="lazy" referrerPolicy="no-referrer" /> : <Icon />}
    </span>
  );
}

interface Props {
  id: string;
  item: SearchItem;
  word: string;
  on: boolean;
  onPoint: () => void;
  onOpen: (newTab: boolean) => void;
}

/** One line of the search: picture, name, what tells it apart, state. */
export function SearchRow({ id, item, word, on, onPoint, onOpen }: Props) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={on}
      tabIndex={-1}
      className={`search-item${on ? ' is-on' : ''}`}
      onMouseMove={onPoint}
      onClick={(event) => onOpen(event.ctrlKey || event.metaKey)}
      onKeyDown={() => {}}
    >
      <SearchPicture item={item} className="search-icon" />
      <span className="search-text">
        <span className="ellipsis">
          <Marked text={item.title} word={word} />
        </span>
        <span className="ellipsis text3">
          <Marked text={item.subtitle} word={word} />
        </span>
      </span>
      {item.tag && <Tag tone={item.tag.tone} title={item.tag.title} />}
      {on && <EnterOutlined className="text3" />}
    </div>
  );
}
