import { Button, Dropdown } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import type { CostRowInput } from '../contract/document.ts';
import { listShareRules, shareByRule } from '../contract/share-rule.ts';
import { ShareRulesDialog } from './ShareRulesDialog.tsx';

interface Props {
  /** What is shared, once the head of the document is filled in; undefined while it is not. */
  cost: () => { amount: string; currency: string } | undefined;
  onShared: (rows: CostRowInput[]) => void;
}

/** 按固定比例: fills the rows of a document by a rule of the company, and leads to the rules. */
export function RuleMenu({ cost, onShared }: Props) {
  const { data = [] } = useCall(listShareRules, {});
  const [managing, setManaging] = useState(false);
  const send = useSend(shareByRule, { onSuccess: onShared });
  const apply = (id: string) => {
    const asked = cost();
    if (asked) send.mutate({ body: { id, amount: asked.amount, currency: asked.currency } });
  };
  const items = [
    ...data.map(({ id, name, whole }) => ({ key: id, label: name, disabled: !whole, onClick: () => apply(id) })),
    ...(data.length > 0 ? [{ type: 'divider' as const }] : []),
    { key: 'manage', label: '管理规则', onClick: () => setManaging(true) },
  ];
  return (
    <>
      <Dropdown menu={{ items }} trigger={['click']}>
        <Button size="small" loading={send.isPending}>
          按固定比例
        </Button>
      </Dropdown>
      {managing && <ShareRulesDialog onClose={() => setManaging(false)} />}
    </>
  );
}
