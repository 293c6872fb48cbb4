import { Button } from 'antd';
import { Allowed } from '#kit/web/Allowed.tsx';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { EXPORT } from '../../contract/fields.ts';
import {
  countProcesses,
  exportProcesses,
  listProcesses,
  PROCESS_EDIT,
  ProcessFilter,
  ProcessRow,
  processOrder,
} from '../../contract/process.ts';
import { toOptions } from '../choices.ts';
import { useProcessChoices } from '../process/choices.ts';

const COLUMNS: ColumnOverrides<ProcessRow> = {
  number: {
    render: (row) => (
      <TabLink to={processOrder.detail} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
};

/** 采购加工单: parts that become products, in house or at a processor. */
export default function ProcessList() {
  const tab = useTab();
  const choices = useProcessChoices();
  const mayExport = useAllowed(EXPORT);
  const add = (
    <Allowed code={PROCESS_EDIT}>
      <Button type="primary" onClick={() => tab.open('/e/p/p/c', { title: '新增采购加工单' })}>
        新增加工单
      </Button>
    </Allowed>
  );
  return (
    <ListScreen
      name="purchase/processes"
      title="采购加工单"
      unit="单"
      endpoint={listProcesses}
      {...(mayExport ? { exportEndpoint: exportProcesses } : {})}
      row={ProcessRow}
      filter={ProcessFilter}
      options={{ supplier: toOptions(choices?.suppliers), warehouse: toOptions(choices?.warehouses) }}
      tabs={{ field: 'state', counts: countProcesses }}
      columns={COLUMNS}
      onOpen={(row) => tab.open(processOrder.detail, { title: row.number, query: { id: row.id } })}
      head={add}
      empty={
        <Empty title="还没有采购加工单" text="按组合关系带出子件，自行加工或委托加工商，完工后成品入库。">
          {add}
        </Empty>
      }
    />
  );
}
