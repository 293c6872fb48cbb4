import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { Allowed } from '#kit/web/Allowed.tsx';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { countCarriers, exportCarriers, listCarriers } from '../../contract/transport/calls.ts';
import { CarrierFilter, CarrierRow } from '../../contract/transport/carrier.ts';
import { TRANS_EDIT } from '../../contract/transport/fields.ts';
import { COUNTRIES, DETAIL_PATH, EDIT_PATH } from '../transport/shared.ts';

const COLUMNS: ColumnOverrides<CarrierRow> = {
  name: {
    render: (row) => (
      <TabLink to={DETAIL_PATH} title={row.name} query={{ id: row.id }}>
        {row.name}
      </TabLink>
    ),
    text: (row) => row.name,
  },
  ending: {
    render: (row) => <span className={row.ending > 0 ? 'warning num' : 'num'}>{row.ending}</span>,
    text: (row) => String(row.ending),
  },
};

/** 物流商: who carries our pieces, and how many of their channels have prices. */
export default function CarrierList() {
  const tab = useTab();
  const mayEdit = useAllowed(TRANS_EDIT);
  const add = (
    <Allowed code={TRANS_EDIT}>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => tab.open(EDIT_PATH, { title: '新增物流商' })}>
        新增物流商
      </Button>
    </Allowed>
  );
  const edit = ({ id, name }: CarrierRow) => tab.open(EDIT_PATH, { title: `编辑${name}`, query: { id } });
  return (
    <ListScreen
      name="shipping/carriers"
      title="物流商"
      unit="家"
      endpoint={listCarriers}
      exportEndpoint={exportCarriers}
      row={CarrierRow}
      filter={CarrierFilter}
      options={{ country: COUNTRIES }}
      tabs={{ field: 'state', counts: countCarriers }}
      columns={COLUMNS}
      onOpen={(row) => tab.open(DETAIL_PATH, { title: row.name, query: { id: row.id } })}
      {...(mayEdit ? { actions: (row: CarrierRow) => [{ label: '编辑', edits: true, onClick: () => edit(row) }] } : {})}
      head={
        <>
          <Button onClick={() => tab.open('/erp/transportation/compare', { title: '物流比价' })}>物流比价</Button>
          {add}
        </>
      }
      empty={
        <Empty title="还没有物流商" text="登记物流商的渠道和价卡后，可以按箱规或发货单比较各渠道的总价和时效。">
          {add}
        </Empty>
      }
    />
  );
}
