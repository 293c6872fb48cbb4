import { Select } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Tag } from '#kit/web/cells/index.ts';
import { compareVersions, type FlowView } from '../contract/flows.ts';

const KINDS = {
  added: { title: '新增', tone: 'done' },
  removed: { title: '删除', tone: 'trouble' },
  changed: { title: '修改', tone: 'waiting' },
  moved: { title: '移动', tone: 'side' },
} as const;

const FIELDS: Record<string, string> = {
  name: '名称',
  who: '人员',
  mode: '多人方式',
  percent: '通过比例',
  waitAll: '全部表态后再判定',
  empty: '无人时',
  emptyPeople: '接收人',
  due: '时限',
  cases: '分支条件',
  branches: '并行分支',
  action: '处理',
  where: '位置',
  type: '类型',
};

/** Two versions of a flow side by side, as what differs node by node. */
export function Versions({ flow }: { flow: FlowView }) {
  const versions = [
    ...(flow.changed ? [{ value: 0, label: '草稿' }] : []),
    ...flow.versions.map(({ no }) => ({ value: no, label: `第${no}版` })),
  ];
  const [pair, setPair] = useState<[number, number]>([
    versions[1]?.value ?? versions[0]?.value ?? 0,
    versions[0]?.value ?? 0,
  ]);
  const { data } = useCall(
    compareVersions,
    { params: { id: flow.id }, query: { a: pair[0], b: pair[1] } },
    { staleTime: 0 },
  );
  if (versions.length < 2) return <p className="label">发布两个以上版本，或修改已发布的流程后可以对比。</p>;
  return (
    <div className="approval-form">
      <span className="flow-branch-head">
        <Select aria-label="原版本" value={pair[0]} options={versions} onChange={(a) => setPair([a, pair[1]])} />→
        <Select aria-label="新版本" value={pair[1]} options={versions} onChange={(b) => setPair([pair[0], b])} />
      </span>
      {data?.changes.length === 0 && <p className="label">两个版本没有差异</p>}
      <ul className="flow-changes">
        {data?.changes.map((change) => (
          <li key={`${change.key}:${change.kind}`}>
            <Tag tone={KINDS[change.kind].tone} title={KINDS[change.kind].title} /> <b>{change.name}</b>
            {change.details.map(({ field, before, after }) => (
              <div key={field} className="label">
                {FIELDS[field] ?? field}：<del>{before}</del> → {after}
              </div>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}
