import { Button, Segmented } from 'antd';
import { useState } from 'react';
import { ApiError, call, messageOf } from '#kit/web/api/index.ts';
import { Tag } from '#kit/web/cells/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { VIEW } from '../../contract/fields.ts';
import { compareChannels } from '../../contract/transport/calls.ts';
import { type Comparison, QuoteRow, Sending } from '../../contract/transport/compare.ts';
import { BoxLines, ONE_BOX } from '../transport/BoxLines.tsx';
import { OrderPicker } from '../transport/OrderPicker.tsx';
import { COUNTRIES } from '../transport/shared.ts';
import '../transport/transport.css';

const Goal = Sending.pick({ country: true, zone: true, day: true });

const wordsOf = ({ boxes, weight, volume, country, day }: Comparison) =>
  `${boxes} 箱，实重 ${weight ?? '—'} kg，体积 ${volume ?? '—'} m³，发往 ${country}，按 ${day} 的价卡和汇率`;

/** The channels of a comparison, the best first, with marks on the cheapest and the fastest. */
function Quotes({ found }: { found: Comparison }) {
  return (
    <section className="trans-section" aria-label="比价结果">
      <div className="trans-head">
        <h2>比价结果</h2>
        <span className="label">{wordsOf(found)}</span>
      </div>
      <LineTable
        row={QuoteRow}
        rows={found.quotes}
        rowId={(row) => row.channelId}
        columns={{
          channel: {
            render: (row) => (
              <>
                {row.channel} {row.cheapest && <Tag tone="done" title="最低价" />}{' '}
                {row.fastest && <Tag tone="running" title="最快" />}
              </>
            ),
            text: (row) => row.channel,
          },
          why: { render: (row) => <span className="text2">{row.why ?? ''}</span>, text: (row) => row.why ?? '' },
        }}
        label="比价结果"
        none="没有到这个目的地的渠道"
      />
    </section>
  );
}

/** 物流比价: what all channels ask for some boxes, or for those of a ship order (`order` in the address). */
export default function Compare() {
  const tab = useTab();
  const asked = new URLSearchParams(tab.address.split('?')[1]).get('order');
  const seesOrders = useAllowed(VIEW);
  const [way, setWay] = useState<'boxes' | 'order'>(asked && seesOrders ? 'order' : 'boxes');
  const [orderId, setOrderId] = useState(asked);
  const [boxes, setBoxes] = useState([ONE_BOX]);
  const [found, setFound] = useState<Comparison>();
  const [busy, setBusy] = useState(false);
  const form = useForm(Goal, way === 'boxes' ? { country: 'US' } : {});
  const run = async () => {
    const goal = form.check();
    if (!goal) return;
    if (way === 'order' && orderId === null) return notice.warning('请选择发货单');
    if (way === 'boxes' && !goal.country) return notice.warning('请选择目的国');
    const what = way === 'order' ? { orderId } : { boxes };
    setBusy(true);
    try {
      setFound(await call(compareChannels, { body: { ...goal, ...what } }, { quiet: true }));
      // A question that was answered is no unsaved work.
      form.reset(form.values);
    } catch (error) {
      if (error instanceof ApiError) notice.error(error.fields[0]?.msg ?? messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="page-document">
      <div className="document-head">
        <h1>物流比价</h1>
        <span className="spring" />
        {seesOrders && (
          <Segmented
            value={way}
            options={[
              { value: 'boxes', label: '按箱规' },
              { value: 'order', label: '按发货单' },
            ]}
            onChange={setWay}
          />
        )}
      </div>
      <div className="document-content">
        <div className="trans-form">
          {way === 'order' ? (
            <div className="trans-lines">
              <OrderPicker value={orderId} onChange={setOrderId} />
            </div>
          ) : (
            <BoxLines boxes={boxes} onChange={setBoxes} />
          )}
          <SchemaForm
            form={form}
            fields={{
              country: { options: COUNTRIES, help: way === 'order' ? '留空为发货单的站点' : undefined },
              zone: { span: 2, placeholder: '如 美西、ONT8、90001，可不填' },
              day: { help: '留空为今天' },
            }}
          />
          <div className="trans-lines">
            <Button type="primary" loading={busy} onClick={() => void run()}>
              比价
            </Button>
          </div>
        </div>
        {found && <Quotes found={found} />}
      </div>
    </div>
  );
}
