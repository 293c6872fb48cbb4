import { Button } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import {
  approvePrice,
  countPriceRequests,
  listPriceRequests,
  PRICE_APPROVE,
  PriceRequestFilter,
  PriceRequestRow,
  PriceSetting,
  priceSetting,
  rejectPrice,
  savePriceSetting,
  withdrawPrice,
} from '../../contract/requests.ts';
import { ListingDrawer } from '../ListingDrawer.tsx';
import { useSiteOptions } from '../site-options.ts';

const refreshes = [listPriceRequests, countPriceRequests];
const over = ({ state }: PriceRequestRow) => (state === 'waiting' ? undefined : '已经有结果');
const RejectForm = rejectPrice.body.pick({ reason: true });

function RejectDialog({ rows, onClose }: { rows: readonly PriceRequestRow[]; onClose: () => void }) {
  const form = useForm(RejectForm, {});
  const send = useSend(rejectPrice, { refreshes });
  return (
    <FormDialog
      title={`驳回 ${rows.length} 个低价申请`}
      open
      form={form}
      okText="驳回"
      onSubmit={async ({ reason }) => {
        for (const { id, version } of rows) await send.mutateAsync({ body: { id, version, reason } });
      }}
      onClose={onClose}
    />
  );
}

function SettingDialog({ now, onClose }: { now: PriceSetting; onClose: () => void }) {
  const form = useForm(PriceSetting, now);
  const send = useSend(savePriceSetting, { refreshes: [priceSetting], onSuccess: () => notice.success('已保存') });
  return (
    <FormDialog
      title="低价设置"
      open
      form={form}
      okText="保存"
      onSubmit={(body) => send.mutateAsync({ body })}
      onClose={onClose}
    />
  );
}

/** 低价申请: prices below the floor that somebody asks for, and who agreed to them. */
export default function PriceRequests() {
  const [open, setOpen] = useState<string>();
  const [rejecting, setRejecting] = useState<readonly PriceRequestRow[]>();
  const [setting, setSetting] = useState(false);
  const sites = useSiteOptions();
  const mayApprove = useAllowed(PRICE_APPROVE);
  const mayEdit = useAllowed('amz:price:edit');
  const { data } = useCall(priceSetting, {});
  const approve = useSend(approvePrice, { refreshes });
  const withdraw = useSend(withdrawPrice, { refreshes });
  const each = async (rows: readonly PriceRequestRow[], send: typeof approve) => {
    for (const { id, version } of rows) await send.mutateAsync({ body: { id, version } });
  };
  return (
    <>
      <ListScreen
        name="listing/priceRequests"
        title="低价申请"
        unit="个申请"
        endpoint={listPriceRequests}
        row={PriceRequestRow}
        filter={PriceRequestFilter}
        options={{ sites }}
        tabs={{ field: 'state', counts: countPriceRequests }}
        current={open}
        onOpen={(row) => setOpen(row.listingId)}
        {...(mayApprove && data ? { head: <Button onClick={() => setSetting(true)}>设置</Button> } : {})}
        batch={[
          ...(mayApprove
            ? [
                {
                  label: '通过',
                  primary: true,
                  unfit: over,
                  onClick: (rows: PriceRequestRow[]) => void each(rows, approve),
                },
                { label: '驳回', unfit: over, onClick: (rows: PriceRequestRow[]) => setRejecting(rows) },
              ]
            : []),
          ...(mayEdit
            ? [{ label: '撤回', unfit: over, onClick: (rows: PriceRequestRow[]) => void each(rows, withdraw) }]
            : []),
        ]}
        empty={<Empty title="没有低价申请" text="手工价格低于保本价时在这里等待审批，通过后才会发给亚马逊。" />}
      />
      {rejecting && <RejectDialog rows={rejecting} onClose={() => setRejecting(undefined)} />}
      {setting && data && <SettingDialog now={data} onClose={() => setSetting(false)} />}
      <ListingDrawer id={open} onClose={() => setOpen(undefined)} />
    </>
  );
}
