import { LeftOutlined } from '@ant-design/icons';
import { Button, ConfigProvider, Popconfirm } from 'antd';
import { useMemo, useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/ErrorState.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { problemsOf } from '../../contract/check.ts';
import { AUTHORIZE, CONFIG, readOrganisation } from '../../contract/config.ts';
import { listFlows, publishFlow, readFlow, saveFlow } from '../../contract/flows.ts';
import { Canvas } from '../designer/Canvas.tsx';
import { FlowSettings } from '../designer/FlowSettings.tsx';
import { NodePanel } from '../designer/NodePanel.tsx';
import { Trial } from '../designer/Trial.tsx';
import { find, fresh, held, insert, remove, replace } from '../designer/tree.ts';
import { useFlow } from '../designer/use-flow.ts';
import { useKinds } from '../kinds.ts';
import { useNames } from '../names.ts';
import { Versions } from '../Versions.tsx';
import '../approval.css';
import '../designer/designer.css';

type Side = 'settings' | 'trial' | 'versions';
const SIDES: [Side, string][] = [
  ['settings', '属性'],
  ['trial', '试运行'],
  ['versions', '版本对比'],
];

/** 流程设计器 */
export default function Designer() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? undefined;
  const { flow, view, error, refetch, dirty, change, undo, saved } = useFlow(id);
  const kinds = useKinds() ?? [];
  const names = useNames();
  const { data: people } = useCall(readOrganisation, {}, { staleTime: 60_000 });
  const [side, setSide] = useState<Side>('settings');
  const [chosen, setChosen] = useState<string>();
  const [lit, setLit] = useState<ReadonlySet<string>>();
  const mayEdit = useAllowed(CONFIG);
  const mayPublish = useAllowed(AUTHORIZE);
  const kind = kinds.find(({ docType }) => docType === flow.docType);
  const problems = useMemo(() => {
    const around = {
      fields: kind?.fields ?? [],
      people: kind?.people ?? [],
      pays: kind?.pays ?? false,
      members: new Set(people?.members.map((one) => one.id)),
      roles: new Set(people?.roles.map((one) => one.id)),
    };
    return kind && people ? problemsOf(flow.definition, around) : [];
  }, [flow.definition, kind, people]);
  const refreshes = [listFlows, readFlow];
  const save = useSend(saveFlow, { refreshes });
  const publish = useSend(publishFlow, { refreshes, onSuccess: ({ message }) => notice.success(message) });
  const node = find(flow.definition, chosen);
  const edit = (definition: typeof flow.definition) => {
    setLit(undefined);
    change({ definition });
  };
  const keep = async () => {
    const answer = await save.mutateAsync({ body: flow });
    saved(answer.id, answer.version);
    if (id === undefined)
      tab.rewrite(
        `/flow/designer?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(tab.address.split('?')[1])), id: answer.id })}`,
      );
    return answer;
  };
  const send = async (also: boolean) => {
    try {
      const answer = dirty || !flow.id ? await keep() : { id: flow.id, version: flow.version ?? 0 };
      if (!also) {
        notice.success('流程已保存');
        return;
      }
      const done = await publish.mutateAsync({ params: { id: answer.id }, body: { version: answer.version } });
      saved(done.id, done.version);
    } catch {
      // The client has said why.
    }
  };
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div className="flow-designer">
      <header className="flow-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>{flow.name || '新建流程'}</h1>
        <span className="label">
          {[kind?.title, view?.no ? `已发布第${view.no}版` : '未发布', dirty && '有未保存的修改']
            .filter(Boolean)
            .join(' · ')}
        </span>
        <span className="spring" />
        <ConfigProvider componentSize="small">
          <Button disabled={!undo} onClick={undo}>
            撤销
          </Button>
          {mayEdit && (
            <Button loading={save.isPending} disabled={!flow.name || !flow.docType} onClick={() => void send(false)}>
              保存
            </Button>
          )}
          {mayPublish && (
            <Popconfirm
              title="发布后新提交的单据按此流程审批，审批中的单据不受影响"
              okText="发布"
              onConfirm={() => void send(true)}
              disabled={problems.length > 0}
            >
              <Button
                type="primary"
                loading={publish.isPending}
                disabled={problems.length > 0 || !flow.name || !flow.docType}
              >
                发布
              </Button>
            </Popconfirm>
          )}
        </ConfigProvider>
      </header>
      <div className="flow-body">
        <Canvas
          key={flow.id ?? 'new'}
          definition={flow.definition}
          names={names}
          kind={kind}
          faults={new Set(problems.map(({ key }) => key))}
          lit={lit}
          chosen={chosen}
          choose={(key) => {
            setChosen(key);
            setSide('settings');
          }}
          insert={
            mayEdit
              ? (spot, type) => {
                  const added = fresh(flow.definition, type);
                  edit(insert(flow.definition, spot, added));
                  setChosen(added.key);
                  setSide('settings');
                }
              : undefined
          }
          remove={
            mayEdit
              ? (gone) => {
                  edit(remove(flow.definition, gone.key));
                  setChosen(undefined);
                  if (held(gone) > 0) notice.info(`已删除「${gone.name}」和其中的 ${held(gone)} 个节点，可撤销`);
                }
              : undefined
          }
        />
        <aside className="flow-panel" aria-label="属性">
          <div className="flow-panel-tabs" role="tablist">
            {SIDES.map(([key, title]) => (
              <button
                key={key}
                type="button"
                role="tab"
                aria-selected={side === key}
                className={`status-tab${side === key ? ' is-on' : ''}`}
                onClick={() => setSide(key)}
              >
                {key === 'settings' ? (node ? node.name : '流程属性') : title}
              </button>
            ))}
          </div>
          {side === 'settings' && node && (
            <>
              <NodePanel node={node} kind={kind} onChange={(changed) => edit(replace(flow.definition, changed))} />
              <Button type="link" onClick={() => setChosen(undefined)}>
                返回流程属性
              </Button>
            </>
          )}
          {side === 'settings' && !node && <FlowSettings flow={flow} kinds={kinds} onChange={change} />}
          {side === 'trial' && <Trial docType={flow.docType} definition={flow.definition} onLit={setLit} />}
          {side === 'versions' &&
            (view ? (
              <div className="flow-panel-body">
                <Versions flow={view} />
              </div>
            ) : (
              <p className="label flow-panel-body">保存后可以对比版本</p>
            ))}
          <section className="flow-problems" aria-label="检查结果">
            {!kind && <span className="label">选择单据类型后开始检查</span>}
            {kind && problems.length === 0 && <span className="success">✓ 检查通过，可以发布</span>}
            {problems.map(({ key, text }) => (
              <button key={`${key}${text}`} type="button" className="warning" onClick={() => key && setChosen(key)}>
                ▲ {text}
              </button>
            ))}
          </section>
        </aside>
      </div>
    </div>
  );
}
