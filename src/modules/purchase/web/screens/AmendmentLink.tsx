import { useEffect } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { amendedOrder } from '../../contract/amend.ts';

/** 采购变更单, as messages and tasks name it: a change is read and decided on the page of its order, which opens instead. */
export default function AmendmentLink() {
  const tab = useTab();
  const { id = '', ...query } = Object.fromEntries(new URLSearchParams(tab.address.split('?')[1]));
  const { data, error, isError, refetch } = useCall(amendedOrder, { params: { id } });
  useEffect(() => {
    if (!data) return;
    const { title: _title, path: _path, ...others } = query;
    const target = { ...others, id: data.orderId, tab: 'amendments' };
    tab.open('/purchaseOrders/details', { title: data.number, query: target, replace: true });
  });
  return isError ? <ErrorState error={error} onRetry={() => void refetch()} text="变更单没有取到。" /> : null;
}
