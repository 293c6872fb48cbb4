import { Button, DatePicker, Input, InputNumber, Modal, Select, Switch } from 'antd';
import dayjs from 'dayjs';
import { useEffect, useState } from 'react';
import { ApiError, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { compareOffers, listInquiries, type Offer, putOffer } from '../../contract/inquiry.ts';
import { type EditColumn, EditTable, type Line } from '../edit/EditTable.tsx';
import { useProductOptions } from '../options.ts';

const COLUMNS: EditColumn[] = [
  { key: 'minQty', title: '起订数量', kind: 'integer' },
  { key: 'unitPrice', title: '单价', kind: 'decimal' },
];

interface Draft {
  supplierId: string | undefined;
  currency: string;
  taxIncluded: boolean;
  tiers: Line[];
  moq: number | null;
  orderMultiple: number | null;
  leadDays: number | null;
  validTo: string | null;
  remark: string;
}

const NEW: Draft = {
  supplierId: undefined,
  currency: 'CNY',
  taxIncluded: true,
  tiers: [{ minQty: 1, unitPrice: null }],
  moq: 1,
  orderMultiple: 1,
  leadDays: 0,
  validTo: null,
  remark: '',
};

function draftOf(offer: Offer | 'new' | undefined): Draft {
  if (offer === undefined || offer === 'new') return NEW;
  const { supplierId, currency, taxIncluded, moq, orderMultiple, leadDays, validTo } = offer;
  const tiers = offer.tiers.map(({ minQty, unitPrice }) => ({ minQty, unitPrice }));
  return {
    supplierId,
    currency,
    taxIncluded,
    tiers,
    moq,
    orderMultiple,
    leadDays,
    validTo,
    remark: offer.remark ?? '',
  };
}

function bodyOf(id: string, draft: Draft, confirmed: boolean) {
  const { supplierId = '', moq, orderMultiple, leadDays, tiers, ...rest } = draft;
  return {
    id,
    ...rest,
    supplierId,
    moq: moq ?? 1,
    orderMultiple: orderMultiple ?? 1,
    leadDays: leadDays ?? 0,
    tiers: tiers.map((tier) => ({ minQty: Number(tier.minQty), unitPrice: String(tier.unitPrice ?? '') })),
    confirmed,
  };
}

const NUMBERS = [
  ['moq', '起订量', 1],
  ['orderMultiple', '订货倍数', 1],
  ['leadDays', '供货周期(天)', 0],
] as const;

interface Props {
  /** The inquiry that the offer is for. */
  id: string;
  offer: Offer | 'new' | undefined;
  onClose: () => void;
}

/** 登记报价: what a supplier asks, by quantity, until when. */
export function OfferDialog({ id, offer, onClose }: Props) {
  const [draft, setDraft] = useState(NEW);
  const { suppliers } = useProductOptions();
  const put = (next: Partial<Draft>) => setDraft((old) => ({ ...old, ...next }));
  useEffect(() => setDraft(draftOf(offer)), [offer]);
  const send = useSend(putOffer, {
    quiet: true,
    refreshes: [compareOffers, listInquiries],
    onSuccess: () => {
      notice.success('报价已登记');
      onClose();
    },
  });
  const submit = async (confirmed: boolean) => {
    await send.mutateAsync({ body: bodyOf(id, draft, confirmed) }).catch((error: unknown) => {
      if (error instanceof ApiError && error.message.includes('请确认')) {
        Modal.confirm({ title: error.message, okText: '按此保存', onOk: () => submit(true) });
      } else if (error instanceof ApiError) notice.error(error.message);
    });
  };
  return (
    <Modal
      title={offer === 'new' ? '登记报价' : '修改报价'}
      open={offer !== undefined}
      okText="保存报价"
      okButtonProps={{ disabled: !draft.supplierId }}
      confirmLoading={send.isPending}
      onOk={() => void submit(false)}
      onCancel={onClose}
    >
      <div className="inquiry-form">
        <div className="inquiry-line">
          <Select
            aria-label="供应商"
            placeholder="供应商"
            className="is-wide"
            disabled={offer !== 'new'}
            value={draft.supplierId ?? null}
            onChange={(supplierId) => put({ supplierId })}
            showSearch={{ optionFilterProp: 'label' }}
            options={suppliers ?? []}
          />
          <Input
            aria-label="币种"
            maxLength={3}
            value={draft.currency}
            onChange={(event) => put({ currency: event.target.value.toUpperCase() })}
          />
          <Switch
            checkedChildren="含税"
            unCheckedChildren="未税"
            checked={draft.taxIncluded}
            onChange={(taxIncluded) => put({ taxIncluded })}
          />
        </div>
        <EditTable
          label="档价"
          columns={COLUMNS}
          lines={draft.tiers}
          onChange={(tiers) => put({ tiers })}
          add={
            <Button size="small" onClick={() => put({ tiers: [...draft.tiers, { minQty: null, unitPrice: null }] })}>
              添加一档
            </Button>
          }
        />
        <div className="inquiry-line">
          {NUMBERS.map(([key, title, min]) => (
            <div key={key} className="inquiry-field">
              <span className="label">{title}</span>
              <InputNumber
                aria-label={title}
                min={min}
                precision={0}
                controls={false}
                value={draft[key]}
                onChange={(value) => put({ [key]: value })}
              />
            </div>
          ))}
          <div className="inquiry-field">
            <span className="label">有效期至</span>
            <DatePicker
              aria-label="有效期至"
              placeholder="长期"
              value={draft.validTo ? dayjs(draft.validTo) : null}
              onChange={(day) => put({ validTo: day ? day.format('YYYY-MM-DD') : null })}
            />
          </div>
        </div>
        <Input
          aria-label="备注"
          placeholder="备注"
          maxLength={500}
          value={draft.remark}
          onChange={(event) => put({ remark: event.target.value })}
        />
      </div>
    </Modal>
  );
}
