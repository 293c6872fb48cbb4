import { LeftOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall } from '#kit/web/api/index.ts';
import { State } from '#kit/web/cells/index.ts';
import { FactColumns, Facts } from '#kit/web/document/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { carrierDetail } from '../../contract/transport/calls.ts';
import { type CarrierRow, CarrierState } from '../../contract/transport/carrier.ts';
import { TRANS_EDIT } from '../../contract/transport/fields.ts';
import { ChannelRow } from '../../contract/transport/price.ts';
import { CardHistory } from '../transport/CardHistory.tsx';
import { EDIT_PATH } from '../transport/shared.ts';
import '../transport/transport.css';

const SHOWN = [
  'name',
  'mode',
  'country',
  'zone',
  'daysMin',
  'daysMax',
  'billUnit',
  'card',
  'minBillable',
  'splitRate',
  'disabled',
] as const;

function About({ row }: { row: CarrierRow }) {
  const people = [
    { label: '简码', value: row.code || '—' },
    { label: '联系人', value: row.contact || '—' },
    { label: '电话', value: row.phone || '—' },
    { label: '结算方式', value: row.terms || '—' },
    { label: '结算供应商', value: row.supplier || '—' },
  ];
  const prices = [
    { label: '渠道数', value: row.channels },
    { label: '有效报价', value: row.priced },
    { label: '即将到期', value: row.ending },
    { label: '备注', value: row.remark || '—' },
  ];
  return (
    <FactColumns>
      <Facts title="联系" facts={people} />
      <Facts title="报价" facts={prices} />
    </FactColumns>
  );
}

/** 物流商详情: his channels, and the prices of the one that is picked through time. */
export default function CarrierDetail() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, isError, error, refetch } = useCall(carrierDetail, { params: { id } }, { staleTime: 0 });
  const [picked, setPicked] = useState<string>();
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="这家物流商没有取到。" />;
  const { row, channels = [] } = data ?? {};
  const channel = channels.find((one) => one.id === picked) ?? channels[0];
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>{row?.name ?? '物流商'}</h1>
        {row && <State value={row.state} states={CarrierState.meta()?.states} />}
        <span className="spring" />
        <Allowed code={TRANS_EDIT}>
          <Button
            data-edit
            disabled={!row}
            onClick={() => tab.open(EDIT_PATH, { title: `编辑${row?.name ?? ''}`, query: { id } })}
          >
            编辑
          </Button>
        </Allowed>
      </div>
      <div className="document-content">
        {row && <About row={row} />}
        <section className="trans-section" aria-label="渠道">
          <div className="trans-head">
            <h2>渠道</h2>
            <span className="label">点击一行查看它的价卡</span>
          </div>
          <LineTable
            row={ChannelRow}
            rows={data && channels}
            only={SHOWN}
            columns={{
              name: {
                render: (one) => <span className={one === channel ? 'trans-picked' : ''}>{one.name}</span>,
                text: (one) => one.name,
              },
              card: {
                render: (one) =>
                  one.card ? `${one.card.currency} ${one.card.tierText}` : <span className="text3">没有有效价卡</span>,
                text: (one) => one.card?.tierText ?? '',
              },
            }}
            label="渠道"
            none="还没有渠道，点击编辑添加"
            onOpen={(one) => setPicked(one.id)}
          />
        </section>
        {channel && <CardHistory key={channel.id} channel={channel} />}
      </div>
    </div>
  );
}
