import { Button } from 'antd';
import { useRef, useState } from 'react';
import { type FilterValue, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { COST, EDIT, EXPORT, WorthFilter } from '../../contract/fields.ts';
import { exportWorth, listWorth, WorthRow } from '../../contract/worth.ts';
import { useWorthOptions } from '../choices.ts';
import { DiffDialog } from '../DiffDialog.tsx';
import { MonthsDialog } from '../MonthsDialog.tsx';
import { Overview } from '../Overview.tsx';
import { WorthDrawer } from '../WorthDrawer.tsx';
import { WriteDownDialog } from '../WriteDownDialog.tsx';

const DEFAULTS = { by: 'STAGE', within: 'PRODUCT' } as const;

type Dialog = 'diff' | 'months' | 'rates';

/** 库存货值: what all stock was worth at the end of a day, from the supplier's door to Amazon's shelf. */
export default function Worth() {
  const options = useWorthOptions();
  const mayExport = useAllowed(EXPORT);
  const mayEdit = useAllowed(EDIT);
  const seesCost = useAllowed(COST);
  const [open, setOpen] = useState<WorthRow>();
  const [dialog, setDialog] = useState<Dialog>();
  // What the list is filtered by, for what opens over it.
  const used = useRef<FilterValue>(DEFAULTS);
  const close = () => setDialog(undefined);
  return (
    <>
      <ListScreen
        name="worth/worth"
        title="库存货值"
        unit="行"
        endpoint={listWorth}
        {...(mayExport ? { exportEndpoint: exportWorth } : {})}
        row={WorthRow}
        filter={WorthFilter}
        defaults={DEFAULTS}
        modes={['day', 'by', 'within', 'ordered']}
        options={options}
        above={(filter) => {
          used.current = filter;
          return <Overview filter={filter} />;
        }}
        head={
          <>
            {seesCost && <Button onClick={() => setDialog('diff')}>两日差异</Button>}
            {mayEdit && <Button onClick={() => setDialog('rates')}>减值比例</Button>}
            <Button onClick={() => setDialog('months')}>冻结月末</Button>
          </>
        }
        empty={<Empty title="还没有货值" text="有库存之后每两小时计算一次，历史日期按库存账补算。" />}
        onOpen={setOpen}
        current={open?.id}
        note="合计 − 减值准备 = 净值；成本取截至当日的成本层，不用今天的价格"
      />
      {open && <WorthDrawer row={open} filter={used.current} onClose={() => setOpen(undefined)} />}
      {dialog === 'diff' && <DiffDialog filter={used.current} onClose={close} />}
      {dialog === 'months' && <MonthsDialog onClose={close} />}
      {dialog === 'rates' && <WriteDownDialog onClose={close} />}
    </>
  );
}
