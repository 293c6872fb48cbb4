import { useCall } from '#kit/web/api/index.ts';
import { Card } from '#kit/web/cards/index.ts';
import { Tag, When } from '#kit/web/cells/index.ts';
import { service } from '../../contract/cards.ts';
import { useLinks } from '../links.ts';
import type { CardProps } from './props.ts';

/** Help, version, whom to ask, and how fresh the data of each store is. */
export function Service({ filter }: CardProps) {
  const links = useLinks(filter);
  const query = useCall(service, { body: {} }, { every: 60_000 });
  const { data } = query;
  return (
    <Card
      title="帮助与服务"
      scope={data && `版本 ${data.version}`}
      query={query}
      extra={
        <a className="link" href="/doc/help" target="_blank" rel="noreferrer">
          帮助文档
        </a>
      }
    >
      <ul className="card-list is-lined is-scrolled">
        <li>
          <span>管理员</span>
          <span className="spring" />
          <span className="ellipsis">{data?.contacts.join('、') || '—'}</span>
        </li>
        {data?.stores.map((store) => (
          <li key={store.accountId}>
            <button type="button" className="drill ellipsis" onClick={links.sync}>
              {store.name}
            </button>
            <span className="spring" />
            {store.late > 0 && (
              <Tag tone="waiting" title={`${store.late} 项延迟`} reason={`共 ${store.streams} 项同步`} />
            )}
            <span className="label">{store.at ? <When at={store.at} /> : '未同步'}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
