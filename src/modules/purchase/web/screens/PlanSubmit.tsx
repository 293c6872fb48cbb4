import { LeftOutlined } from '@ant-design/icons';
import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Banner, Empty, ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { SUBMIT } from '../../contract/fields.ts';
import { PlannedLine, type PlannedOrder, previewPlan, submitPlan } from '../../contract/plan.ts';
import { requisition } from '../../contract/requisition.ts';
import { refreshOrders } from '../choices.ts';
import '../purchase.css';

function Planned({ order }: { order: PlannedOrder }) {
  return (
    <section className="planned-order">
      <header>
        <h2>{order.supplier}</h2>
        <span className="text2">→ {order.warehouse}</span>
        <span className="spring" />
        <span>
          {order.lines.length} 行，{formatInteger(order.qty)} 件
        </span>
        {order.amount !== undefined && order.way === 'BUY' && (
          <b>
            <Money amount={order.amount} currency={order.currency} />
          </b>
        )}
      </header>
      {order.blocked && <Banner>{order.blocked}</Banner>}
      <LineTable row={PlannedLine} rows={order.lines} density="picture" label={`${order.supplier} 明细`} />
    </section>
  );
}

/** 提交采购计划: the orders that come of the plan, before they are made; all of them or none. */
export default function PlanSubmit() {
  const tab = useTab();
  const asked = new URLSearchParams(tab.address.split('?')[1]).get('ids');
  const ids = asked ? asked.split(',') : undefined;
  const maySubmit = useAllowed(SUBMIT);
  const [rounded, setRounded] = useState(true);
  const [review, setReview] = useState(false);
  const chosen = { ...(ids ? { ids } : {}), rounded };
  const { data, error, isError, refetch } = useCall(previewPlan, { body: chosen }, { staleTime: 0, keep: true });
  const make = useSend(submitPlan, {
    onSuccess: async ({ id, batch, state, orders, processes }) => {
      const made = `已生成 ${orders.length} 张采购单${processes.length > 0 ? `、${processes.length} 张加工单` : ''}`;
      notice.success(state === 'converted' ? made : `采购计划 ${batch} 已提交审批`);
      await refreshOrders();
      if (state === 'converted' && processes.length === 0)
        tab.open('/erp/purchase/orders', { title: '采购单', replace: true });
      else tab.open(requisition.detail, { title: batch, query: { id }, replace: true });
    },
  });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="转单预览没有取到。" />;
  const orders = data?.filter((order) => order.way === 'BUY').length ?? 0;
  const made = data?.filter((order) => order.way === 'MAKE').reduce((sum, order) => sum + order.lines.length, 0) ?? 0;
  const stuck = data?.filter((order) => order.blocked !== undefined).length ?? 0;
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>提交采购计划</h1>
        <span className="document-subject">
          按供应商和入库仓拆分，单价取报价的档位；组合产品展开为子件，只买缺的部分
        </span>
        <span className="spring" />
        <Checkbox checked={rounded} onChange={({ target }) => setRounded(target.checked)}>
          按起订量和倍数取整
        </Checkbox>
        {maySubmit && (
          <Checkbox checked={review} onChange={({ target }) => setReview(target.checked)}>
            生成的单据同时提交审核
          </Checkbox>
        )}
      </div>
      <div className="document-content">
        {data?.length === 0 && <Empty title="没有待采购的规划" text="规划已全部转成采购单，或已移出。" />}
        {data?.map((order) => (
          <Planned key={`${order.way} ${order.supplierId} ${order.warehouseId} ${order.currency}`} order={order} />
        ))}
      </div>
      <footer className="action-bar">
        <span className="action-bar-words">
          {stuck > 0
            ? `有 ${stuck} 组不能提交，请先处理或只选择其余规划`
            : `将生成 ${orders} 张采购单${made > 0 ? `、${made} 张加工单` : ''}，全部成功或全部不生成；启用了审批流程的，审批通过后生成`}
        </span>
        <span className="spring" />
        <Button onClick={tab.close}>放弃</Button>
        <Button
          type="primary"
          loading={make.isPending}
          disabled={!data || data.length === 0 || stuck > 0}
          onClick={() => make.mutate({ body: { ...chosen, review } })}
        >
          提交
        </Button>
      </footer>
    </div>
  );
}
