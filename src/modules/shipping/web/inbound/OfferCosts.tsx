import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { Money } from '#kit/web/cells/index.ts';
import type { InboundView } from '../../contract/inbound.ts';
import type { PlacementCost, PlacementLeg } from '../../contract/placement.ts';
import { piecesOf } from './phase.ts';

type Offer = InboundView['placement'][number];

/** Amazon's fee of a piece, in its own currency. */
export function eachText(fee: Offer['fee'], pieces: number): string {
  if (!fee || pieces === 0) return '每件 0';
  return `每件 ${round(new Decimal(fee.amount).div(pieces), currencyScale(fee.code) + 1)} ${fee.code}`;
}

function Leg({ leg }: { leg: PlacementLeg }) {
  return (
    <>
      <span>
        <span className="text2">自付运费</span>
        {leg.freight === null ? (
          <span className="text3 inbound-why">{leg.why}</span>
        ) : (
          <Money amount={leg.freight} currency={leg.currency} />
        )}
      </span>
      <span>
        <span className="text2">上架天数</span>
        {leg.days === null ? (
          <span className="text3 inbound-why">{leg.daysWhy}</span>
        ) : (
          <span className="num">{leg.days} 天</span>
        )}
      </span>
    </>
  );
}

/** Where the goods of an offer would go; with our own costs, if the reader may see them, what the way there costs. */
export function OfferCenters({ offer, cost }: { offer: Offer; cost: PlacementCost | undefined }) {
  return (
    <span className="inbound-centers">
      {offer.shipments.map(({ shipmentId, center, items }) => {
        const leg = cost?.legs.find((one) => one.shipmentId === shipmentId);
        return (
          <span key={shipmentId} className="inbound-center">
            <span>
              <span className="code">{center}</span>
              <span className="num">
                {items.length} 个SKU · {formatInteger(piecesOf(items))} 件
              </span>
            </span>
            {leg && <Leg leg={leg} />}
          </span>
        );
      })}
    </span>
  );
}

/** Fee and freight together, and of a piece; why where they cannot be told. */
export function OfferSum({ cost }: { cost: PlacementCost }) {
  return (
    <span className="inbound-sum">
      <span>
        <span className="text2">配送费＋运费</span>
        {cost.totalCny === null ? (
          <span className="text3 inbound-why">{cost.why ? '无法合计' : '–'}</span>
        ) : (
          <strong>
            <Money amount={cost.totalCny} currency="CNY" />
          </strong>
        )}
      </span>
      {cost.eachCny !== null && (
        <span title="（亚马逊配送费 + 自付运费）÷ 件数；货值各方案相同，不计入">
          <span className="text2">每件入仓成本</span>
          <span className="num">{cost.eachCny} CNY</span>
        </span>
      )}
      {cost.days !== null && (
        <span title="各配送中心中最慢的一个，近180天的 90 分位">
          <span className="text2">最晚上架</span>
          <span className="num">到仓后 {cost.days} 天</span>
        </span>
      )}
    </span>
  );
}
