import { Button } from 'antd';
import { useState } from 'react';
import type { RowAction } from '#kit/web/grid/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { countRules, EDIT, listRules, RUN, RuleFilter, RuleRow } from '../../contract/rules.ts';
import { RuleDialog } from '../RuleDialog.tsx';
import { stepsOf, useSteps } from '../steps.ts';

/** 智能调价: rules that follow rivals' prices down to a floor, with what each did in the last day. */
export default function Rules() {
  const tab = useTab();
  const [editing, setEditing] = useState<{ id?: string; copy?: boolean }>();
  const mayEdit = useAllowed(EDIT);
  const mayRun = useAllowed(RUN);
  const steps = useSteps();
  const actions = (row: RuleRow): RowAction[] => [
    ...(mayRun ? stepsOf(row, steps) : []),
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
