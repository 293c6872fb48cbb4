import { useState } from 'react';
import { ListScreen } from '#kit/web/list/index.ts';
import { nothingYet } from '#modules/inventory/web/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { countIncoming, IncomingFilter, IncomingRow, incoming } from '../../contract/receipts.ts';
import { ReceivingDialog } from '../ReceiptDialog.tsx';
import { ReceiptsDrawer } from '../ReceiptsDrawer.tsx';
import { useReceiving } from '../receiving.ts';

/** 退件验收: what comes back to warehouses of ours, from removal orders and from buyers, graded as it is taken in. */
export default function Incoming() {
  const sites = useSiteOptions();
  const [open, setOpen] = useState<IncomingRow>();
  const { actions, working, close } = useReceiving();
  return (
    <>
      <ListScreen
        name="returns/incoming"
        title="退件验收"
        unit="行"
        endpoint={incoming.list}
        exportEndpoint={incoming.export}
        row={IncomingRow}
        filter={IncomingFilter}
        options={{ sites }}
        tabs={{ field: 'state', counts: countIncoming }}
        {...(actions ? { actions } : {})}
        onOpen={setOpen}
        current={open?.id}
        note="移除货件与需要退回的自发货退货；良品计入可用库存，待返修计入次品库存"
        empty={nothingYet('退件')}
      />
      <ReceiptsDrawer row={open} onClose={() => setOpen(undefined)} />
      <ReceivingDialog working={working} onClose={close} />
    </>
  );
}
