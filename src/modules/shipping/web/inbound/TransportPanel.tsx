import { Button, DatePicker, Popconfirm, Select } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { sum } from '#kit/contract/decimal.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { type InboundView, ShippingMode } from '../../contract/inbound.ts';
import { feeText, piecesOf } from './phase.ts';

const MODES = ShippingMode.meta()?.states ?? {};
const AVAILABILITY: Readonly<Record<string, string>> = {
  AVAILABLE: '可约',
  CONGESTED: '拥挤',
  DISCOUNTED: '优惠',
  BLOCKED: '已满',
};

export interface ChosenWay {
  shipmentId: string;
  optionId: string;
  windowId: string | null;
}

interface Props {
  view: InboundView;
  busy: boolean;
  writes: boolean;
  onReady: (day: string) => void;
  onConfirm: (ways: ChosenWay[]) => void;
}

const day = (instant: string) => dayjs(instant).format('MM-DD');

type Transport = InboundView['transport'][number];

const isPartner = ({ solution }: Transport) => solution === 'AMAZON_PARTNERED_CARRIER';
const carrierText = (one: Transport) =>
  `${isPartner(one) ? '亚马逊合作承运' : '自有承运'} · ${one.carrier} · ${MODES[one.mode]?.title ?? one.mode}${
    one.cost ? ` · ${feeText(one.cost)}` : ''
  }`;

/** Carrier and delivery window of each shipment; all of them are confirmed at once. */
export function TransportPanel({ view, busy, writes, onReady, onConfirm }: Props) {
  const [ways, setWays] = useState<Readonly<Record<string, Partial<ChosenWay>>>>({});
  const put = (shipmentId: string, next: Partial<ChosenWay>) =>
    setWays((old) => ({ ...old, [shipmentId]: { ...old[shipmentId], ...next } }));
  const chosen = view.shipments.map(({ shipmentId }): ChosenWay => {
    const way = ways[shipmentId];
    return { shipmentId, optionId: way?.optionId ?? '', windowId: way?.windowId ?? null };
  });
  const offerOf = (way: ChosenWay) => view.transport.find(({ optionId }) => optionId === way.optionId);
  const open = chosen.find((way) => !offerOf(way) || (offerOf(way)?.needsWindow && !way.windowId));
  const costs = chosen.flatMap((way) => offerOf(way)?.cost ?? []);
  const total = sum(costs.map(({ amount }) => amount));
  const owed = costs[0] ? feeText({ amount: total, code: costs[0].code }) : '无费用';
  return (
    <section className="inbound-panel">
      <div className="inbound-panel-head">
        <h2>承运方式与送达窗口</h2>
        <span className="spring" />
        {writes && (
          <span className="inbound-ready">
            备货完成日
            <DatePicker
              size="small"
              aria-label="备货完成日"
              value={view.readyOn ? dayjs(view.readyOn) : null}
              placeholder="明天"
              onChange={(value) => value && onReady(value.format('YYYY-MM-DD'))}
            />
          </span>
        )}
      </div>
      {view.shipments.map(({ shipmentId, shipmentNo, center, items, boxes }) => {
        const way = chosen.find((one) => one.shipmentId === shipmentId);
        const offer = way && offerOf(way);
        const offers = view.transport.filter((one) => one.shipmentId === shipmentId);
        return (
          <div key={shipmentId} className="inbound-way">
            <div className="inbound-way-head">
              <span className="code">{shipmentNo}</span>
              <strong className="code">{center}</strong>
              <span className="text2 num">
                {boxes.length} 箱 · {items.length} 个SKU · {formatInteger(piecesOf(items))} 件
              </span>
            </div>
            <div className="inbound-way-choice">
              <Select
                aria-label={`${center} 承运方式`}
                showSearch
                optionFilterProp="label"
                placeholder="选择承运方式"
                disabled={!writes}
                value={way?.optionId || undefined}
                options={offers.map((one) => ({ value: one.optionId, label: carrierText(one) }))}
                onChange={(optionId = '') => put(shipmentId, { optionId, windowId: null })}
              />
              {offer?.needsWindow ? (
                <Select
                  aria-label={`${center} 送达窗口`}
                  placeholder="选择送达窗口"
                  disabled={!writes}
                  value={way?.windowId ?? undefined}
                  options={view.windows
                    .filter((one) => one.shipmentId === shipmentId)
                    .map((one) => ({
                      value: one.optionId,
                      disabled: one.availability === 'BLOCKED',
                      label: `${day(one.from)} 至 ${day(one.to)} · ${AVAILABILITY[one.availability] ?? one.availability}`,
                    }))}
                  onChange={(windowId) => put(shipmentId, { windowId: windowId ?? null })}
                />
              ) : (
                <span className="text3">{offer ? '合作承运由亚马逊安排送达' : '自有承运须选择送达窗口'}</span>
              )}
            </div>
          </div>
        );
      })}
      {writes && (
        <div className="inbound-act">
          <span className="text2">
            {open
              ? '请为每个货件选择承运方式与送达窗口'
              : `承运费用 ${owed}，确认后计费；合作承运小包裹 24 小时、零担 1 小时内可作废`}
          </span>
          <span className="spring" />
          <Popconfirm
            title="确认承运？"
            description={`${owed}，全部货件一次确认`}
            okText="确认承运"
            cancelText="再看看"
            disabled={open !== undefined}
            onConfirm={() => onConfirm(chosen)}
          >
            <Button type="primary" disabled={open !== undefined} loading={busy}>
              确认承运
            </Button>
          </Popconfirm>
        </div>
      )}
    </section>
  );
}
