import { Popover } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import type { ProductRow } from '../contract/material.ts';
import { productTiers } from '../contract/parts.ts';

function Tiers({ id }: { id: string }) {
  const { data, isPending } = useCall(productTiers, { params: { id } });
  if (isPending) return <span className="skeleton" style={{ width: 220 }} />;
  if (!data?.length) return <span className="text3">没有供应商</span>;
  return (
    <div className="line-table is-dense">
      <table aria-label="档价">
        <tbody>
          {data.map((supply) => (
            <tr key={supply.id}>
              <td>
                {supply.supplier}
                {supply.isDefault && <span className="text3"> 默认</span>}
              </td>
              <td className="num text3">
                起订 {supply.moq} · {supply.leadDays} 天
              </td>
              <td>
                {supply.prices?.tiers?.map((tier) => (
                  <div key={tier.minQty} className="num">
                    ≥{tier.minQty}　
                    <Money amount={tier.unitPrice} currency={supply.prices?.currency ?? 'CNY'} />
                  </div>
                )) ?? <span className="text3">无报价</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The default supplier of a product; its prices and those of the others on hover. */
export function TiersPopover({ row }: { row: ProductRow }) {
  const [open, setOpen] = useState(false);
  if (!row.supplier) return <span className="text3">—</span>;
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      content={open ? <Tiers id={row.id} /> : null}
      mouseEnterDelay={0.35}
      destroyOnHidden
    >
      <span className="ellipsis">{row.supplier}</span>
    </Popover>
  );
}
