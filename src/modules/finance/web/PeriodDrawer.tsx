import { Button } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Tag, When } from '#kit/web/cells/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { ObjectDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ReasonDialog } from '#kit/web/form/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { closePeriod, listPeriods, reopenPeriod } from '../contract/rates.ts';
import { refreshRates } from './RateDialogs.tsx';

/** 会计期间: months that take no more entries and keep their rates. */
export function PeriodDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { data } = useCall(listPeriods, {}, { enabled: open, staleTime: 0 });
  const [reopening, setReopening] = useState<string>();
  const mayClose = useAllowed('fin:period:close');
  const mayReopen = useAllowed('fin:period:reopen');
  const close = useSend(closePeriod, { onSuccess: () => void refreshRates() });
  const reopen = useSend(reopenPeriod, { onSuccess: () => void refreshRates(), quiet: true });
  const running = companyDay().slice(0, 7);
  return (
    <>
      <ObjectDrawer open={open} onClose={onClose} title="会计期间" subtitle="关账后不能再记该月流水，也不能改该月汇率">
        <div className="finance-body">
          {data?.map((one) => (
            <div className="finance-bar" key={one.month}>
              <span className="code">{one.month}</span>
              <Tag tone={one.closed ? 'done' : 'off'} title={one.closed ? '已关账' : '未关账'} />
              <span className="label ellipsis">
                {one.by} {one.at && <When at={one.at} />} {one.reason}
              </span>
              <span className="spring" />
              {!one.closed && mayClose && one.month < running && (
                <Button
                  size="small"
                  loading={close.isPending && close.variables?.body.month === one.month}
                  onClick={() => close.mutate({ body: { month: one.month } })}
                >
                  关账
                </Button>
              )}
              {one.closed && mayReopen && (
                <Button size="small" onClick={() => setReopening(one.month)}>
                  反关账
                </Button>
              )}
            </div>
          ))}
        </div>
      </ObjectDrawer>
      {reopening && (
        <ReasonDialog
          title={`反关账 ${reopening}`}
          okText="反关账"
          onSend={(reason) => reopen.mutateAsync({ body: { month: reopening, reason } })}
          onClose={() => setReopening(undefined)}
        >
          该月可以再次记账和修改汇率，已出的报表会随之变化。
        </ReasonDialog>
      )}
    </>
  );
}
