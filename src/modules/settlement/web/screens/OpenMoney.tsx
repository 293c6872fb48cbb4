import { MixedTotal } from '#kit/web/cells/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { countOpen, exportOpen, listOpen, OpenFilter, OpenRow } from '../../contract/open.ts';
import { useStoreOptions } from '../index.ts';

const NOTHING = <Empty title="没有未结算的金额" text="亚马逊报告的交易都已经在结算单里。" />;

/** 未结算明细: every amount that Amazon has told and no settlement covers yet; they are the figure 未结算金额. */
export default function OpenMoney() {
  const stores = useStoreOptions();
  return (
    <ListScreen
      name="settlement/open"
      title="未结算明细"
      unit="笔"
      density="dense"
      endpoint={listOpen}
      exportEndpoint={exportOpen}
      row={OpenRow}
      filter={OpenFilter}
      options={{ stores }}
      tabs={{ field: 'state', counts: countOpen }}
      columns={{ amount: { total: (totals: object) => <MixedTotal totals={totals as never} field="amount" /> } }}
      empty={NOTHING}
      note="金额合计等于未结算金额"
    />
  );
}
