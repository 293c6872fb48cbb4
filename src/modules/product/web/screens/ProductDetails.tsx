import '../product.css';
import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall } from '#kit/web/api/index.ts';
import type { Figure } from '#kit/web/cards/Figures.tsx';
import { Money, Person, When } from '#kit/web/cells/index.ts';
import { DocumentScreen } from '#kit/web/document/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { EDIT, Lifecycle, PRICE_EDIT, Structure } from '../../contract/fields.ts';
import { type ProductDetail, productDetail, productHistory, productTabs } from '../../contract/material.ts';
import { BasicFacts } from '../details/BasicFacts.tsx';
import { BomTab } from '../details/BomTab.tsx';
import { ListingsTab } from '../details/ListingsTab.tsx';
import { PricesDialog } from '../details/PricesDialog.tsx';
import { PriceTab } from '../details/PriceTab.tsx';
import { RelatedTab } from '../details/RelatedTab.tsx';
import { StockTab } from '../details/StockTab.tsx';
import { Photos } from '../edit/Photos.tsx';
import { LabelDialog } from '../LabelDialog.tsx';

function figuresOf(product: ProductDetail): Figure[] {
  const main = product.supplies.find((one) => one.isDefault);
  return [
    ...('unitCost' in product
      ? [{ key: 'cost', label: '采购成本', value: <Money amount={product.unitCost} currency="CNY" /> }]
      : []),
    { key: 'supplier', label: '默认供应商', value: main?.supplier ?? '—' },
    { key: 'lead', label: '供货周期', value: main ? `${main.leadDays} 天` : '—' },
    { key: 'listings', label: '在线商品', value: String(product.listings.length) },
    { key: 'structure', label: '结构', value: Structure.meta()?.states?.[product.structure]?.title ?? '' },
    { key: 'updated', label: '修改', value: <When at={product.updatedAt} />, hint: product.updatedBy },
  ];
}

function History({ id }: { id: string }) {
  const { data } = useCall(productHistory, { params: { id } });
  return (
    <div className="line-table is-dense">
      <table aria-label="变更历史">
        <thead>
          <tr>
            <th style={{ width: 130 }}>时间</th>
            <th style={{ width: 110 }}>操作人</th>
            <th style={{ width: 130 }}>操作</th>
            <th>内容</th>
          </tr>
        </thead>
        <tbody>
          {data?.map((entry) => (
            <tr key={entry.at}>
              <td>
                <When at={entry.at} />
              </td>
              <td>
                <Person name={entry.by} />
              </td>
              <td>{entry.action}</td>
              <td style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
                {entry.changes.map((change) => (
                  <div key={change.field}>
                    <span className="text3">{change.field}</span>　{change.before || '空'} → {change.after || '空'}
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {data?.length === 0 && <div className="line-table-none">没有变更</div>}
    </div>
  );
}

/** 产品详情 */
export default function ProductDetails() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const [pricing, setPricing] = useState(false);
  const [labels, setLabels] = useState(false);
  const mayEdit = useAllowed(EDIT);
  const { data, error, refetch } = useCall(productDetail, { params: { id } });
  const related = useCall(productTabs, { params: { id } });
  const open = (path: string, title: string, query: Record<string, string>) => tab.open(path, { title, query });
  return (
    <>
      <DocumentScreen
        number={data?.sku}
        state={data && Lifecycle.meta()?.states?.[data.lifecycle]}
        subject={data?.name}
        figures={data && figuresOf(data)}
        error={error}
        onRetry={() => void refetch()}
        head={
          <>
            <Button disabled={!data} onClick={() => setLabels(true)}>
              打印标签
            </Button>
            <Allowed code={PRICE_EDIT}>
              <Button disabled={!data?.supplies.length} onClick={() => setPricing(true)}>
                更新报价
              </Button>
            </Allowed>
            <Allowed code={EDIT}>
              <Button disabled={!data} onClick={() => open('/localproduct/addinfo', `复制 ${data?.sku}`, { copy: id })}>
                复制
              </Button>
              <Button
                data-edit
                type="primary"
                disabled={!data}
                onClick={() => open('/localproduct/editinfo', `编辑 ${data?.sku}`, { id })}
              >
                编辑
              </Button>
            </Allowed>
          </>
        }
        tabs={
          data
            ? [
                { key: 'basic', title: '基本', content: <BasicFacts product={data} /> },
                { key: 'stock', title: '库存', content: <StockTab id={id} /> },
                ...(related.data ?? []).map((one) => ({
                  key: one.key,
                  title: one.title,
                  count: one.rows.length,
                  content: <RelatedTab tab={one} />,
                })),
                { key: 'price', title: '价格', count: data.supplies.length, content: <PriceTab product={data} /> },
                { key: 'bom', title: '组合', count: data.bom?.lines.length ?? 0, content: <BomTab product={data} /> },
                {
                  key: 'listings',
                  title: 'Listing',
                  count: data.listings.length,
                  content: <ListingsTab product={data} />,
                },
                {
                  key: 'photos',
                  title: '图片',
                  count: data.media.length,
                  content: (
                    <div className="product-edit">
                      <Photos id={id} media={data.media} editable={mayEdit} />
                    </div>
                  ),
                },
                { key: 'history', title: '变更历史', content: <History id={id} /> },
              ]
            : []
        }
      />
      <LabelDialog ids={labels && data ? [data.id] : undefined} onClose={() => setLabels(false)} />
      {data && <PricesDialog product={data} open={pricing} onClose={() => setPricing(false)} />}
    </>
  );
}
