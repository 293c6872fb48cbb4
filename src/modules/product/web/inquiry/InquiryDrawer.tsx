import { Button, Checkbox, InputNumber, Modal } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Picture, State } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { PRICE_EDIT } from '../../contract/fields.ts';
import {
  awardOffer,
  compareOffers,
  countInquiries,
  dropOffer,
  InquiryState,
  listInquiries,
  moveInquiry,
  type Offer,
} from '../../contract/inquiry.ts';
import { listProducts, productDetail } from '../../contract/material.ts';
import { priceHistory, productTiers } from '../../contract/parts.ts';
import { OfferDialog } from './OfferDialog.tsx';
import { OfferTable } from './OfferTable.tsx';

const REFRESHES = [compareOffers, listInquiries, countInquiries];
const PRICES = [productDetail, productTiers, priceHistory, listProducts];

/** One inquiry: its offers side by side, for its own pieces or for others that are tried. */
export function InquiryDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const [qty, setQty] = useState<{ id: string; qty: number }>();
  const [offering, setOffering] = useState<Offer | 'new'>();
  const may = useAllowed(PRICE_EDIT);
  const tried = qty && qty.id === id ? qty.qty : undefined;
  const body = { id: id ?? '', ...(tried === undefined ? {} : { qty: tried }) };
  const { data, isError, error, refetch } = useCall(compareOffers, { body }, { enabled: id !== undefined, keep: true });
  const shown = data?.id === id ? data : undefined;
  const award = useSend(awardOffer, {
    refreshes: [...REFRESHES, ...PRICES],
    onSuccess: () => notice.success('已写入档价，采购单将按此取价'),
  });
  const drop = useSend(dropOffer, { refreshes: REFRESHES, onSuccess: () => notice.success('报价已删除') });
  const move = useSend(moveInquiry, { refreshes: REFRESHES });
  const take = (offer: Offer) => {
    let asDefault = false;
    Modal.confirm({
      title: `采用「${offer.supplier}」的报价`,
      content: (
        <>
          <p>写入该供应商的档价、起订量和供货周期，{offer.validTo ? `有效期至 ${offer.validTo}` : '长期有效'}。</p>
          <Checkbox onChange={({ target }) => (asDefault = target.checked)}>设为默认供应商</Checkbox>
        </>
      ),
      okText: '采用',
      onOk: () =>
        shown &&
        award.mutateAsync({
          body: { id: shown.id, supplierId: offer.supplierId, asDefault, version: shown.version },
        }),
    });
  };
  const remove = (offer: Offer) =>
    Modal.confirm({
      title: `删除「${offer.supplier}」的报价`,
      okText: '删除',
      okButtonProps: { danger: true },
      onOk: () => shown && drop.mutateAsync({ body: { id: shown.id, supplierId: offer.supplierId } }),
    });
  const acts = { onAward: take, onEdit: setOffering, onDrop: remove };
  const step = (action: 'close' | 'reopen') =>
    shown &&
    move.mutate({
      body: { id: shown.id, action, version: shown.version, ...(action === 'close' ? { reason: '不再询价' } : {}) },
    });
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      picture={<Picture src={shown?.product.image} size={40} />}
      title={shown?.product.name ?? ''}
      subtitle={shown && `${shown.number}　${shown.product.code}`}
      extra={shown && <State value={shown.state} states={InquiryState.meta()?.states} />}
      actions={
        shown && (
          <Allowed code={PRICE_EDIT}>
            {shown.state === 'open' ? (
              <>
                <Button onClick={() => step('close')}>关闭</Button>
                <Button type="primary" onClick={() => setOffering('new')}>
                  登记报价
                </Button>
              </>
            ) : (
              <Button onClick={() => step('reopen')}>重新询价</Button>
            )}
          </Allowed>
        )
      }
    >
      {isError && <ErrorState error={error} onRetry={() => void refetch()} />}
      {shown && (
        <div className="inquiry-body">
          <div className="inquiry-line">
            <span className="text2">
              需要 <b className="num">{formatInteger(shown.qty)}</b> 件{shown.dueOn && `，截止 ${shown.dueOn}`}
              {shown.remark && `，${shown.remark}`}
            </span>
            <span className="spring" />
            <span className="text2">按数量比较</span>
            <InputNumber
              aria-label="按数量比较"
              size="small"
              min={1}
              precision={0}
              controls={false}
              value={tried ?? shown.qty}
              onChange={(next) => next && setQty({ id: shown.id, qty: next })}
            />
          </div>
          <OfferTable
            offers={shown.offers}
            awardedSupplierId={shown.awardedSupplierId}
            acts={may && shown.state === 'open' ? acts : undefined}
          />
          <p className="label">按满足数量所需的含税总额比较：未税报价加供应商的发票税率，外币按今日汇率折算人民币。</p>
        </div>
      )}
      {shown && <OfferDialog id={shown.id} offer={offering} onClose={() => setOffering(undefined)} />}
    </DetailDrawer>
  );
}
