import '../costshare.css';
import { Button, Segmented } from 'antd';
import { useMemo, useState } from 'react';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { countCosts, listCostLines, listCosts } from '../../contract/calls.ts';
import { CostFilter, CostLineRow, CostRow, costDocument, EDIT } from '../../contract/document.ts';
import { FeeTypeDialog } from '../FeeTypeDialog.tsx';
import { useTypeOptions } from '../fee-types.ts';

type View = 'documents' | 'day' | 'month';
const LineFilter = CostFilter.omit({ state: true });

const number = ({ number: text }: { number: string }) => text;
const COLUMNS: ColumnOverrides<CostRow> = {
  number: {
    render: (row) => (
      <TabLink to={costDocument.detail} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: number,
  },
};
const LINE_COLUMNS: ColumnOverrides<CostLineRow> = {
  number: {
    render: (row) => (
      <TabLink to={costDocument.detail} title={row.number} query={{ id: row.documentId }}>
        {row.number}
      </TabLink>
    ),
    text: number,
  },
};

/** 费用分摊: costs of one's own, as documents and as what they put on each day or month. */
export default function CostSharing() {
  const tab = useTab();
  const mayEdit = useAllowed(EDIT);
  const [view, setView] = useState<View>('documents');
  const [typing, setTyping] = useState(false);
  const stores = useSiteOptions();
  const feeType = useTypeOptions(true);
  const options = useMemo(() => ({ stores, feeType }), [stores, feeType]);
  const add = (
    <Button type="primary" onClick={() => tab.open('/f/c/e', { title: '添加费用' })}>
      添加费用
    </Button>
  );
  const head = (
    <>
      <Segmented<View>
        value={view}
        onChange={setView}
        options={[
          { value: 'documents', label: '单据' },
          { value: 'day', label: '每天详细' },
          { value: 'month', label: '按月汇总' },
        ]}
      />
      {mayEdit && <Button onClick={() => setTyping(true)}>费用类型管理</Button>}
      {mayEdit && add}
    </>
  );
  const open = (id: string, title: string) => tab.open(costDocument.detail, { title, query: { id } });
  return (
    <>
      {view === 'documents' ? (
        <ListScreen
          name="costshare/costs"
          title="费用分摊"
          unit="单"
          endpoint={listCosts}
          row={CostRow}
          filter={CostFilter}
          options={options}
          tabs={{ field: 'state', counts: countCosts }}
          columns={COLUMNS}
          onOpen={(row) => open(row.id, row.number)}
          head={head}
          note="入账的费用计入利润报表的「自定义费用」"
          empty={
            <Empty title="还没有费用" text="测评、拍摄、软件等费用在这里登记，分摊到商品后计入利润。">
              {mayEdit && add}
            </Empty>
          }
        />
      ) : (
        <ListScreen
          key={view}
          name="costshare/lines"
          title="费用分摊"
          unit="行"
          endpoint={listCostLines}
          row={CostLineRow}
          filter={LineFilter}
          fixed={{ view }}
          options={options}
          columns={LINE_COLUMNS}
          onOpen={(row) => open(row.documentId, row.number)}
          head={head}
          note="只计已入账的单据"
        />
      )}
      {typing && <FeeTypeDialog onClose={() => setTyping(false)} />}
    </>
  );
}
