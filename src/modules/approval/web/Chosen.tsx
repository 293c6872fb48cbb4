import { Button } from 'antd';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { choosePeople, preview } from '../contract/desk.ts';
import type { PathStep } from '../contract/instance.ts';
import { PeopleSelect } from './PeopleSelect.tsx';

interface Props {
  docType: string;
  docId: string;
  path: readonly PathStep[];
}

/** Lets the maker pick people for the steps that leave it to him and have nobody yet. */
export function Chosen({ docType, docId, path }: Props) {
  const [picked, setPicked] = useState<Record<string, string[]>>({});
  const send = useSend(choosePeople, { refreshes: [preview] });
  const open = path.filter((step) => step.choosable);
  if (open.length === 0) return null;
  return (
    <div className="approval-form">
      <h2 className="approval-title">由您选择审批人</h2>
      {open.map(({ key, name }) => (
        <div className="field" key={key}>
          <span className="field-label">{name}</span>
          <PeopleSelect
            label={`选择${name}`}
            value={picked[key] ?? []}
            onChange={(ids) => setPicked({ ...picked, [key]: ids })}
          />
          <Button
            disabled={!picked[key]?.length}
            loading={send.isPending}
            onClick={() => send.mutate({ body: { docType, docId, nodeKey: key, people: picked[key] ?? [] } })}
          >
            保存
          </Button>
        </div>
      ))}
    </div>
  );
}
