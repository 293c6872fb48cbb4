import { Money, Person, When } from '#kit/web/cells/index.ts';
import { FactColumns, Facts } from '#kit/web/document/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { FeeSplit, InvoiceType, OrderType } from '../../contract/fields.ts';
import { type OrderHead, purchaseOrder } from '../../contract/order.ts';
import { LinkKind, type OrderLink } from '../../contract/parts.ts';

const titleOf = (
  schema: { meta: () => { states?: Record<string, { title: string }> | undefined } | undefined },
  value: string,
) => schema.meta()?.states?.[value]?.title ?? value;

interface Props {
  order: OrderHead;
  prices: boolean;
  links: readonly OrderLink[];
}

/** Orders that this one was split or merged with; one out of reach is only named. */
function Links({ links }: { links: readonly OrderLink[] }) {
  return (
    <span className="order-links">
      {links.map((link) => (
        <span key={`${link.kind} ${link.id}`} className="nowrap">
          {titleOf(LinkKind, link.kind)}{' '}
          {link.stage === null ? (
            link.number
          ) : (
            <TabLink to={purchaseOrder.detail} title={link.number} query={{ id: link.id }}>
              {link.number}
            </TabLink>
          )}
        </span>
      ))}
    </span>
  );
}

/** What was agreed, what it costs, and who did what. */
export function OrderFacts({ order, prices, links }: Props) {
  const money = (amount: string | null) => <Money amount={amount} currency={order.currency} />;
  return (
    <div className="order-facts">
      <FactColumns>
        <Facts
          title="单据信息"
          facts={[
            { label: '类型', value: titleOf(OrderType, order.type) + (order.overseas ? ' · 海外采购' : '') },
            { label: '入库仓', value: order.warehouse },
            { label: '供应商', value: `${order.supplierCode} ${order.supplier}` },
            { label: '要求到货', value: order.expectedOn },
            { label: '付款条款', value: order.termsText },
            ...(order.incoterm ? [{ label: '贸易术语', value: order.incoterm }] : []),
            { label: '发票', value: titleOf(InvoiceType, order.invoiceType) },
            { label: '备注', value: order.remark || null },
            ...(links.length > 0 ? [{ label: '关联采购单', value: <Links links={links} /> }] : []),
          ]}
        />
        {prices && (
          <Facts
            title="费用"
            money
            facts={[
              { label: '货款（含税）', value: money(order.goodsAmount) },
              { label: '其中税额', value: money(order.taxAmount) },
              { label: '运费', value: money(order.freight) },
              { label: '其他费用', value: money(order.otherFee) },
              { label: '优惠', value: money(order.discount) },
              { label: '费用分摊', value: titleOf(FeeSplit, order.feeSplit) },
              { label: '采购总额', value: money(order.amount), strong: true },
              ...(order.overseas && order.duty !== null ? [{ label: '预计关税', value: money(order.duty) }] : []),
              ...(order.overseas && order.importVat !== null
                ? [{ label: '预计进口VAT', value: money(order.importVat) }]
                : []),
            ]}
          />
        )}
        <Facts
          title="经办"
          facts={[
            { label: '采购员', value: <Person name={order.createdByName} /> },
            { label: '审核', value: order.approvedByName && <Person name={order.approvedByName} /> },
            { label: '下单', value: order.placedByName && <Person name={order.placedByName} /> },
            { label: '下单时间', value: order.placedAt && <When at={order.placedAt} /> },
            ...(order.rate && order.currency !== 'CNY' ? [{ label: '下单汇率', value: order.rate }] : []),
          ]}
        />
      </FactColumns>
    </div>
  );
}
