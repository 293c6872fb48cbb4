import { plainDecimal } from '#kit/contract/decimal.ts';
import { useCall } from '#kit/web/api/index.ts';
import { ProductCell, When } from '#kit/web/cells/index.ts';
import type { ProductDetail } from '../../contract/material.ts';
import { explodeBom, whereUsed } from '../../contract/parts.ts';
import { UseTable } from '../UseTable.tsx';

/** 组合: everything that a piece takes, level by level, the versions of the list, and who takes this product. */
export function BomTab({ product }: { product: ProductDetail }) {
  const parts = useCall(explodeBom, { body: { productId: product.id, qty: 1 } });
  const uses = useCall(whereUsed, { body: { productId: product.id } });
  return (
    <>
      <div className="line-table is-picture">
        <table aria-label="子件">
          <thead>
            <tr>
              <th>子件</th>
              <th className="is-right">层级</th>
              <th className="is-right">单件需要（含损耗）</th>
            </tr>
          </thead>
          <tbody>
            {parts.data?.map((part) => (
              <tr key={`${part.parentId}${part.id}`}>
                <td style={{ paddingLeft: part.depth * 20 }}>
                  <ProductCell product={{ name: part.name, code: part.sku, image: part.image }} />
                </td>
                <td className="is-right num">{part.depth}</td>
                <td className="is-right num">{plainDecimal(part.qty)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {parts.data?.length === 0 && <div className="line-table-none">不是组合产品</div>}
      </div>
      <UseTable uses={uses.data} />
      {product.bomVersions.length > 0 && (
        <div className="line-table is-dense">
          <table aria-label="版本">
            <thead>
              <tr>
                <th>版本</th>
                <th>生效日期</th>
                <th className="is-right">子件数</th>
                <th>修改人</th>
                <th>时间</th>
              </tr>
            </thead>
            <tbody>
              {product.bomVersions.map((one) => (
                <tr key={one.versionNo}>
                  <td className="num">{one.versionNo}</td>
                  <td>{one.effectiveFrom}</td>
                  <td className="is-right num">{one.lines}</td>
                  <td>{one.by}</td>
                  <td>
                    <When at={one.at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
