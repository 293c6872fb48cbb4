import { Button, Popconfirm } from 'antd';
import { useState } from 'react';
import { Decimal } from '#kit/contract/decimal.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Tag, When } from '#kit/web/cells/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { FREIGHT_VIEW } from '../../contract/freight/fields.ts';
import type { InboundView } from '../../contract/inbound.ts';
import { type PlacementCost, placementCosts } from '../../contract/placement.ts';
import { eachText, OfferCenters, OfferSum } from './OfferCosts.tsx';
import { feeText } from './phase.ts';

type Offer = InboundView['placement'][number];

interface CardProps {
  offer: Offer;
  index: number;
  /** Our own costs beside Amazon's; undefined for those who may not see them. */
  cost: PlacementCost | undefined;
  lowFee: boolean;
  pieces: number;
  on: boolean;
  locked: boolean;
  onChoose: () => void;
}

function OfferCard({ offer, index, cost, lowFee, pieces, on, locked, onChoose }: CardProps) {
  return (
    <button
      type="button"
      className={`inbound-offer${on ? ' is-on' : ''}${offer.expired ? ' is-over' : ''}`}
      aria-pressed={on}
      disabled={locked || offer.expired}
      onClick={onChoose}
    >
      <span className="inbound-offer-head">
        <span className="inbound-mark" aria-hidden />
        <strong>方案 {index + 1}</strong>
        <span className="text2">{offer.shipments.length} 个货件</span>
        <span className="spring" />
        {lowFee && !offer.expired && <span className="inbound-best">配送费最低</span>}
        {cost?.cheapest && <Tag tone="done" title="总成本最低" />}
        {cost?.fastest && <Tag tone="running" title="上架最快" />}
      </span>
      <span className="inbound-fee num">{feeText(offer.fee)}</span>
      <span className="text2 num">{eachText(offer.fee, pieces)}</span>
      <OfferCenters offer={offer} cost={cost} />
      {cost && <OfferSum cost={cost} />}
      <span className="text3">
        {offer.expired ? (
          '已过期'
        ) : offer.expiresAt ? (
          <>
            有效至 <When at={offer.expiresAt} />
          </>
        ) : (
          ''
        )}
      </span>
    </button>
  );
}

/** The price card or the channel of the order may be another one meanwhile. */
const COSTS_MS = 30_000;

interface Props {
  view: InboundView;
  busy: boolean;
  writes: boolean;
  onConfirm: (offer: Offer) => void;
}

/** 配送方案 side by side: where the goods would go, what Amazon asks for it, and what our own way there costs. */
export function PlacementPanel({ view, busy, writes, onConfirm }: Props) {
  const { placement, placementFixed, order } = view;
  const [picked, setPicked] = useState<string>();
  const settled = placement.find(({ chosen }) => chosen);
  const chosen = settled ?? placement.find(({ optionId, expired }) => optionId === picked && !expired);
  const seesCosts = useAllowed(FREIGHT_VIEW);
  const { data: costs } = useCall(
    placementCosts,
    { params: { id: order.id } },
    { staleTime: 0, every: COSTS_MS, enabled: seesCosts && !placementFixed },
  );
  const costOf = (optionId: string) => costs?.options.find((one) => one.optionId === optionId);
  const fees = placement.map(({ fee }) => new Decimal(fee?.amount ?? 0));
  const [least, most] = fees.length > 0 ? [Decimal.min(...fees), Decimal.max(...fees)] : [];
  const isLeast = ({ fee }: Offer) => most !== undefined && least?.lt(most) && least.eq(fee?.amount ?? 0);
  const open = writes && !settled && !placementFixed;
  return (
    <section className="inbound-panel">
      <h2>{placementFixed ? '已确认的配送方案' : '比较配送方案'}</h2>
      {costs && costs.options.length > 0 && (
        <span className="text2">
          {costs.channel
            ? `自付运费按渠道「${costs.channel}」${costs.day} 的价卡与汇率估算`
            : '发货单未选择渠道，无法估算自付运费；可在发货单的「物流信息」中选择'}
        </span>
      )}
      <div className="inbound-offers">
        {placement
          .filter(({ chosen: taken }) => taken || !placementFixed)
          .map((offer, index) => (
            <OfferCard
              key={offer.optionId}
              offer={offer}
              index={index}
              cost={costOf(offer.optionId)}
              lowFee={isLeast(offer) ?? false}
              pieces={order.pickedQty}
              on={offer.optionId === chosen?.optionId}
              locked={!open}
              onChoose={() => setPicked(offer.optionId)}
            />
          ))}
      </div>
      {open && (
        <div className="inbound-act">
          <span className="text2">配送费按入库件数由亚马逊收取；确认后仓库与货件固定，只能取消整个计划。</span>
          <span className="spring" />
          <Popconfirm
            title="接受费用并确认配送方案？"
            description={`${feeText(chosen?.fee ?? null)}，确认后不可更改`}
            okText="接受并确认"
            cancelText="再看看"
            disabled={!chosen}
            onConfirm={() => chosen && onConfirm(chosen)}
          >
            <Button type="primary" disabled={!chosen} loading={busy}>
              {chosen ? (chosen.fee ? `接受 ${feeText(chosen.fee)} 并确认` : '确认方案') : '请选择方案'}
            </Button>
          </Popconfirm>
        </div>
      )}
    </section>
  );
}
