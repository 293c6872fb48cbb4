import { useState } from 'react';
import type { RowAction } from '#kit/web/grid/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { type IncomingRow, RECEIVE } from '../contract/receipts.ts';

/** What of goods on their way is being worked on. */
export interface Working {
  what: 'receive' | 'settle';
  row: IncomingRow;
}

/** The steps of a row of goods on their way, for those who may take them; and which dialog is open. */
export function useReceiving() {
  const may = useAllowed(RECEIVE);
  const [working, setWorking] = useState<Working>();
  const actions = (row: IncomingRow): RowAction[] => {
    const blocked = row.difference === 0 ? '已全部收到' : undefined;
    return [
      { label: '登记收货', blocked, onClick: () => setWorking({ what: 'receive', row }) },
      { label: '标记差异', blocked, onClick: () => setWorking({ what: 'settle', row }) },
    ];
  };
  return { actions: may ? actions : undefined, may, working, close: () => setWorking(undefined), begin: setWorking };
}
