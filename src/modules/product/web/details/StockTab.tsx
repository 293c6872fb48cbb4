import { useCall } from '#kit/web/api/index.ts';
import { Integer } from '#kit/web/cells/index.ts';
import { productStock } from '../../contract/material.ts';

/** Stock of the product by place, as far as modules that keep stock say so. */
export function StockTab({ id }: { id: string }) {
  const { data } = useCall(productStock, { params: { id } });
  return (
    <div className="line-table is-dense">
      <table aria-label="库存">
        <thead>
          <tr>
            <th>位置</th>
            <th>类型</th>
            <th className="is-right">可用</th>
            <th className="is-right">总数</th>
          </tr>
        </thead>
        <tbody>
          {data?.map((one) => (
            <tr key={`${one.kind}${one.place}`}>
              <td>{one.place}</td>
              <td>{one.kind}</td>
              <td className="is-right">
                <Integer value={one.available} />
              </td>
              <td className="is-right">
                <Integer value={one.total} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {data?.length === 0 && <div className="line-table-none">没有库存记录</div>}
    </div>
  );
}
