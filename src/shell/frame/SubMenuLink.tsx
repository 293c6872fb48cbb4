import { ExportOutlined, StarFilled, StarOutlined } from '@ant-design/icons';
import { useFavourites } from '#kit/web/favourites.ts';
import { isLegacy, type MenuLink } from '../menu.ts';
import { useOpenLink } from './use-open-link.ts';

interface Props {
  link: MenuLink;
  on: boolean;
  onOpen: (link: MenuLink) => void;
}

/** One link of the drawer, 32 px, with its star. */
export function SubMenuLink({ link, on, onOpen }: Props) {
  const openLink = useOpenLink();
  const { favourites, toggle } = useFavourites();
  const starred = favourites.includes(link.path);
  const open = () => {
    openLink(link);
    onOpen(link);
  };
  return (
    <div className={`sub-menu-link${on ? ' is-on' : ''}`}>
      <button type="button" onClick={open} aria-current={on ? 'page' : undefined}>
        <span className="ellipsis">{link.title}</span>
        {isLegacy(link.entry) && <ExportOutlined className="text3" />}
      </button>
      <button
        type="button"
        className={`sub-menu-star${starred ? ' is-on' : ''}`}
        aria-label={starred ? `取消收藏 ${link.title}` : `收藏 ${link.title}`}
        aria-pressed={starred}
        onClick={() => toggle(link.path)}
      >
        {starred ? <StarFilled /> : <StarOutlined />}
      </button>
    </div>
  );
}
