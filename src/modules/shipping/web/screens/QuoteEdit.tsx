import { LeftOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { dayAfter } from '#kit/contract/day.ts';
import { useCall } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { useStore } from '#kit/web/document/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { askQuotes, quoteGoods } from '../../contract/quote-request/calls.ts';
import { QuoteRequestInput, quoteRequest } from '../../contract/quote-request/request.ts';
import { toOptions } from '../choices.ts';
import { OrderPicks } from '../quote-request/OrderPicks.tsx';
import { EDIT_PATH, refreshQuotes, useQuoteChoices } from '../quote-request/shared.ts';
import '../shipping.css';
import '../transport/transport.css';

const HeadForm = QuoteRequestInput.omit({ orderIds: true });
/** Forwarders have two days unless somebody says otherwise. */
const ANSWER_DAYS = 2;

/** 发起询价: for the ship orders that `orders` in the address names, or those that are picked here. */
export default function QuoteEdit() {
  const tab = useTab();
  const named = new URLSearchParams(tab.address.split('?')[1]).get('orders') ?? '';
  const choices = useQuoteChoices();
  const [orderIds, setOrderIds] = useState(named.split(',').filter(Boolean));
  const form = useForm(HeadForm, { until: dayAfter(companyDay(), ANSWER_DAYS), divisor: 6000, carrierIds: [] });
  const divisor = Number(form.values.divisor) || 6000;
  const goods = useCall(
    quoteGoods,
    { body: { orderIds, divisor } },
    { enabled: orderIds.length > 0 && divisor >= 1000 && divisor <= 10_000, keep: true },
  );
  const { busy, touch, store } = useStore({
    form,
    save: askQuotes,
    submit: undefined,
    refresh: refreshQuotes,
    detail: quoteRequest.detail,
    edit: EDIT_PATH,
  });
  const press = () => {
    const values = form.check();
    if (orderIds.length === 0) notice.error('请选择发货单');
    if (values && orderIds.length > 0) void store({ body: { ...values, orderIds } }, false);
  };
  const shown = orderIds.length === 0 ? [] : goods.data;
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>发起询价</h1>
      </div>
      <div className="document-content">
        <div className="ship-form">
          <OrderPicks
            value={orderIds}
            known={goods.data ?? []}
            onChange={(next) => {
              touch();
              setOrderIds(next);
            }}
          />
          <SchemaForm
            form={form}
            columns={6}
            fields={{
              carrierIds: { span: 3, options: toOptions(choices?.carriers), placeholder: '可多选' },
              mode: { placeholder: '不限' },
              postalCode: { placeholder: '可不填' },
              divisor: { help: '海运 6000，空运 5000' },
              remark: { span: 3, placeholder: '会写进询价文本，勿填内部信息' },
            }}
          />
        </div>
        {goods.isError ? (
          <ErrorState error={goods.error} onRetry={() => void goods.refetch()} text="货物没有取到。" />
        ) : (
          <LineTable
            row={quoteGoods.reply.element}
            rows={shown}
            rowId={(row) => row.orderId}
            label="询价货物"
            none="请选择发货单"
          />
        )}
      </div>
      <footer className="action-bar">
        <span className="action-bar-words">询价文本不含店铺、商品和成本，发起后可复制给物流商</span>
        <span className="spring" />
        <Button type="primary" data-save loading={busy} onClick={press}>
          发起询价
        </Button>
      </footer>
    </div>
  );
}
