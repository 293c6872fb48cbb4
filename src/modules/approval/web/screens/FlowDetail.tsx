import { Button } from 'antd';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall } from '#kit/web/api/index.ts';
import { When } from '#kit/web/cells/index.ts';
import { DocumentScreen } from '#kit/web/document/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { CONFIG } from '../../contract/config.ts';
import { FlowState, type FlowView, readFlow, Scope } from '../../contract/flows.ts';
import { Canvas } from '../designer/Canvas.tsx';
import { useKinds } from '../kinds.ts';
import { useNames } from '../names.ts';
import { Versions } from '../Versions.tsx';
import '../approval.css';
import '../designer/designer.css';

function Picture({ flow }: { flow: FlowView }) {
  const names = useNames();
  const kind = useKinds()?.find(({ docType }) => docType === flow.docType);
  return (
    <div className="flow-preview">
      <Canvas
        definition={flow.definition}
        names={names}
        kind={kind}
        faults={new Set(flow.problems.map(({ key }) => key))}
        lit={undefined}
        chosen={undefined}
        choose={() => {}}
      />
    </div>
  );
}

function Published({ flow }: { flow: FlowView }) {
  if (flow.versions.length === 0) return <p className="label">还没有发布过</p>;
  return (
    <ul className="flow-changes">
      {flow.versions.map(({ no, note, publishedAt, publishedByName }) => (
        <li key={no}>
          <b>第{no}版</b> <When at={publishedAt} /> {publishedByName} <span className="label">{note}</span>
        </li>
      ))}
    </ul>
  );
}

/** A flow: what it does, its versions, and how they differ. */
export default function FlowDetail() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(readFlow, { params: { id } }, { staleTime: 0 });
  const scope = data && [Scope.meta()?.states?.[data.scope]?.title, data.scopeNames].filter(Boolean).join('：');
  return (
    <DocumentScreen
      number={data?.name}
      state={data && FlowState.meta()?.states?.[data.state]}
      subject={data && `${data.docTitle} · ${scope} · 优先级 ${data.priority} · 运行中 ${data.running}`}
      error={error}
      onRetry={() => void refetch()}
      head={
        <Allowed code={CONFIG}>
          <Button
            type="primary"
            data-edit
            disabled={!data}
            onClick={() => tab.open('/flow/designer', { title: `设计 ${data?.name ?? ''}`, query: { id } })}
          >
            设计
          </Button>
        </Allowed>
      }
      tabs={[
        { key: 'picture', title: '流程图', content: data && <Picture flow={data} /> },
        {
          key: 'versions',
          title: '版本',
          count: data?.versions.length ?? 0,
          content: data && <Published flow={data} />,
        },
        { key: 'compare', title: '版本对比', content: data && <Versions flow={data} drawn /> },
      ]}
    />
  );
}
