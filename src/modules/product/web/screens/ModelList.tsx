import { Button, Modal } from 'antd';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import { Allowed } from '#kit/web/Allowed.tsx';
import { cacheKey, call, queryClient, useSend, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import type { RowAction } from '#kit/web/grid/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import {
  type Attribute,
  buildModel,
  deleteModel,
  listModels,
  ModelFilter,
  ModelForm,
  ModelRow,
  productOptions,
  saveModel,
} from '../../contract/catalogue.ts';
import { EDIT } from '../../contract/fields.ts';
import { useProductOptions } from '../options.ts';

const REFRESHES = [listModels, productOptions];
const Facts = ModelForm.omit({ attributes: true }).extend({
  attributeText: z.string().max(2000).optional().meta({ title: '变体属性' }),
});

/** 「颜色：红、蓝」, one attribute a line. */
function parsed(text: string): Attribute[] {
  return text.split('\n').flatMap((line) => {
    const [name = '', rest = ''] = line.split(/[:：]/, 2);
    const values = rest.split(/[、,，;；]/).map((value) => value.trim());
    return name.trim() ? [{ name: name.trim(), values: values.filter(Boolean) }] : [];
  });
}

function ModelDialog({ model, onClose }: { model: ModelRow | 'new' | undefined; onClose: () => void }) {
  const form = useForm(Facts, {});
  const { brands = [], categories = [] } = useProductOptions();
  const { reset } = form;
  useEffect(() => {
    if (!model) return;
    reset(model === 'new' ? {} : { ...model, attributeText: model.attributeText.replaceAll('；', '\n') });
  }, [model, reset]);
  const known = model === 'new' ? {} : { id: model?.id, version: model?.version };
  return (
    <FormDialog
      title={model === 'new' ? '新增型号' : '修改型号'}
      open={model !== undefined}
      form={form}
      fields={{
        brandId: { options: brands },
        categoryId: { options: categories },
        attributeText: {
          span: 2,
          placeholder: '颜色：红、蓝（每行一个属性）',
          help: '每行一个属性，值用顿号分开；生成 SKU 时取全部组合',
        },
      }}
      onSubmit={async ({ attributeText, ...values }) => {
        const body = { ...values, attributes: parsed(attributeText ?? ''), ...known };
        await call(saveModel, { body }, { quiet: true, idempotencyKey: uuid() });
        await Promise.all(REFRESHES.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
      }}
      onClose={onClose}
    />
  );
}

/** 型号: SPUs with their attributes, of which the SKUs are made. */
export default function ModelList() {
  const [model, setModel] = useState<ModelRow | 'new'>();
  const may = useAllowed(EDIT);
  const remove = useSend(deleteModel, { refreshes: REFRESHES, onSuccess: () => notice.success('型号已删除') });
  const build = useSend(buildModel, {
    refreshes: REFRESHES,
    onSuccess: ({ created }) =>
      notice.success(created.length > 0 ? `已生成 ${created.length} 个 SKU，状态为开发中` : '所有组合都已有 SKU'),
  });
  const actions = (row: ModelRow): RowAction[] => [
    {
      label: '生成SKU',
      blocked: row.attributes.length === 0 ? '没有变体属性' : undefined,
      onClick: () => {
        const count = row.attributes.reduce((n, one) => n * one.values.length, 1);
        Modal.confirm({
          title: `生成「${row.spu}」的 SKU`,
          content: `属性共 ${count} 种组合，已有的不重复生成。`,
          okText: '生成',
          onOk: () => build.mutateAsync({ body: { id: row.id } }),
        });
      },
    },
    { label: '修改', edits: true, onClick: () => setModel(row) },
    {
      label: '删除',
      danger: true,
      blocked: row.products > 0 ? '该型号下还有产品' : undefined,
      onClick: () =>
        Modal.confirm({
          title: `删除型号「${row.spu}」`,
          content: '删除后不能恢复。',
          okText: '删除',
          okButtonProps: { danger: true },
          onOk: () => remove.mutateAsync({ body: { id: row.id } }),
        }),
    },
  ];
  return (
    <>
      <ListScreen
        name="product/model"
        title="型号"
        unit="个型号"
        density="dense"
        endpoint={listModels}
        row={ModelRow}
        filter={ModelFilter}
        actionsWidth={120}
        {...(may ? { actions } : {})}
        head={
          <Allowed code={EDIT}>
            <Button type="primary" onClick={() => setModel('new')}>
              新增型号
            </Button>
          </Allowed>
        }
      />
      <ModelDialog model={model} onClose={() => setModel(undefined)} />
    </>
  );
}
