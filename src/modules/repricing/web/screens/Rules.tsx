import { Button, Modal } from 'antd';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import type { RowAction } from '#kit/web/grid/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import {
  activateRule,
  archiveRule,
  countRules,
  EDIT,
  listRules,
  pauseRule,
  RUN,
  RuleFilter,
  RuleRow,
  shadowRule,
} from '../../contract/rules.ts';
import { RuleDialog } from '../RuleDialog.tsx';
import { REFRESHES } from '../refreshes.ts';

/** Steps from one mode to the next; each says what it did. */
function useSteps() {
  const said = (words: string) => ({ refreshes: REFRESHES, onSuccess: () => notice.success(words) });
  const shadow = useSend(shadowRule, said('已开始试运行，满 24 小时后可以启用'));
  const activate = useSend(activateRule, said('规则已启用'));
  const pause = useSend(pauseRule, said('规则已停用'));
  const archive = useSend(archiveRule, said('规则已归档'));
  return { shadow, activate, pause, archive };
}

type Steps = ReturnType<typeof useSteps>;

function stepActions(row: RuleRow, { shadow, activate, pause, archive }: Steps): RowAction[] {
  const body = { id: row.id, version: row.version };
  const ask = (title: string, content: string, okText: string, run: () => Promise<unknown>) => () =>
    Modal.confirm({ title, content, okText, onOk: run });
  const activation: RowAction = {
    label: '启用',
    onClick: ask(`启用「${row.name}」`, '启用后按规则自动提交调价。', '启用', () => activate.mutateAsync({ body })),
  };
  const trial: RowAction = { label: '试运行', onClick: () => shadow.mutate({ body }) };
  const stop: RowAction = { label: '停用', onClick: () => pause.mutate({ body }) };
  const end: RowAction = {
    label: '归档',
    danger: true,
    onClick: ask(`归档「${row.name}」`, '归档后不能恢复，绑定的商品全部解绑。', '归档', () =>
      archive.mutateAsync({ body }),
    ),
  };
  const byStatus: Record<RuleRow['status'], RowAction[]> = {
    DRAFT: [trial, end],
    SHADOW: [activation, stop, end],
    ACTIVE: [stop, trial, end],
    PAUSED: [trial, activation, end],
    ARCHIVED: [],
  };
  return byStatus[row.status];
}

/** 智能调价: rules that follow rivals' prices down to a floor, with what each did in the last day. */
export default function Rules() {
  const tab = useTab();
  const [editing, setEditing] = useState<{ id?: string; copy?: boolean }>();
  const mayEdit = useAllowed(EDIT);
  const mayRun = useAllowed(RUN);
  const steps = useSteps();
  const actions = (row: RuleRow): RowAction[] => [
    ...(mayRun ? stepActions(row, steps) : []),
    ...(mayEdit && row.status !== 'ARCHIVED'
      ? [{ label: '修改', edits: true, onClick: () => setEditing({ id: row.id }) }]
      : []),
    ...(mayEdit ? [{ label: '复制', onClick: () => setEditing({ id: row.id, copy: true }) }] : []),
  ];
  const create = mayEdit && (
    <Button type="primary" onClick={() => setEditing({})}>
      新建规则
    </Button>
  );
  return (
    <>
      <ListScreen
        name="repricing/rules"
        title="智能调价"
        unit="条规则"
        density="dense"
        endpoint={listRules}
        row={RuleRow}
        filter={RuleFilter}
        tabs={{ field: 'status', counts: countRules }}
        actions={actions}
        onOpen={(row) => tab.open('/amazon/listing/repricing/rule', { title: row.name, query: { id: row.id } })}
        head={create}
        empty={
          <Empty title="还没有智能调价规则" text="规则按对手报价自动调价，不会低于最低价和保本价；先试运行，再启用。">
            {create}
          </Empty>
        }
      />
      <RuleDialog of={editing} onClose={() => setEditing(undefined)} />
    </>
  );
}
