import { Input } from 'antd';
import { useMemo, useState } from 'react';
import { ListHead } from '#kit/web/list/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { ApiCall } from '../ApiCall.tsx';
import { type ApiOperation, SERVICES, type Service, useApi } from '../api-docs.ts';
import '../system.css';

function Operation({ each, on, onOpen }: { each: ApiOperation; on: boolean; onOpen: () => void }) {
  return (
    <li className={`panes-entry${on ? ' is-on' : ''}`}>
      <button type="button" className="panes-open" aria-pressed={on} onClick={onOpen}>
        <span className="panes-name ellipsis">
          <span className={`api-method is-${each.method}`}>{each.method.toUpperCase()}</span>
          {each.title}
        </span>
        <span className="label code ellipsis" title={each.path}>
          {each.path}
        </span>
      </button>
    </li>
  );
}

/** 接口文档: every call of a service as the server declares it; searched by name, address and permission. */
export default function ApiDocs() {
  const [service, setService] = useState<Service>('admin');
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string>();
  const api = useApi(service);
  const shown = useMemo(() => {
    const words = search.trim().toLowerCase();
    return api.data?.filter((each) => `${each.title} ${each.path} ${each.permission}`.toLowerCase().includes(words));
  }, [api.data, search]);
  const current = shown?.find((each) => each.key === chosen) ?? shown?.[0];
  return (
    <div className="page-list">
      <ListHead
        title="接口文档"
        tabs={
          <div className="status-tabs" role="tablist" aria-label="服务">
            {(Object.entries(SERVICES) as [Service, string][]).map(([key, title]) => (
              <button
                key={key}
                type="button"
                role="tab"
                aria-selected={key === service}
                className={`status-tab${key === service ? ' is-on' : ''}`}
                onClick={() => setService(key)}
              >
                {title}
              </button>
            ))}
          </div>
        }
      >
        <a className="link" href={`/api/openapi/${service}.json`} target="_blank" rel="noopener noreferrer">
          OpenAPI 文件
        </a>
      </ListHead>
      {api.isError ? (
        <ErrorState error={api.error} onRetry={() => void api.refetch()} />
      ) : (
        <div className="panes">
          <div className="panes-side" style={{ width: 340 }}>
            <div className="panes-tools">
              <Input
                allowClear
                aria-label="名称、地址或权限"
                placeholder="名称、地址或权限"
                value={search}
                onChange={(event) => setSearch(event.target.value)}
              />
              <span className="label num">{shown?.length ?? 0}</span>
            </div>
            <ul className="panes-list" aria-label="接口">
              {shown?.map((each) => (
                <Operation
                  key={each.key}
                  each={each}
                  on={each.key === current?.key}
                  onOpen={() => setChosen(each.key)}
                />
              ))}
              {shown?.length === 0 && <li className="label">{search ? '没有符合的接口' : '该服务还没有接口'}</li>}
            </ul>
          </div>
          <div className="panes-main">{current && <ApiCall key={current.key} operation={current} />}</div>
        </div>
      )}
    </div>
  );
}
