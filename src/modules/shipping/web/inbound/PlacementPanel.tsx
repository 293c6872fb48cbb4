import { Button, Popconfirm } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { When } from '#kit/web/cells/index.ts';
import type { InboundView } from '../../contract/inbound.ts';
import { feeText, piecesOf } from './phase.ts';

type Offer = InboundView['placement'][number];

interface CardProps {
  offer: Offer;
  index: number;
  cheapest: boolean;
  pieces: number;
  on: boolean;
  locked: boolean;
  onChoose: () => void;
}

function OfferCard({ offer, index, cheapest, pieces, on, locked, onChoose }: CardProps) {
  const each = offer.fee && pieces > 0 ? offer.fee.amount / pieces : 0;
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
        {cheapest && !offer.expired && <span className="inbound-best">费用最低</span>}
      </span>
      <span className="inbound-fee num">{feeText(offer.fee)}</span>
      <span className="text2 num">{each > 0 ? `每件 ${each.toFixed(3)} ${offer.fee?.code}` : '每件 0'}</span>
      <span className="inbound-centers">
        {offer.shipments.map(({ shipmentId, center, items }) => (
          <span key={shipmentId}>
            <span className="code">{center}</span>
            <span className="num">
              {items.length} 个SKU · {formatInteger(piecesOf(items))} 件
            </span>
          </span>
        ))}
      </span>
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

interface Props {
  view: InboundView;
  busy: boolean;
  writes: boolean;
  onConfirm: (offer: Offer) => void;
}

/** 配送方案 side by side: where the goods would go, and what Amazon asks for it. */
export function PlacementPanel({ view, busy, writes, onConfirm }: Props) {
  const { placement, placementFixed, order } = view;
  const [picked, setPicked] = useState<string>();
  const settled = placement.find(({ chosen }) => chosen);
  const chosen = settled ?? placement.find(({ optionId, expired }) => optionId === picked && !expired);
  const fees = placement.map(({ fee }) => fee?.amount ?? 0);
  const [least, most] = [Math.min(...fees), Math.max(...fees)];
  const open = writes && !settled && !placementFixed;
  return (
    <section className="inbound-panel">
      <h2>{placementFixed ? '已确认的配送方案' : '比较配送方案'}</h2>
      <div className="inbound-offers">
        {placement
          .filter(({ chosen: taken }) => taken || !placementFixed)
          .map((offer, index) => (
            <OfferCard
              key={offer.optionId}
              offer={offer}
              index={index}
              cheapest={least < most && (offer.fee?.amount ?? 0) === least}
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
