import { Button, Radio, Select } from 'antd';
import type { Option } from '../options.ts';
import { ProductPicker } from '../ProductPicker.tsx';
import type { Draft } from './draft.ts';
import { type EditColumn, EditTable, type Line } from './EditTable.tsx';

interface Props {
  draft: Draft;
  put: (part: keyof Draft, lines: Line[]) => void;
}

const SIZES: EditColumn[] = [
  { key: 'title', title: '尺寸', kind: 'only', width: 90 },
  { key: 'length', title: '长(cm)', kind: 'decimal' },
  { key: 'width', title: '宽(cm)', kind: 'decimal' },
  { key: 'height', title: '高(cm)', kind: 'decimal' },
  { key: 'weight', title: '重量(kg)', kind: 'decimal' },
];
const UNITS: EditColumn = { key: 'unitsPerCarton', title: '单箱数量', kind: 'integer' };
const BOX: EditColumn[] = [
  { key: 'innerLength', title: '内长(cm)', kind: 'decimal' },
  { key: 'innerWidth', title: '内宽(cm)', kind: 'decimal' },
  { key: 'innerHeight', title: '内高(cm)', kind: 'decimal' },
  { key: 'loadWeight', title: '承重(kg)', kind: 'decimal' },
];

/** 规格: sizes and weights, and what a box holds. */
export function SizeSection({ draft, put, isBox }: Props & { isBox: boolean }) {
  // Only a carton has pieces in it.
  const units = {
    ...UNITS,
    render: (line: Line) => (line.role === 'carton' ? undefined : <span className="text3">—</span>),
  };
  return (
    <>
      <EditTable
        fixed
        label="尺寸与重量"
        columns={[...SIZES, units]}
        lines={draft.dimensions}
        onChange={(lines) => put('dimensions', lines)}
      />
      {isBox && (
        <EditTable fixed label="箱内尺寸" columns={BOX} lines={draft.box} onChange={(lines) => put('box', lines)} />
      )}
    </>
  );
}

const PARTS: EditColumn[] = [
  { key: 'label', title: '子件', kind: 'only' },
  { key: 'qtyPer', title: '数量', kind: 'decimal', width: 120 },
  { key: 'scrapShare', title: '损耗率', kind: 'percent', width: 120 },
];

/** 组合: what the product is put together of. */
export function BomSection({ draft, put }: Props) {
  return (
    <EditTable
      label="子件"
      columns={PARTS}
      lines={draft.bom}
      onChange={(lines) => put('bom', lines)}
      add={
        <ProductPicker
          placeholder="添加子件：输入 SKU、名称或条码"
          kinds={['goods', 'consumable', 'package']}
          onPick={(one) => {
            if (draft.bom.some((line) => line.componentId === one.id)) return;
            put('bom', [
              ...draft.bom,
              { componentId: one.id, label: `${one.sku} ${one.name}`, qtyPer: '1', scrapShare: '0' },
            ]);
          }}
        />
      }
    />
  );
}

const USES: EditColumn[] = [
  { key: 'label', title: '辅料', kind: 'only' },
  { key: 'qtyPer', title: '单件用量', kind: 'decimal', width: 140 },
];

/** 辅料: what packing one piece takes. */
export function ConsumableSection({ draft, put }: Props) {
  return (
    <EditTable
      label="辅料"
      columns={USES}
      lines={draft.consumables}
      onChange={(lines) => put('consumables', lines)}
      add={
        <ProductPicker
          placeholder="添加辅料：输入 SKU、名称或条码"
          kinds={['consumable', 'package']}
          onPick={(one) => {
            if (draft.consumables.some((line) => line.consumableId === one.id)) return;
            put('consumables', [
              ...draft.consumables,
              { consumableId: one.id, label: `${one.sku} ${one.name}`, qtyPer: '1' },
            ]);
          }}
        />
      }
    />
  );
}

const SUPPLIES: EditColumn[] = [
  { key: 'supplierSku', title: '供应商SKU', kind: 'text', width: 150 },
  { key: 'moq', title: '起订量', kind: 'integer', width: 90 },
  { key: 'orderMultiple', title: '订货倍数', kind: 'integer', width: 90 },
  { key: 'leadDays', title: '供货周期(天)', kind: 'integer', width: 100 },
  { key: 'url', title: '链接', kind: 'text' },
];

