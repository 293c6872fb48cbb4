import { Country } from '#kit/web/cells/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import type { ProductDetail } from '../../contract/material.ts';

/** Listings that stand for the product today. */
export function ListingsTab({ product }: { product: ProductDetail }) {
  return (
    <div className="line-table is-dense">
      <table aria-label="Listing">
        <thead>
          <tr>
            <th>MSKU</th>
            <th>店铺-站点</th>
            <th>ASIN</th>
            <th>标题</th>
            <th className="is-right">每件含</th>
          </tr>
        </thead>
        <tbody>
          {product.listings.map((one) => (
            <tr key={`${one.accountId}${one.country}${one.msku}`}>
              <td className="code">{one.msku}</td>
              <td>
                <Country code={one.country} /> {one.store}
              </td>
              <td className="code">{one.asin ?? '—'}</td>
              <td className="ellipsis" style={{ maxWidth: 360 }}>
                {one.name}
              </td>
              <td className="is-right num">{one.qty}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {product.listings.length === 0 && (
        <div className="line-table-none">
          没有配对的在线商品　
          <TabLink to="/erp/baseinfo/skumatch" title="SKU配对">
            去配对
          </TabLink>
        </div>
      )}
    </div>
  );
}
