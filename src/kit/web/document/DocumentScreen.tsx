import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import { ConfigProvider } from 'antd';
import { type ReactNode, useRef, useState } from 'react';
import type { DocumentDef, OfferedAction } from '../../contract/document.ts';
import type { StateMeta } from '../../contract/field.ts';
import { type Figure, FigureLine } from '../cards/Figures.tsx';
import { Copy } from '../cells/Copy.tsx';
import { Tag } from '../cells/State.tsx';
import { press, usePageKeys } from '../keys.ts';
import { type AddedTab, usePorts } from '../ports.ts';
import { ErrorState } from '../states/ErrorState.tsx';
import { useTab } from '../tabs/scope.ts';
import { ActionBar } from './ActionBar.tsx';
import { Steps } from './Steps.tsx';
import type { Step } from './steps.ts';

export type DocumentTab = AddedTab;

interface Props {
  /** Number or name; copied by the button beside it. Undefined while the document loads. */
  number: string | undefined;
  state?: StateMeta | undefined;
  /** Counterpart with its record, store, dates. */
  subject?: ReactNode;
  /** Place in the queue that the user works through, with the ways to its neighbours. */
  queue?: { text: string; onPrev?: () => void; onNext?: () => void };
  /** Print, copy, ⋯; E presses what carries `data-edit`. */
  head?: ReactNode;
  steps?: readonly Step[];
  figures?: readonly Figure[] | undefined;
  tabs: readonly DocumentTab[];
  /** The stream at the right, 368 px. */
  side?: ReactNode;
  actions?: readonly OfferedAction[];
  onAction?: (name: string, reason?: string) => Promise<unknown>;
  consequence?: ReactNode;
  /** Where flows can approve the document: while one does, only the steps that void it are offered here. */
  approval?: { def: DocumentDef; id: string; onChanged: () => void } | undefined;
  /** What the page is about, where that is no document of a flow: other modules add their tabs by it. */
  about?: { type: string; id: string } | undefined;
  /** The document could not be loaded. */
  error?: unknown;
  onRetry?: () => void;
}

const nothing = async () => {};

function Head({ number, state, subject, queue, head }: Props) {
  const tab = useTab();
  return (
    <div className="document-head">
      <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
        <LeftOutlined />
      </button>
      {number === undefined ? <span className="skeleton document-number" /> : <h1 className="code">{number}</h1>}
      {number !== undefined && <Copy text={number} />}
      {state && <Tag tone={state.tone} title={state.title} />}
      {subject && <span className="divider" />}
      <span className="document-subject ellipsis">{subject}</span>
      <span className="spring" />
      {queue && (
        <>
          <span className="label">{queue.text}</span>
          <button
            type="button"
            className="icon-button is-small"
            aria-label="上一单"
            disabled={!queue.onPrev}
            onClick={queue.onPrev}
          >
            <LeftOutlined />
          </button>
          <button
            type="button"
            className="icon-button is-small"
            aria-label="下一单"
            disabled={!queue.onNext}
            onClick={queue.onNext}
          >
            <RightOutlined />
          </button>
        </>
      )}
      <ConfigProvider componentSize="small">{head}</ConfigProvider>
    </div>
  );
}

/** A document: head, steps, the figures its decision needs, tabs, the stream, and the action bar. */
export function DocumentScreen(props: Props) {
  const { side, steps, figures, error, actions = [], onAction = nothing, consequence, approval } = props;
  const { Approval, useDocumentTabs } = usePorts();
  const about = props.about ?? (approval && { type: approval.def.name, id: approval.id });
  const tabs = [...props.tabs, ...useDocumentTabs(about?.type ?? '', about?.id)];
  const [deciding, setDeciding] = useState(false);
  // A link may name the tab that it is about.
  const named = new URLSearchParams(useTab().address.split('?')[1]).get('tab');
  const [chosen, setChosen] = useState(named ?? tabs[0]?.key);
  const box = useRef<HTMLDivElement>(null);
  usePageKeys(useTab().active, { e: () => press(box.current, '.document-head [data-edit]') });
  const shown = tabs.find((tab) => tab.key === chosen) ?? tabs[0];
  const own = deciding ? actions.filter(({ name }) => approval?.def.approval?.cancel?.includes(name)) : actions;
  if (error) return <ErrorState error={error} onRetry={props.onRetry ?? (() => {})} text="这张单据没有取到。" />;
  return (
    <div className="page-document" ref={box}>
      <Head {...props} />
      {steps && steps.length > 0 && <Steps steps={steps} />}
      {figures && <FigureLine figures={figures} />}
      <div className="document-body">
        <div className="document-main">
          {tabs.length > 1 && (
            <div className="document-tabs" role="tablist">
              {tabs.map((tab) => (
                <button
                  key={tab.key}
                  type="button"
                  role="tab"
                  aria-selected={tab === shown}
                  className={`status-tab${tab === shown ? ' is-on' : ''}`}
                  onClick={() => setChosen(tab.key)}
                >
                  {tab.title}
                  {tab.count !== undefined && <span className="num">{tab.count}</span>}
                </button>
              ))}
            </div>
          )}
          <div className="document-content">{shown?.content}</div>
        </div>
        {side}
      </div>
      {approval?.def.approval && <Approval {...approval} onDeciding={setDeciding} />}
      <ActionBar actions={own} onAction={onAction} consequence={consequence} />
    </div>
  );
}
