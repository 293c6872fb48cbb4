import { Button, Input, Modal } from 'antd';
import { useEffect, useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import type { RowAction } from '#kit/web/grid/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import {
  ClauseFilter,
  ClauseForm,
  ClauseRow,
  clauseChoices,
  listClauses,
  PLACEHOLDERS,
  removeClauses,
  saveClauses,
} from '../../contract/clause.ts';
import { APPROVE } from '../../contract/fields.ts';
import '../purchase.css';

const REFRESHES = [listClauses, clauseChoices];
const NEW = { defaultFor: [] };

function Words({ onPick }: { onPick: (name: string) => void }) {
  return (
    <div className="clause-words">
      <span className="text2">占位符</span>
      {Object.entries(PLACEHOLDERS).map(([name, words]) => (
        <button key={name} type="button" className="link" title={words} onClick={() => onPick(name)}>
          {name}
        </button>
      ))}
    </div>
  );
}

function ClauseDialog({ template, onClose }: { template: ClauseRow | 'new' | undefined; onClose: () => void }) {
  const form = useForm(ClauseForm, NEW);
  const { reset } = form;
  useEffect(() => {
    if (template) reset(template === 'new' ? NEW : { ...template });
  }, [template, reset]);
  const known = template === 'new' || !template ? {} : { id: template.id, version: template.version };
  const send = useSend(saveClauses, {
    quiet: true,
    refreshes: REFRESHES,
    onSuccess: () => notice.success('合同条款模板已保存'),
  });
  return (
    <FormDialog
      title={template === 'new' ? '新增合同条款模板' : '修改合同条款模板'}
      open={template !== undefined}
      width={760}
      form={form}
      fields={{
        name: { span: 2 },
        defaultFor: { help: '每种采购类型只有一个默认模板' },
        penalty: { help: '条款中「违约金比例」的值' },
        body: {
          span: 2,
          help: '每段一条，打印时自动编号',
          render: ({ id, value, onChange, invalid }) => (
            <Input.TextArea
              id={id}
              autoSize={{ minRows: 8, maxRows: 16 }}
              value={(value as string | undefined) ?? ''}
              status={invalid ? 'error' : ''}
              onChange={({ target }) => onChange(target.value)}
            />
          ),
        },
      }}
      onSubmit={(values) => send.mutateAsync({ body: { ...values, ...known } })}
      onClose={onClose}
    >
      <Words onPick={(name) => form.set('body', `${String(form.values.body ?? '')}{${name}}`)} />
    </FormDialog>
  );
}

/** 合同条款模板: clauses that contracts of purchase begin with. */
export default function ClauseList() {
  const [template, setTemplate] = useState<ClauseRow | 'new'>();
  const may = useAllowed(APPROVE);
  const remove = useSend(removeClauses, {
    refreshes: REFRESHES,
    onSuccess: () => notice.success('合同条款模板已删除'),
  });
  const actions = (row: ClauseRow): RowAction[] => [
    { label: '修改', edits: true, onClick: () => setTemplate(row) },
    {
      label: '删除',
      danger: true,
      onClick: () =>
        Modal.confirm({
          title: `删除合同条款模板「${row.name}」`,
          content: '已用于采购单的条款不变，新采购单不能再选择。',
          okText: '删除',
          okButtonProps: { danger: true },
          onOk: () => remove.mutateAsync({ body: { id: row.id } }),
        }),
    },
  ];
  const add = (
    <Allowed code={APPROVE}>
      <Button type="primary" onClick={() => setTemplate('new')}>
        新增模板
      </Button>
    </Allowed>
  );
  return (
    <>
      <ListScreen
        name="purchase/clauses"
        title="合同条款模板"
        unit="个模板"
        density="dense"
        endpoint={listClauses}
        row={ClauseRow}
        filter={ClauseFilter}
        {...(may ? { actions, onOpen: setTemplate } : {})}
        head={add}
        empty={
          <Empty
            title="还没有合同条款模板"
            text="采购单按类型带出模板的条款，{供应商}、{交期} 等在打印时换成单据的值。"
          >
            {add}
          </Empty>
        }
      />
      <ClauseDialog template={template} onClose={() => setTemplate(undefined)} />
    </>
  );
}
