import { formatInteger } from '#kit/contract/format.ts';
import { Money, Tag } from '#kit/web/cells/index.ts';
import type { Offer } from '../../contract/inquiry.ts';

interface Props {
  offers: readonly Offer[];
  awardedSupplierId: string | null;
  /** What may be done with an offer; absent where nothing may. */
  acts?:
    | { onAward: (offer: Offer) => void; onEdit: (offer: Offer) => void; onDrop: (offer: Offer) => void }
    | undefined;
}

function Standing({ offer, awarded }: { offer: Offer; awarded: boolean }) {
  return (
    <>
      {awarded && <Tag tone="done" title="已定价" />}
      {!awarded && offer.best && <Tag tone="running" title="最低" />}
      {!offer.valid && <Tag tone="off" title="不在有效期" />}
      {!offer.orderable && <Tag tone="trouble" title="不能下单" />}
    </>
  );
}

function Acts({ offer, acts }: { offer: Offer; acts: NonNullable<Props['acts']> }) {
  return (
    <td className="nowrap">
      <div className="inquiry-acts">
        <button
          type="button"
          className="link"
          disabled={!offer.valid || !offer.orderable}
          onClick={() => acts.onAward(offer)}
        >
          采用
        </button>
        <button type="button" className="link" onClick={() => acts.onEdit(offer)}>
          修改
        </button>
        <button type="button" className="link" onClick={() => acts.onDrop(offer)}>
          删除
        </button>
      </div>
    </td>
  );
}

/** 比价: offers side by side, what each comes to for the same need. */
export function OfferTable({ offers, awardedSupplierId, acts }: Props) {
  return (
    <div className="line-table is-dense">
      <table aria-label="比价">
        <thead>
          <tr>
            <th>供应商</th>
            <th className="is-right">报价</th>
            <th className="is-right">含税单价</th>
            <th className="is-right">需采购</th>
            <th className="is-right">含税金额</th>
            <th className="is-right">交期(天)</th>
            <th>有效期至</th>
            {acts && <th aria-label="操作" />}
          </tr>
        </thead>
        <tbody>
          {offers.map((offer) => (
            <tr key={offer.supplierId} className={offer.best ? 'is-best' : ''}>
              <td>
                <div>
                  {offer.supplier} <Standing offer={offer} awarded={offer.supplierId === awardedSupplierId} />
                </div>
                <div className="text3 inquiry-tiers">
                  {offer.tiers.map((tier) => `≥${tier.minQty} ${tier.unitPrice}`).join('　')}
                  {offer.remark && `　${offer.remark}`}
                </div>
              </td>
              <td className="is-right">
                <Money amount={offer.unitPrice} currency={offer.currency} />
                <div className="text3">{offer.taxIncluded ? '含税' : '未税'}</div>
              </td>
              <td className="is-right">
                {offer.baseUnit === null ? (
                  <span className="text3">缺少{offer.currency}汇率</span>
                ) : (
                  <Money amount={offer.baseUnit} currency="CNY" />
                )}
              </td>
              <td className="is-right num">
                {formatInteger(offer.buyQty)}
                {(offer.moq > 1 || offer.orderMultiple > 1) && (
                  <div className="text3">
                    起订 {formatInteger(offer.moq)}，倍数 {formatInteger(offer.orderMultiple)}
                  </div>
                )}
              </td>
              <td className="is-right">
                {offer.baseAmount === null ? (
                  <Money amount={offer.amount} currency={offer.currency} />
                ) : (
                  <Money amount={offer.baseAmount} currency="CNY" />
                )}
              </td>
              <td className="is-right num">{offer.leadDays}</td>
              <td>{offer.validTo ?? '长期'}</td>
              {acts && <Acts offer={offer} acts={acts} />}
            </tr>
          ))}
        </tbody>
      </table>
      {offers.length === 0 && <div className="line-table-none">还没有报价</div>}
    </div>
  );
}
