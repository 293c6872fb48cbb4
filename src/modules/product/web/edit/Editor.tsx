import '../product.css';
import { Modal } from 'antd';
import { useMemo, useState } from 'react';
import { ApiError, cacheKey, call, queryClient, uuid } from '#kit/web/api/index.ts';
import { DocumentScreen } from '#kit/web/document/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { useDirty, useTab } from '#kit/web/tabs/scope.ts';
import { productOptions } from '../../contract/catalogue.ts';
import { COST, Hazard, Kind, Lifecycle, QcLevel } from '../../contract/fields.ts';
import {
  countProducts,
  listConsumables,
  listPackages,
  listProducts,
  type ProductDetail,
  ProductFacts,
  productDetail,
  saveProduct,
} from '../../contract/material.ts';
import { saveBom } from '../../contract/parts.ts';
import { useProductOptions } from '../options.ts';
import { bomOf, type Difference, type Draft, differences, draftOf, linesText, partsOf } from './draft.ts';
import type { Line } from './EditTable.tsx';
import { Photos } from './Photos.tsx';
import { BomSection, ConsumableSection, CustomsSection, SizeSection, SupplySection } from './sections.tsx';

const Form = ProductFacts.extend({ unitCost: saveProduct.body.shape.unitCost });
const FIELDS = Object.entries(Form.shape).map(([key, schema]) => ({ key, title: schema.meta()?.title ?? key }));
const PART_TITLES: Record<keyof Draft, [string, string[]]> = {
  bom: ['组合', ['label', 'qtyPer', 'scrapShare']],
  supplies: ['供应商', ['supplier', 'isDefault', 'moq', 'orderMultiple', 'leadDays', 'supplierSku', 'url']],
  dimensions: ['规格', ['title', 'length', 'width', 'height', 'weight', 'unitsPerCarton']],
  box: ['箱内尺寸', ['innerLength', 'innerWidth', 'innerHeight', 'loadWeight']],
  consumables: ['辅料', ['label', 'qtyPer']],
  customs: [
    '报关',
    [
      'country',
      'hsCode',
      'nameCn',
      'nameEn',
      'declaredValue',
      'declaredCurrency',
      'refundRate',
      'dutyRate',
      'vatRate',
      'material',
      'purpose',
      'elements',
      'unit1',
      'unit2',
      'unitRatio',
    ],
  ],
};
const NEW = { kind: 'goods', lifecycle: 'active', unit: '件', hazards: [], qcLevel: 'none', tagIds: [] };
const SAVE = [{ name: 'save', title: '保存', primary: true, reason: false }];
const OLD = [productDetail, listProducts, countProducts, listConsumables, listPackages, productOptions];

interface Props {
  /** The product that is changed; undefined for a new one. */
  detail: ProductDetail | undefined;
  /** What a new one begins with: a copy, or its kind. */
  from?: ProductDetail | undefined;
  kind?: string | undefined;
}

function startOf({ detail, from, kind }: Props): Line {
  if (detail) return { ...detail };
  const { sku: _, barcode: __, ...rest } = from ?? {};
  return { ...NEW, ...rest, ...(kind ? { kind } : {}) };
}

