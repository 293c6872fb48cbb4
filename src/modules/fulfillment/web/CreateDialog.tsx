import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { call, messageOf, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { createMcf, type Offer, OrderForm, previewMcf, Recipient } from '../contract/create.ts';
import type { Speed } from '../contract/states.ts';
import { type Chosen, Goods } from './Goods.tsx';
import { Offers } from './Offers.tsx';
import { REFRESHES } from './refresh.ts';
import './mcf.css';

const START = { platform: 'SHOPIFY', country: 'US', policy: 'FillOrKill', hold: false, blankBox: false };

/** 新建: where it goes, what is in it, and the speed by what it costs. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const sites = useSiteOptions() ?? [];
  const form = useForm(OrderForm, START);
  const [chosen, setChosen] = useState<readonly Chosen[]>([]);
  const [speed, setSpeed] = useState<Speed>('STANDARD');
  const [offers, setOffers] = useState<Offer[]>();
  const [asking, setAsking] = useState(false);
  const [draft, setDraft] = useState(false);
  const send = useSend(createMcf, {
    refreshes: REFRESHES,
    quiet: true,
    onSuccess: () => notice.success(draft ? '已存为草稿' : '已提交，等待亚马逊接收'),
  });
  const lines = chosen.map(({ sku, quantity }) => ({ sku, quantity }));
  const siteValue = form.values.site;
  const site = typeof siteValue === 'string' ? siteValue : undefined;
  const preview = async () => {
    const values = form.check();
    if (values === null) return;
    if (lines.length === 0) return void notice.error('请选择商品');
    setAsking(true);
    try {
      const body = { site: values.site, recipient: Recipient.parse(values), lines };
      setOffers(await call(previewMcf, { body }, { quiet: true }));
    } catch (error) {
      notice.error(messageOf(error));
    } finally {
      setAsking(false);
    }
  };
  return (
    <FormDialog
      title="新建多渠道订单"
      open
      form={form}
      columns={6}
      width={760}
      okText={draft ? '存为草稿' : '提交'}
      fields={{
        site: { options: sites, span: 2 },
        platform: { span: 2 },
        orderNo: { span: 2 },
        name: { span: 2 },
        phone: { span: 2 },
        country: { span: 2, placeholder: '两位代码，例如 US' },
        line1: { span: 4 },
        line2: { span: 2 },
        city: { span: 2 },
        region: { span: 2, placeholder: '例如 WA' },
        postalCode: { span: 2 },
        policy: { span: 2 },
        hold: { span: 2 },
        blankBox: { span: 2 },
        comment: { span: 6 },
      }}
      after={
        <>
          <Goods
            site={site}
            chosen={chosen}
            onChange={(next) => {
              setChosen(next);
              setOffers(undefined);
            }}
          />
          <div className="mcf-preview">
            <Button loading={asking} onClick={() => void preview()}>
              预览费用与时效
            </Button>
            <Checkbox checked={draft} onChange={({ target }) => setDraft(target.checked)}>
              先存为草稿，不提交
            </Checkbox>
          </div>
          <Offers offers={offers} speed={speed} onChange={setSpeed} />
        </>
      }
      onSubmit={async (values) => {
        if (lines.length === 0) {
          notice.error('请选择商品');
          throw new Error('nothing to send');
        }
        await send.mutateAsync({ body: { ...values, speed, lines, draft } });
      }}
      onClose={onClose}
    />
  );
}
