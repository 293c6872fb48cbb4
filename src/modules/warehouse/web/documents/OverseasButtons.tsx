import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call } from '#kit/web/api/index.ts';
import { PiecesDialog } from '#kit/web/document/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { OverseasInput, overseasCalls, SHIP } from '../../contract/documents/overseas.ts';
import type { Special } from './DocumentDetail.tsx';
import { overseasWeb } from './kinds.ts';

const Way = OverseasInput.pick({
  carrier: true,
  channel: true,
  trackingNo: true,
  departedOn: true,
  landedOn: true,
  plannedOn: true,
});

/** 物流信息 of a document: carrier, channel and the days of its way. */
function WayDialog({ head, refresh, onClose }: Special & { onClose: () => void }) {
  const { carrier, channel, trackingNo, departedOn, landedOn, plannedOn } = head;
  const form = useForm(Way, { carrier, channel, trackingNo, departedOn, landedOn, plannedOn } as never);
  return (
    <FormDialog
      title="物流信息"
      open
      form={form}
      onClose={onClose}
      onSubmit={async (values) => {
        const body = { id: head.id, version: head.version, ...values };
        notice.success((await call(overseasCalls.putWay, { body }, { quiet: true })).message);
        await refresh();
      }}
    />
  );
}

/** What can be done with a document beyond its steps: its way, a split, a correction of what arrived. */
export function OverseasButtons(special: Special) {
  const { head, lines, refresh } = special;
  const tab = useTab();
  const [open, setOpen] = useState<'way' | 'split' | 'totals'>();
  const close = () => setOpen(undefined);
  return (
    <>
      {!['done', 'cancelled'].includes(head.state) && (
        <Allowed code={SHIP}>
          <Button onClick={() => setOpen('way')}>物流信息</Button>
        </Allowed>
      )}
      {['draft', 'rejected'].includes(head.state) && (
        <Allowed code={overseasWeb.add}>
          <Button onClick={() => setOpen('split')}>拆分</Button>
        </Allowed>
      )}
      {['shipped', 'partial'].includes(head.state) && (
        <Allowed code="erp:wh:oversea:receive">
          <Button onClick={() => setOpen('totals')}>更正收货</Button>
        </Allowed>
      )}
      {open === 'way' && <WayDialog {...special} onClose={close} />}
      {open === 'split' && (
        <PiecesDialog
          title="拆分"
          note="填写要拆到新单据的数量，运费留在原单据。"
          word="拆出数量"
          lines={lines}
          start={() => 0}
          onClose={close}
          onSend={async (pieces) => {
            const wanted = pieces.filter((one) => one.pieces > 0);
            const body = {
              id: head.id,
              version: head.version,
              lines: wanted.map(({ lineId, pieces: qty }) => ({ lineId, qty })),
            };
            const made = await call(overseasCalls.split, { body }, { quiet: true });
            notice.success(made.message);
            await refresh();
            tab.open(overseasWeb.def.detail, { title: made.number, query: { id: made.id } });
          }}
        />
      )}
      {open === 'totals' && (
        <PiecesDialog
          title="更正收货"
          note="填写海外仓到目前为止的累计收货数；比之前少的数量退回在途。"
          word="累计收货"
          lines={lines}
          start={(line) => line.doneQty}
          onClose={close}
          onSend={async (pieces) => {
            const totals = pieces.map(({ lineId, pieces: total }) => ({ lineId, total }));
            const body = { id: head.id, version: head.version, lines: totals };
            notice.success((await call(overseasCalls.totals, { body }, { quiet: true })).message);
            await refresh();
          }}
        />
      )}
    </>
  );
}
