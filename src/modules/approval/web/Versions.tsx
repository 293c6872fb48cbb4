import { Select } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Tag } from '#kit/web/cells/index.ts';
import type { Definition } from '../contract/flow.ts';
import { CHANGES, type ChangeKind, compareVersions, type FlowView, type NodeChange } from '../contract/flows.ts';
import { Canvas } from './designer/Canvas.tsx';
import { useKinds } from './kinds.ts';
import { useNames } from './names.ts';

const TONES = { added: 'done', removed: 'trouble', changed: 'waiting', moved: 'side' } as const;

function Change({ change }: { change: NodeChange }) {
  return (
    <li className={`flow-change is-${change.kind}`}>
      <Tag tone={TONES[change.kind]} title={CHANGES[change.kind]} /> <b>{change.name}</b>
      <span className="label"> {change.place}</span>
      {change.words && <div>{change.words}</div>}
      {change.details.map(({ field, before, after }) => (
        <div key={field}>
          {field}：由「<del>{before}</del>」改为「<ins>{after}</ins>」
        </div>
      ))}
    </li>
  );
}

interface PictureProps {
  title: string;
  flow: FlowView;
  definition: Definition;
  marks: Readonly<Record<string, ChangeKind>>;
}

function Picture({ title, flow, definition, marks }: PictureProps) {
  const names = useNames();
  const kind = useKinds()?.find(({ docType }) => docType === flow.docType);
  return (
    <figure className="flow-picture" aria-label={title}>
      <figcaption>{title}</figcaption>
      <div className="flow-preview">
        <Canvas
          definition={definition}
          names={names}
          kind={kind}
          faults={new Set()}
          lit={undefined}
          marks={marks}
          chosen={undefined}
          choose={() => {}}
        />
      </div>
    </figure>
  );
}

/** Two versions of a flow: what differs node by node in words, and with `drawn` in the pictures of both. */
export function Versions({ flow, drawn = false }: { flow: FlowView; drawn?: boolean }) {
  const versions = [
    ...(flow.changed ? [{ value: 0, label: '草稿' }] : []),
    ...flow.versions.map(({ no }) => ({ value: no, label: `第${no}版` })),
  ];
  const titleOf = (no: number) => versions.find(({ value }) => value === no)?.label ?? '';
  const [pair, setPair] = useState<[number, number]>([
    versions[1]?.value ?? versions[0]?.value ?? 0,
    versions[0]?.value ?? 0,
  ]);
  const { data } = useCall(
    compareVersions,
    { params: { id: flow.id }, query: { a: pair[0], b: pair[1] } },
    { staleTime: 0, enabled: versions.length > 1 },
  );
  if (versions.length < 2) return <p className="label">发布两个以上版本，或修改已发布的流程后可以对比。</p>;
  return (
    <div className={`approval-form${drawn ? ' flow-compare' : ''}`}>
      <span className="flow-branch-head">
        <Select aria-label="原版本" value={pair[0]} options={versions} onChange={(a) => setPair([a, pair[1]])} />→
        <Select aria-label="新版本" value={pair[1]} options={versions} onChange={(b) => setPair([pair[0], b])} />
      </span>
      {data?.changes.length === 0 && <p className="label">两个版本没有差异</p>}
      <ul className="flow-changes" aria-label="差异">
        {data?.changes.map((change) => (
          <Change key={`${change.key}:${change.kind}`} change={change} />
        ))}
      </ul>
      {drawn && data && (
        <div className="flow-pair">
          <Picture title={titleOf(pair[0])} flow={flow} definition={data.a} marks={data.marks.a} />
          <Picture title={titleOf(pair[1])} flow={flow} definition={data.b} marks={data.marks.b} />
        </div>
      )}
    </div>
  );
}