/** Asks before saving, naming everything that changes. */
function confirmed(found: readonly Difference[]): Promise<boolean> {
  return new Promise((resolve) => {
    Modal.confirm({
      title: `保存 ${found.length} 处修改`,
      width: 680,
      icon: null,
      content: (
        <div className="line-table is-dense">
          <table className="diff-table" aria-label="修改">
            <thead>
              <tr>
                <th style={{ width: 110 }}>字段</th>
                <th>修改前</th>
                <th>修改后</th>
              </tr>
            </thead>
            <tbody>
              {found.map((one) => (
                <tr key={one.title}>
                  <td>{one.title}</td>
                  <td className="text3">{one.before}</td>
                  <td>{one.after}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ),
      okText: '保存',
      onOk: () => resolve(true),
      onCancel: () => resolve(false),
    });
  });
}

/** 新增/编辑: all of a product on tabs; nothing is saved before its changes have been shown. */
export function Editor(props: Props) {
  const { detail } = props;
  const tab = useTab();
  const [start] = useState(() => startOf(props));
  const form = useForm(Form, start);
  const [before, setBefore] = useState(() => draftOf(detail ?? props.from));
  const [draft, setDraft] = useState(before);
  const choices = useProductOptions();
  const mayCost = useAllowed(COST);
  const touched = draft !== before;
  useDirty(touched);
  const put = (part: keyof Draft, lines: Line[]) => setDraft((old) => ({ ...old, [part]: lines }));
  const named = useMemo(() => {
    const lists: Record<string, readonly { value: string; label: string }[] | undefined> = {
      brandId: choices.brands,
      categoryId: choices.categories,
      modelId: choices.models,
      ownerId: choices.people,
      purchaserId: choices.people,
      tagIds: choices.tags,
    };
    const states: Record<
      string,
      { meta: () => { states?: Record<string, { title: string }> | undefined } | undefined }
    > = {
      kind: Kind,
      lifecycle: Lifecycle,
      qcLevel: QcLevel,
      hazards: Hazard,
    };
    return (key: string, value: unknown): string | undefined => {
      const one = (item: unknown) =>
        lists[key]?.find((option) => option.value === item)?.label ??
        states[key]?.meta()?.states?.[String(item)]?.title ??
        String(item);
      if (Array.isArray(value)) return value.length === 0 ? '空' : value.map(one).join('、');
      return value === null || value === undefined || value === '' ? '空' : one(value);
    };
  }, [choices]);

  const save = async () => {
    const values = form.check();
    if (!values) throw new Error('not complete');
    const parts = (Object.keys(PART_TITLES) as (keyof Draft)[]).flatMap((key) => {
      const [title, keys] = PART_TITLES[key];
      const [old, now] = [linesText(before[key], keys), linesText(draft[key], keys)];
      return old === now ? [] : [{ key, title, before: old, after: now }];
    });
    const found = [...differences(FIELDS, detail ? start : {}, values as Line, named), ...parts];
    if (found.length === 0) {
      notice.success('没有修改');
      return;
    }
    if (detail && !(await confirmed(found))) return;
    const { unitCost, ...facts } = values;
    const cost = mayCost && unitCost && unitCost !== start.unitCost ? { unitCost } : {};
    const known = detail ? { id: detail.id, version: detail.version } : {};
    try {
      const body = { ...facts, ...partsOf(draft, values.kind), ...cost, ...known };
      const saved = await call(saveProduct, { body }, { quiet: true, idempotencyKey: uuid() });
      if (parts.some((part) => part.key === 'bom')) {
        const versionNo = detail?.bomVersions[0]?.versionNo ?? 0;
        await call(
          saveBom,
          { body: { productId: saved.id, versionNo, lines: bomOf(draft) } },
          { quiet: true, idempotencyKey: uuid() },
        );
      }
      form.reset(form.values);
      setBefore(draft);
      await Promise.all(OLD.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
      notice.success(`产品 ${values.sku} 已保存`);
      if (!detail) tab.open('/material/details', { title: values.sku, query: { id: saved.id }, replace: true });
    } catch (error) {
      if (!form.refuse(error) && error instanceof ApiError) notice.error(error.message);
      throw error;
    }
  };
  const lifecycle = Lifecycle.meta()?.states?.[String(form.values.lifecycle)];
  const isBox = form.values.kind === 'package';
  return (
    <DocumentScreen
      number={String(form.values.sku ?? '') || (detail?.sku ?? '新增产品')}
      state={lifecycle}
      subject={String(form.values.name ?? '')}
      actions={SAVE}
      onAction={save}
      consequence={form.dirty || touched ? '有未保存的修改' : detail ? '没有未保存的修改' : '填写后保存'}
      tabs={[
        {
          key: 'basic',
          title: '基本',
          content: (
            <div className="product-edit">
              <SchemaForm
                form={form}
                columns={4}
                fields={{
                  name: { span: 2 },
                  specification: { span: 2 },
                  remark: { span: 4 },
                  brandId: { options: choices.brands ?? [] },
                  categoryId: { options: choices.categories ?? [] },
                  modelId: { options: choices.models ?? [] },
                  ownerId: { options: choices.people ?? [] },
                  purchaserId: { options: choices.people ?? [] },
                  tagIds: { options: choices.tags ?? [], span: 2 },
                  hazards: { span: 2 },
                  lifecycle: { disabled: start.lifecycle === 'offline' },
                  unitCost: { prefix: '¥', hidden: !mayCost, help: '今天起的单件成本' },
                }}
              />
            </div>
          ),
        },
        {
          key: 'bom',
          title: '组合',
          count: draft.bom.length,
          content: (
            <div className="product-edit">
              <BomSection draft={draft} put={put} />
            </div>
          ),
        },
        {
          key: 'supply',
          title: '采购',
          count: draft.supplies.length,
          content: (
            <div className="product-edit">
              <SupplySection draft={draft} put={put} suppliers={choices.suppliers ?? []} />
            </div>
          ),
        },
        {
          key: 'size',
          title: '规格',
          content: (
            <div className="product-edit">
              <SizeSection draft={draft} put={put} isBox={isBox} />
            </div>
          ),
        },
        {
          key: 'consumable',
          title: '辅料',
          count: draft.consumables.length,
          content: (
            <div className="product-edit">
              <ConsumableSection draft={draft} put={put} />
            </div>
          ),
        },
        {
          key: 'customs',
          title: '物流报关',
          content: (
            <div className="product-edit">
              <CustomsSection draft={draft} put={put} />
            </div>
          ),
        },
        {
          key: 'photos',
          title: '图片',
          count: detail?.media.length ?? 0,
          content: (
            <div className="product-edit">
              {detail ? (
                <Photos id={detail.id} media={detail.media} editable />
              ) : (
                <span className="text3">保存后可上传图片</span>
              )}
            </div>
          ),
        },
      ]}
    />
  );
}
