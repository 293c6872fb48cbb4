import { Button, Select } from 'antd';
import { useState } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import { call, useCall } from '#kit/web/api/index.ts';
import { Facts } from '#kit/web/document/index.ts';
import type { Definition } from '../../contract/flow.ts';
import { simulateFlow, trialDocuments } from '../../contract/flows.ts';
import { Path } from '../Path.tsx';
import { PeopleSelect } from '../PeopleSelect.tsx';

interface Props {
  docType: string;
  definition: Definition;
  /** Nodes that the document passes; undefined takes the light away. */
  onLit: (keys: ReadonlySet<string> | undefined) => void;
}

/** Runs what is on the canvas on a document that exists; nothing is written. */
export function Trial({ docType, definition, onLit }: Props) {
  const [number, setNumber] = useState('');
  const [text, setText] = useState('');
  const { data: found } = useCall(
    trialDocuments,
    { body: { docType, keyword: text } },
    { keep: true, enabled: docType !== '' },
  );
  const [initiator, setInitiator] = useState<string[]>([]);
  const [result, setResult] = useState<Reply<typeof simulateFlow>>();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    if (!number || busy) return;
    setBusy(true);
    try {
      const answer = await call(simulateFlow, {
        body: { docType, number, initiator: initiator[0] ?? null, definition },
      });
      setResult(answer);
      onLit(new Set(answer.keys));
    } catch {
      // The client has said why.
      setResult(undefined);
      onLit(undefined);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flow-panel-body">
      <div className="field">
        <span className="field-label">用哪张单据试运行</span>
        <Select
          aria-label="单号"
          placeholder={docType ? '搜索单号，或选最近的单据' : '请先选择单据类型'}
          disabled={!docType}
          value={number || null}
          showSearch={{ filterOption: false, onSearch: setText }}
          notFoundContent="没有找到单据"
          options={found?.map((one) => ({ value: one.number, label: `${one.number} ${one.summary}` })) ?? []}
          onChange={(chosen: string) => {
            setNumber(chosen);
            setText('');
          }}
        />
      </div>
      <div className="field">
        <span className="field-label">发起人</span>
        <PeopleSelect label="默认为本人" single value={initiator} onChange={setInitiator} />
      </div>
      <Button type="primary" disabled={!number || !docType} loading={busy} onClick={() => void run()}>
        试运行
      </Button>
      {result && (
        <>
          <p className="text2">{result.summary}</p>
          <Path steps={result.path} reasons />
          <Facts title="条件取值" facts={result.vars.map(({ title, value }) => ({ label: title, value }))} />
        </>
      )}
    </div>
  );
}
