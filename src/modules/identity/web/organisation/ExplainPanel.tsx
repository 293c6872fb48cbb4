import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons';
import { Select } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { type CatalogueNode, companyMenuTree, type Dimension, dimensionOptions } from '../../contract/roles.ts';
import { explainRight } from '../../contract/sub-users.ts';

function optionsOf(nodes: readonly CatalogueNode[], trail: string[] = []): { value: string; label: string }[] {
  return nodes.flatMap((node) => {
    const here = node.kind === 'screen' || node.kind === 'other' ? node.title : '';
    return [
      ...node.codes.map((each) => ({ value: each.code, label: `${here || trail.at(-1) || ''} · ${each.title}` })),
      ...optionsOf(node.children, [...trail, node.title]),
    ];
  });
}

/** 「为什么能看到，为什么看不到」: the chain of account, roles and data rights up to the first no. */
export function ExplainPanel({ id, name, dimensions }: { id: string; name: string; dimensions: readonly Dimension[] }) {
  const [code, setCode] = useState<string>();
  const [dimension, setDimension] = useState(dimensions[0]?.name ?? 'store');
  const [target, setTarget] = useState<string>();
  const tree = useCall(companyMenuTree, {});
  const targets = useCall(dimensionOptions, { params: { name: dimension } });
  const query = { code: code ?? '', ...(target ? { dimension, target } : {}) };
  const { data, isError, error, refetch } = useCall(
    explainRight,
    { params: { id }, query },
    { enabled: code !== undefined, keep: true, staleTime: 0 },
  );
  return (
    <div className="drawer-section">
      <p className="text2">{name} 为什么能看到，或者为什么看不到？</p>
      <div className="form" style={{ gridTemplateColumns: '2fr 1fr 1fr', marginTop: 12 }}>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          placeholder="选择权限"
          aria-label="权限"
          options={optionsOf(tree.data ?? [])}
          value={code ?? null}
          onChange={setCode}
        />
        <Select
          aria-label="数据维度"
          options={dimensions.map((each) => ({ value: each.name, label: each.title }))}
          value={dimension}
          onChange={(next) => {
            setDimension(next);
            setTarget(undefined);
          }}
        />
        <Select
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          placeholder="某一个（选填）"
          aria-label="数据"
          options={(targets.data ?? []).map((each) => ({ value: each.id, label: each.title }))}
          value={target ?? null}
          onChange={(next) => setTarget(next ?? undefined)}
        />
      </div>
      {isError && <ErrorState error={error} onRetry={() => void refetch()} />}
      {code !== undefined && data && (
        <ul className="reasons" aria-live="polite">
          {data.reasons.map((reason) => (
            <li key={reason.text}>
              {reason.ok ? <CheckCircleFilled className="success" /> : <CloseCircleFilled className="danger" />}
              <span>{reason.text}</span>
            </li>
          ))}
          <li className="strong">{data.allowed ? '结论：可以' : '结论：不可以'}</li>
        </ul>
      )}
    </div>
  );
}
