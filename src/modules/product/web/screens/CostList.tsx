import '../product.css';
import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { ImportDialog } from '#kit/web/import/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { ALWAYS, CostFilter, CostRow, costHistory, countCosts, exportCosts, listCosts } from '../../contract.ts';
import { CostCell } from '../CostCell.tsx';
import { CostDialog } from '../CostDialog.tsx';
import { CostDrawer } from '../CostDrawer.tsx';
import { ImportsDrawer } from '../ImportsDrawer.tsx';
import { type CostCheck, check, commit, template } from '../import.ts';

const NOTHING = (
  <Empty title="还没有商品" text="结算或账务交易同步后，出现过的 SKU 会列在这里；也可以用表格导入采购成本。" />
);

type Window = 'import' | 'imports' | 'add';

/** 采购成本: what each SKU costs, edited in place or imported as a table. */
export default function CostList() {
  const [row, setRow] = useState<CostRow>();
  const [open, setOpen] = useState<Window>();
  const mayExport = useAllowed('fin:cost:export');
  const close = () => setOpen(undefined);
  const refresh = () => {
    for (const each of [listCosts, countCosts, costHistory]) {
      void queryClient.invalidateQueries({ queryKey: cacheKey(each) });
    }
  };
  return (
    <>
      <ListScreen
        name="product/cost"
        title="采购成本"
        unit="个 SKU"
        endpoint={listCosts}
        {...(mayExport ? { exportEndpoint: exportCosts } : {})}
        row={CostRow}
        filter={CostFilter}
        tabs={{ field: 'state', counts: countCosts }}
        columns={{
          unitCost: { render: (one) => <CostCell row={one} />, width: 140 },
          validFrom: { render: validFrom, text: (one) => one.validFrom ?? '' },
        }}
        head={
          <>
            <Allowed code="fin:cost:import">
              <Button onClick={() => setOpen('imports')}>导入记录</Button>
              <Button onClick={() => setOpen('import')}>导入</Button>
            </Allowed>
            <Allowed code="fin:cost:edit">
              <Button type="primary" onClick={() => setOpen('add')}>
                新增成本
              </Button>
            </Allowed>
          </>
        }
        actions={(one) => [{ label: '成本记录', onClick: () => setRow(one) }]}
        empty={NOTHING}
        onOpen={setRow}
        current={row?.id}
        note="点击采购单价直接修改，Enter 保存"
      />
      <CostDrawer row={row} onClose={() => setRow(undefined)} />
      <ImportsDrawer open={open === 'imports'} onClose={close} />
      <CostDialog open={open === 'add'} onClose={close} />
      <ImportDialog<CostCheck>
        title="导入采购成本"
        open={open === 'import'}
        onClose={close}
        check={check}
        commit={commit}
        correctable
        template={template}
        onDone={refresh}
        accept=".xlsx,.csv,.txt"
      />
    </>
  );
}

function validFrom(row: CostRow) {
  if (row.validFrom === null) return <span className="text3">—</span>;
  return <span>{row.validFrom === ALWAYS ? '一直有效' : row.validFrom}</span>;
}
