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
        {order.amount !== undefined && (
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

/** 采购规划转单: the orders that come of the plan, before they are made; all of them or none. */
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
    onSuccess: async ({ orders }) => {
      notice.success(`已生成 ${orders.length} 张采购单`);
      await refreshOrders();
      tab.open('/erp/purchase/orders', { title: '采购单', replace: true });
    },
  });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="转单预览没有取到。" />;
  const stuck = data?.filter((order) => order.blocked !== undefined).length ?? 0;
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>采购规划转单</h1>
        <span className="document-subject">按供应商和入库仓拆分，单价取报价的档位</span>
        <span className="spring" />
        <Checkbox checked={rounded} onChange={({ target }) => setRounded(target.checked)}>
          按起订量和倍数取整
        </Checkbox>
        {maySubmit && (
          <Checkbox checked={review} onChange={({ target }) => setReview(target.checked)}>
            同时提交审核
          </Checkbox>
        )}
      </div>
      <div className="document-content">
        {data?.length === 0 && <Empty title="没有待采购的规划" text="规划已全部转成采购单，或已移出。" />}
        {data?.map((order) => (
          <Planned key={`${order.supplierId} ${order.warehouseId} ${order.currency}`} order={order} />
        ))}
      </div>
      <footer className="action-bar">
        <span className="action-bar-words">
          {stuck > 0
            ? `有 ${stuck} 组不能转单，请先处理或只选择其余规划`
            : `将生成 ${data?.length ?? 0} 张采购单，全部成功或全部不生成`}
        </span>
        <span className="spring" />
        <Button onClick={tab.close}>放弃</Button>
        <Button
          type="primary"
          loading={make.isPending}
          disabled={!data || data.length === 0 || stuck > 0}
          onClick={() => make.mutate({ body: { ...chosen, review } })}
        >
          生成采购单
        </Button>
      </footer>
    </div>
  );
}
