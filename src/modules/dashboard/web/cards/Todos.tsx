import { RightOutlined } from '@ant-design/icons';
import { useCall } from '#kit/web/api/index.ts';
import { Card } from '#kit/web/cards/index.ts';
import { Integer } from '#kit/web/cells/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { todo } from '../../contract/cards.ts';

const AGAIN_MS = 60_000;

/** What waits for somebody; a line opens the list of exactly these. */
export function Todos() {
  const { open } = useTab();
  const query = useCall(todo, { body: {} }, { every: AGAIN_MS });
  const { data } = query;
  return (
    <Card title="待办事项" scope="仅显示有权限的" query={query}>
      {data?.items.length === 0 && data.failed.length === 0 && <div className="card-state">没有待办事项</div>}
      <ul className="card-list is-lined is-scrolled">
        {data?.items.map((item) => (
          <li key={item.key}>
            <button
              type="button"
              className="drill home-todo"
              onClick={() => open(item.path, { title: item.tabTitle, query: item.query })}
            >
              <span>{item.title}</span>
              <span className="spring" />
              <span className={`strong ${item.urgent ? 'danger' : ''}`}>
                <Integer value={item.count} />
              </span>
              <RightOutlined aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      {data && data.failed.length > 0 && (
        <span className="label home-note">
          {data.failed.join('、')}加载失败
          <button type="button" className="link" onClick={() => void query.refetch()}>
            重试
          </button>
        </span>
      )}
    </Card>
  );
}
