import '../product.css';
import { PlusOutlined } from '@ant-design/icons';
import { Button, Input, Modal, Select } from 'antd';
import { useEffect, useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { cacheKey, call, queryClient, useCall, useSend, uuid } from '#kit/web/api/index.ts';
import { Tag } from '#kit/web/cells/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { type RowAction, RowActions } from '#kit/web/grid/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import {
  CategoryForm,
  type CategoryRow,
  deleteCategory,
  listCategories,
  mergeCategories,
  moveCategory,
  productOptions,
  saveCategory,
} from '../../contract/catalogue.ts';
import { EDIT } from '../../contract/fields.ts';

const REFRESHES = [listCategories, productOptions];
const TONES = { info: 'off', blue: 'running', success: 'done', warning: 'waiting', danger: 'trouble' } as const;

type Task = { kind: 'add'; parentId: string | null } | { kind: 'edit'; row: CategoryRow };

function CategoryDialog({
  task,
  rows,
  onClose,
}: {
  task: Task | undefined;
  rows: readonly CategoryRow[];
  onClose: () => void;
}) {
  const form = useForm(CategoryForm, {});
  const { reset } = form;
  useEffect(() => {
    if (task) reset(task.kind === 'edit' ? { ...task.row } : { parentId: task.parentId, color: 'info', sort: 0 });
  }, [task, reset]);
  const known = task?.kind === 'edit' ? { id: task.row.id, version: task.row.version } : {};
  const own = task?.kind === 'edit' ? task.row.id : undefined;
  const parents = rows
    .filter((row) => row.level === 1 && row.id !== own)
    .map((row) => ({ value: row.id, label: row.name }));
  return (
    <FormDialog
      title={task?.kind === 'edit' ? '修改品类' : '新增品类'}
      open={task !== undefined}
      form={form}
      fields={{ parentId: { options: parents, placeholder: '无（一级品类）' }, hsCode: { help: '10 位数字' } }}
      onSubmit={async (values) => {
        await call(saveCategory, { body: { ...values, ...known } }, { quiet: true, idempotencyKey: uuid() });
        await Promise.all(REFRESHES.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
      }}
      onClose={onClose}
    />
  );
}

function MergeDialog({
  row,
  rows,
  onClose,
}: {
  row: CategoryRow | undefined;
  rows: readonly CategoryRow[];
  onClose: () => void;
}) {
  const [to, setTo] = useState<string>();
  const merge = useSend(mergeCategories, {
    refreshes: REFRESHES,
    onSuccess: ({ moved }) => {
      notice.success(`已合并，${moved} 个产品改为新品类`);
      onClose();
    },
  });
  return (
    <Modal
      title={`合并品类「${row?.name ?? ''}」`}
      open={row !== undefined}
      okText="合并"
      okButtonProps={{ disabled: to === undefined }}
      confirmLoading={merge.isPending}
      onOk={() => row && to && merge.mutate({ body: { from: row.id, to } })}
      onCancel={onClose}
      destroyOnHidden
    >
      <p>该品类的产品改为所选品类，原品类删除，不能撤销。</p>
      <Select
        style={{ width: '100%' }}
        aria-label="合并到"
        placeholder="合并到"
        value={to ?? null}
        onChange={setTo}
        showSearch={{ optionFilterProp: 'label' }}
        options={rows.filter((one) => one.id !== row?.id).map((one) => ({ value: one.id, label: one.name }))}
      />
    </Modal>
  );
}

/** Rows of a table that can be dragged under another first level, or before a neighbour. */
function useDrag(rows: readonly CategoryRow[], may: boolean) {
  const [dragged, setDragged] = useState<CategoryRow>();
  const [target, setTarget] = useState<string>();
  const move = useSend(moveCategory, { refreshes: REFRESHES });
  const drop = (onto: CategoryRow) => {
    setTarget(undefined);
    if (!dragged || dragged.id === onto.id) return;
    // A second level dropped on a first one goes under it; anything else goes before what it is dropped on.
    const parentId = dragged.level === 2 && onto.level === 1 ? onto.id : onto.parentId;
    const order = rows.filter((row) => row.parentId === parentId && row.id !== dragged.id).map((row) => row.id);
    const at = order.indexOf(onto.id);
    order.splice(at < 0 ? order.length : at, 0, dragged.id);
    move.mutate({ body: { id: dragged.id, parentId, order } });
  };
  const props = (row: CategoryRow) => ({
    draggable: may,
    className: `category-row${target === row.id ? ' is-target' : ''}`,
    onDragStart: () => setDragged(row),
    onDragEnd: () => setDragged(undefined),
    onDragOver: (event: { preventDefault: () => void }) => {
      event.preventDefault();
      setTarget(row.id);
    },
    onDragLeave: () => setTarget(undefined),
    onDrop: () => drop(row),
  });
  return props;
}

/** 品类: two levels, dragged into their order. */
export default function CategoryTree() {
  const [name, setName] = useState('');
  const [task, setTask] = useState<Task>();
  const [merging, setMerging] = useState<CategoryRow>();
  const may = useAllowed(EDIT);
  const { data, isError, error, refetch } = useCall(listCategories, { body: name ? { name } : {} }, { keep: true });
  const rows = data ?? [];
  const dragProps = useDrag(rows, may && name === '');
  const remove = useSend(deleteCategory, { refreshes: REFRESHES, onSuccess: () => notice.success('品类已删除') });
  const actions = (row: CategoryRow): RowAction[] => [
    { label: '修改', onClick: () => setTask({ kind: 'edit', row }) },
    ...(row.level === 1 ? [{ label: '新增二级', onClick: () => setTask({ kind: 'add', parentId: row.id }) }] : []),
    { label: '合并到', onClick: () => setMerging(row) },
    {
      label: '删除',
      danger: true,
      blocked: row.products > 0 ? `正被 ${row.products} 个产品使用，请先合并` : undefined,
      onClick: () =>
        Modal.confirm({
          title: `删除品类「${row.name}」`,
          content: '删除后不能恢复。',
          okText: '删除',
          okButtonProps: { danger: true },
          onOk: () => remove.mutateAsync({ body: { id: row.id } }),
        }),
    },
  ];
  return (
    <div className="page-list">
      <ListHead title="品类" tabs={<span className="label">{data ? `${rows.length} 个品类` : ''}</span>}>
        <Input.Search
          aria-label="名称或编码"
          placeholder="名称或编码"
          allowClear
          style={{ width: 200 }}
          onSearch={setName}
        />
        <Allowed code={EDIT}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setTask({ kind: 'add', parentId: null })}>
            新增品类
          </Button>
        </Allowed>
      </ListHead>
      {isError && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <Empty title={name ? '没有符合条件的品类' : '还没有品类'} text="品类分两级，可设默认海关编码与安全天数。" />
      )}
      {rows.length > 0 && (
        <div className="line-table">
          <table aria-label="品类">
            <thead>
              <tr>
                <th>名称</th>
                <th>编码</th>
                <th className="is-right">默认安全天数</th>
                <th>默认海关编码</th>
                <th className="is-right">产品数</th>
                <th>操作</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id} {...dragProps(row)}>
                  <td>
                    <span className={row.level === 2 ? 'category-child' : ''}>
                      <Tag tone={TONES[row.color]} title={row.name} />
                    </span>
                  </td>
                  <td className="code">{row.code ?? '—'}</td>
                  <td className="is-right num">{row.safetyDays ?? '—'}</td>
                  <td className="code">{row.hsCode ?? '—'}</td>
                  <td className="is-right num">{row.products}</td>
                  <td>{may && <RowActions actions={actions(row)} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <CategoryDialog task={task} rows={rows} onClose={() => setTask(undefined)} />
      <MergeDialog row={merging} rows={rows} onClose={() => setMerging(undefined)} />
    </div>
  );
}
