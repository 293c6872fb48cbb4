import { DatePicker, Input, InputNumber, Modal } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { compareOffers, countInquiries, listInquiries, saveInquiry } from '../../contract/inquiry.ts';
import { type Picked, ProductPicker } from '../ProductPicker.tsx';

interface Props {
  open: boolean;
  onDone: (id: string) => void;
  onClose: () => void;
}

/** 新建询价: for how many pieces of which product prices are asked. */
export function InquiryDialog({ open, onDone, onClose }: Props) {
  const [product, setProduct] = useState<Picked>();
  const [qty, setQty] = useState<number | null>(null);
  const [dueOn, setDueOn] = useState<string | null>(null);
  const [remark, setRemark] = useState('');
  const close = () => {
    setProduct(undefined);
    setQty(null);
    setDueOn(null);
    setRemark('');
    onClose();
  };
  const save = useSend(saveInquiry, {
    refreshes: [listInquiries, countInquiries, compareOffers],
    onSuccess: ({ id }) => {
      close();
      onDone(id);
    },
  });
  return (
    <Modal
      title="新建询价"
      open={open}
      okText="保存"
      okButtonProps={{ disabled: !product || !qty }}
      confirmLoading={save.isPending}
      onOk={() => product && qty && save.mutate({ body: { productId: product.id, qty, dueOn, remark } })}
      onCancel={close}
    >
      <div className="inquiry-form">
        <ProductPicker
          value={product && { id: product.id, label: `${product.sku} ${product.name}` }}
          onPick={setProduct}
          placeholder="询价的产品"
        />
        <div className="inquiry-line">
          <InputNumber
            aria-label="数量"
            placeholder="数量"
            min={1}
            precision={0}
            controls={false}
            value={qty}
            onChange={setQty}
          />
          <DatePicker
            aria-label="截止日期"
            placeholder="截止日期"
            value={dueOn ? dayjs(dueOn) : null}
            onChange={(day) => setDueOn(day ? day.format('YYYY-MM-DD') : null)}
          />
        </div>
        <Input.TextArea
          aria-label="备注"
          placeholder="备注：规格、包装、交货要求"
          rows={2}
          maxLength={500}
          value={remark}
          onChange={(event) => setRemark(event.target.value)}
        />
      </div>
    </Modal>
  );
}
