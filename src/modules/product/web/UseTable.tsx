import { plainDecimal } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import type { whereUsed } from '../contract/parts.ts';

/** Products that take another one, with how much a piece takes. */
export function UseTable({ uses }: { uses: Reply<typeof whereUsed> | undefined }) {
  return (
    <div className="line-table is-picture">
      <table aria-label="用处">
        <thead>
          <tr>
            <th>产品</th>
            <th>方式</th>
            <th className="is-right">单件用量</th>
          </tr>
        </thead>
        <tbody>
          {uses?.map((use) => (
            <tr key={`${use.way}${use.id}`}>
              <td>
                <ProductCell product={{ name: use.name, code: use.sku, image: use.image }} />
              </td>
              <td>{use.way === 'bom' ? '组合' : '辅料'}</td>
              <td className="is-right num">{plainDecimal(use.qtyPer)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {uses?.length === 0 && <div className="line-table-none">没有产品使用</div>}
    </div>
  );
}
