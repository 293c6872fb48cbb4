import { Button, Modal, Select } from 'antd';
import { useEffect, useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { cacheKey, call, queryClient, useSend, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import type { RowAction } from '#kit/web/grid/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import {
  BrandFilter,
  BrandForm,
  BrandRow,
  deleteBrand,
  listBrands,
  mergeBrands,
  productOptions,
  saveBrand,
} from '../../contract/catalogue.ts';
import { EDIT } from '../../contract/fields.ts';
import { useProductOptions } from '../options.ts';

const REFRESHES = [listBrands, productOptions];
const NEW = {};

function BrandDialog({ brand, onClose }: { brand: BrandRow | 'new' | undefined; onClose: () => void }) {
  const form = useForm(BrandForm, NEW);
  const { reset } = form;
  useEffect(() => {
    if (brand) reset(brand === 'new' ? {} : brand);
  }, [brand, reset]);
  const known = brand === 'new' ? {} : { id: brand?.id, version: brand?.version };
  return (
    <FormDialog
      title={brand === 'new' ? '新增品牌' : '修改品牌'}
      open={brand !== undefined}
      form={form}
      fields={{ name: { span: 2 }, remark: { span: 2 } }}
      onSubmit={async (values) => {
        await call(saveBrand, { body: { ...values, ...known } }, { quiet: true, idempotencyKey: uuid() });
        await Promise.all(REFRESHES.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
      }}
      onClose={onClose}
    />
  );
}

/** Asks into which brand another one goes. */
function MergeDialog({ brand, onClose }: { brand: BrandRow | undefined; onClose: () => void }) {
  const [to, setTo] = useState<string>();
  const { brands } = useProductOptions();
  const close = () => {
    setTo(undefined);
    onClose();
  };
  const merge = useSend(mergeBrands, {
    refreshes: REFRESHES,
    onSuccess: ({ moved }) => {
      notice.success(`已合并，${moved} 个产品改为新品牌`);
      close();
    },
  });
  return (
    <Modal
      title={`合并品牌「${brand?.name ?? ''}」`}
      open={brand !== undefined}
      okText="合并"
      okButtonProps={{ disabled: to === undefined }}
      confirmLoading={merge.isPending}
      onOk={() => brand && to && merge.mutate({ body: { from: brand.id, to } })}
      onCancel={close}
    >
      <p>该品牌的 {brand?.products ?? 0} 个产品改为所选品牌，原品牌删除，不能撤销。</p>
      <Select
        style={{ width: '100%' }}
        aria-label="合并到"
        placeholder="合并到"
        value={to ?? null}
        onChange={setTo}
        showSearch={{ optionFilterProp: 'label' }}
        options={brands?.filter((one) => one.value !== brand?.id) ?? []}
      />
    </Modal>
  );
}

/** 品牌 */
export default function BrandList() {
  const [brand, setBrand] = useState<BrandRow | 'new'>();
  const [merging, setMerging] = useState<BrandRow>();
  const may = useAllowed(EDIT);
  const remove = useSend(deleteBrand, { refreshes: REFRESHES, onSuccess: () => notice.success('品牌已删除') });
  const actions = (row: BrandRow): RowAction[] => [
    { label: '修改', edits: true, onClick: () => setBrand(row) },
    { label: '合并到', onClick: () => setMerging(row) },
    {
      label: '删除',
      danger: true,
      blocked: row.products > 0 ? `正被 ${row.products} 个产品使用，请先合并` : undefined,
      onClick: () =>
        Modal.confirm({
          title: `删除品牌「${row.name}」`,
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
        name="product/brand"
        title="品牌"
        unit="个品牌"
        density="dense"
        endpoint={listBrands}
        row={BrandRow}
        filter={BrandFilter}
        {...(may ? { actions } : {})}
        head={
          <Allowed code={EDIT}>
            <Button type="primary" onClick={() => setBrand('new')}>
              新增品牌
            </Button>
          </Allowed>
        }
      />
      <BrandDialog brand={brand} onClose={() => setBrand(undefined)} />
      <MergeDialog brand={merging} onClose={() => setMerging(undefined)} />
    </>
  );
}