/** 采购: who supplies the product; exactly one of them by default. */
export function SupplySection({ draft, put, suppliers }: Props & { suppliers: readonly Option[] }) {
  const columns: EditColumn[] = [
    {
      key: 'isDefault',
      title: '默认',
      kind: 'only',
      width: 60,
      render: (line, index) => (
        <Radio
          aria-label={`默认供应商 第${index + 1}行`}
          checked={line.isDefault === true}
          onChange={() =>
            put(
              'supplies',
              draft.supplies.map((one, at) => ({ ...one, isDefault: at === index })),
            )
          }
        />
      ),
    },
    { key: 'supplier', title: '供应商', kind: 'only', width: 160 },
    ...SUPPLIES,
  ];
  const free = suppliers.filter((one) => !draft.supplies.some((line) => line.supplierId === one.value));
  return (
    <EditTable
      label="供应商"
      columns={columns}
      lines={draft.supplies}
      onChange={(lines) => put('supplies', lines)}
      add={
        <Select
          size="small"
          style={{ width: 280 }}
          aria-label="添加供应商"
          placeholder="添加供应商"
          value={null}
          showSearch={{ optionFilterProp: 'label' }}
          options={free}
          onChange={(supplierId: string) => {
            const supplier = free.find((one) => one.value === supplierId)?.label ?? '';
            const isDefault = draft.supplies.length === 0;
            put('supplies', [
              ...draft.supplies,
              { supplierId, supplier, isDefault, moq: 1, orderMultiple: 1, leadDays: 0 },
            ]);
          }}
        />
      }
    />
  );
}

const CUSTOMS: EditColumn[] = [
  { key: 'hsCode', title: '海关编码', kind: 'text', width: 120 },
  { key: 'nameCn', title: '中文名', kind: 'text', width: 130 },
  { key: 'nameEn', title: '英文名', kind: 'text', width: 130 },
  { key: 'declaredValue', title: '申报价', kind: 'decimal', width: 80 },
  { key: 'declaredCurrency', title: '币种', kind: 'text', width: 64, placeholder: 'USD' },
  { key: 'refundRate', title: '退税率', kind: 'percent', width: 80 },
  { key: 'dutyRate', title: '关税率', kind: 'percent', width: 80 },
  { key: 'vatRate', title: '增值税率', kind: 'percent', width: 80 },
  { key: 'material', title: '材质', kind: 'text', width: 100 },
  { key: 'purpose', title: '用途', kind: 'text', width: 100 },
];
const EXPORT_ONLY: EditColumn[] = [
  { key: 'elements', title: '出口申报要素', kind: 'text' },
  { key: 'unit1', title: '法定单位1', kind: 'text', width: 90 },
  { key: 'unit2', title: '法定单位2', kind: 'text', width: 90 },
  { key: 'unitRatio', title: '换算比例', kind: 'decimal', width: 90 },
];

/** 物流报关: the export declaration, and one line for each country of import. */
export function CustomsSection({ draft, put }: Props) {
  const country: EditColumn = {
    key: 'country',
    title: '国家',
    kind: 'text',
    width: 70,
    placeholder: 'US',
    render: (_line, index) => (index === 0 ? <span>出口</span> : undefined),
  };
  const [first, ...others] = draft.customs;
  return (
    <>
      <EditTable
        label="报关"
        columns={[country, ...CUSTOMS]}
        lines={draft.customs}
        // The export declaration stays, if empty: only its values can go.
        onChange={(lines) =>
          put('customs', lines[0]?.country === '' ? lines : [{ country: '', place: '出口' }, ...lines])
        }
        add={
          <Button size="small" onClick={() => put('customs', [...draft.customs, { country: null, place: '' }])}>
            添加进口国
          </Button>
        }
      />
      {first && (
        <EditTable
          fixed
          label="出口申报要素"
          columns={EXPORT_ONLY}
          lines={[first]}
          onChange={([line]) => line && put('customs', [line, ...others])}
        />
      )}
    </>
  );
}
