import { useMemo } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { authMarketplace } from '#modules/marketplace/contract/stores.ts';
import { EXPORT } from '../../contract/fields.ts';
import { CashFilter, CashItem, cashKinds, exportCash, listCash, USUAL_HORIZON } from '../../contract/forecast.ts';
import { CASH_COLUMNS } from '../columns.tsx';

const NOTHING = (
  <Empty title="没有预计的收付" text="账期余额、应付、请款单、采购单和费用单有未收付的金额后列在这里。" />
);
const DEFAULTS = { horizon: USUAL_HORIZON };
const MODES = ['horizon'];

/** 预计收付: every expected receipt and payment until the horizon, with its document. */
export default function CashItems() {
  const mayExport = useAllowed(EXPORT);
  const { data: kinds } = useCall(cashKinds, {}, { staleTime: 300_000 });
  const { data: stores } = useCall(authMarketplace, {}, { staleTime: 300_000 });
  const options = useMemo(
    () => ({ kinds: kinds?.map(({ kind, title }) => ({ value: kind, label: title })), stores }),
    [kinds, stores],
  );
  return (
    <ListScreen
      name="cashflow/items"
      title="预计收付"
      unit="笔"
      density="dense"
      endpoint={listCash}
      {...(mayExport ? { exportEndpoint: exportCash } : {})}
      row={CashItem}
      filter={CashFilter}
      defaults={DEFAULTS}
      modes={MODES}
      options={options}
      columns={CASH_COLUMNS}
      empty={NOTHING}
      note="流入为正，流出为负；逾期未收付的按今天计入"
    />
  );
}
