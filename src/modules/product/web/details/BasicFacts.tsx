import { Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import { Tag } from '#kit/web/cells/index.ts';
import { FactColumns, Facts } from '#kit/web/document/index.ts';
import { Hazard, Kind, QcLevel } from '../../contract/fields.ts';
import type { ProductDetail } from '../../contract/material.ts';

const title = (choice: typeof Kind | typeof QcLevel | typeof Hazard, value: string) =>
  choice.meta()?.states?.[value]?.title ?? value;
const percent = (share: string | null | undefined) => (share ? `${new Decimal(share).times(100).toFixed()}%` : null);

type Fact = { label: string; value: string };

/** A group of facts says so where there is none. */
const orNone = (label: string, facts: readonly Fact[]) => (facts.length > 0 ? facts : [{ label, value: null }]);

/** What a product is, its sizes and its customs data. */
export function BasicFacts({ product }: { product: ProductDetail }) {
  const names = { net: '净品', packed: '带包装', carton: '单箱' };
  return (
    <FactColumns>
      <Facts
        title="基本"
        facts={[
          { label: '名称', value: product.name, strong: true },
          { label: '类型', value: title(Kind, product.kind) },
          { label: '品牌', value: product.brand },
          { label: '品类', value: product.category },
          { label: '型号', value: product.model },
          { label: '规格', value: product.specification },
          { label: '条码', value: product.barcode },
          { label: '单位', value: product.unit },
          { label: '敏感货', value: product.hazards.map((one) => title(Hazard, one)).join('、') || null },
          {
            label: '标签',
            value:
              product.tags.length > 0
                ? product.tags.map((tag) => <Tag key={tag.id} tone="off" title={tag.name} />)
                : null,
          },
          { label: '备注', value: product.remark },
        ]}
      />
      <Facts
        title="负责"
        facts={[
          { label: '负责人', value: product.owner },
          { label: '采购员', value: product.purchaser },
          { label: '生效日期', value: product.effectiveDate },
          { label: '质检', value: title(QcLevel, product.qcLevel) },
        ]}
      />
      <Facts
        title="规格"
        facts={orNone(
          '尺寸重量',
          product.dimensions.map((one) => ({
            label: names[one.role],
            value: [
              one.length && one.width && one.height
                ? `${[one.length, one.width, one.height].map(plainDecimal).join('×')} cm`
                : null,
              one.weight ? `${plainDecimal(one.weight)} kg` : null,
              one.unitsPerCarton ? `${one.unitsPerCarton} 件/箱` : null,
            ]
              .filter(Boolean)
              .join('　'),
          })),
        )}
      />
      <Facts
        title="物流报关"
        facts={orNone(
          '海关编码',
          product.customs.map((one) => ({
            label: one.country || '出口',
            value: [
              one.hsCode,
              one.nameCn,
              one.declaredValue ? `申报 ${plainDecimal(one.declaredValue)} ${one.declaredCurrency}` : null,
              one.refundRate ? `退税 ${percent(one.refundRate)}` : null,
              one.dutyRate ? `关税 ${percent(one.dutyRate)}` : null,
            ]
              .filter(Boolean)
              .join('　'),
          })),
        )}
      />
      <Facts
        title="辅料"
        facts={orNone(
          '用量',
          product.consumables.map((one) => ({
            label: one.sku,
            value: `${one.name} × ${plainDecimal(one.qtyPer)}`,
          })),
        )}
      />
    </FactColumns>
  );
}
