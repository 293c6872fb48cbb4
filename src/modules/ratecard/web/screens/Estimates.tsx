import { App } from 'antd';
import { useSend } from '#kit/web/api/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { EDIT } from '../../contract/calculator.ts';
import { EstimateFilter, EstimateRow, listEstimates, removeEstimate } from '../../contract/estimates.ts';

const CALCULATOR = '/amazon/profit/calculator';

/** 测算记录: what was reckoned for products, as it was then; each opens in the calculator again. */
export default function Estimates() {
  const { modal } = App.useApp();
  const tab = useTab();
  const mayEdit = useAllowed(EDIT);
  const remove = useSend(removeEstimate, {
    refreshes: [listEstimates],
    onSuccess: () => notice.success('测算已删除'),
  });
  const open = ({ calcId }: EstimateRow) => tab.open(CALCULATOR, { title: '利润计算', query: { calc: calcId } });
  const ask = ({ calcId, product }: EstimateRow) =>
    modal.confirm({
      title: `删除 ${product.code} 的这次测算？`,
      content: '同一次测算的各站点一起删除。',
      okText: '删除',
      okButtonProps: { danger: true },
      cancelText: '返回',
      onOk: () => remove.mutateAsync({ body: { calcId } }),
    });
  return (
    <ListScreen
      name="ratecard/estimates"
      title="测算记录"
      unit="条"
      endpoint={listEstimates}
      row={EstimateRow}
      filter={EstimateFilter}
      actions={(row) => [
        { label: '打开', onClick: () => open(row) },
        ...(mayEdit ? [{ label: '删除', danger: true, onClick: () => ask(row) }] : []),
      ]}
      onOpen={open}
      empty={
        <Empty title="还没有保存的测算" text="在利润计算中选择产品，调好售价和费用后点「保存测算」。">
          <TabLink to={CALCULATOR} title="利润计算">
            去测算
          </TabLink>
        </Empty>
      }
    />
  );
}
