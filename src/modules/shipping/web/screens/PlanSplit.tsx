import { LeftOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { ProductCell, StoreName } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { MAX_PARTS, planItem, splitPlan } from '../../contract/plan-submit.ts';
import { useShipChoices } from '../choices.ts';
import { refreshPlan, sendersOf } from '../plan/choices.ts';
import { SplitTable } from '../plan/SplitTable.tsx';
import { byRatio, obstacle, type Part } from '../plan/split.ts';
import '../shipping.css';

/** 拆分发货计划: `id` in the address names an open item, which is divided by site, warehouse and way. */
export default function PlanSplit() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, isError, refetch } = useCall(planItem, { params: { id } }, { staleTime: 0 });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="这项计划没有取到。" />;
  return data ? <Editor key={`${id}${data.version}`} item={data} /> : null;
}

function Editor({ item }: { item: Reply<typeof planItem> }) {
  const tab = useTab();
  const senders = sendersOf(useShipChoices());
  const { marketplaceId, warehouseId, transport, qty } = item;
  const whole: Part = { key: 1, marketplaceId, warehouseId, transport, qty, ratio: null };
  const [parts, setParts] = useState<readonly Part[]>([whole]);
  const send = useSend(splitPlan, {
    onSuccess: async ({ ids }) => {
      notice.success(`已拆分为 ${ids.length} 项`);
      await refreshPlan();
      tab.close();
    },
  });
  const put = (key: number, next: Partial<Part>) =>
    setParts((old) => {
      const changed = old.map((part) => (part.key === key ? { ...part, ...next } : part));
      return byRatio(changed, qty) ?? changed;
    });
  const why = obstacle(parts, qty);
  const given = parts.reduce((sum, part) => sum + (part.qty ?? 0), 0);
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>拆分发货计划</h1>
        <span className="document-subject">
          <StoreName store={item.store} />
        </span>
      </div>
      <div className="document-content">
        <div className="ship-split">
          <ProductCell product={item.product} />
          <SplitTable
            item={item}
            parts={parts}
            senders={senders}
            onPut={put}
            onRemove={(key) => setParts((old) => old.filter((part) => part.key !== key))}
          />
          <div className="ship-add">
            <Button
              size="small"
              icon={<PlusOutlined />}
              disabled={parts.length >= MAX_PARTS}
              onClick={() =>
                setParts((old) => [...old, { ...whole, key: Math.max(...old.map((part) => part.key)) + 1, qty: null }])
              }
            >
              增加一行
            </Button>
            <span className="spring" />
            <span className="text2">
              已分配 <b className="num">{formatInteger(given)}</b> / 计划 <b className="num">{formatInteger(qty)}</b>
            </span>
          </div>
        </div>
      </div>
      <footer className="action-bar">
        <span className="action-bar-words">
          {why ?? '拆分后各项分别提交；已有相同站点、发货仓和运输方式的计划时数量相加'}
        </span>
        <span className="spring" />
        <Button onClick={tab.close}>放弃</Button>
        <Button
          type="primary"
          loading={send.isPending}
          disabled={why !== undefined}
          onClick={() =>
            send.mutate({
              body: {
                id: item.id,
                version: item.version,
                parts: parts.flatMap(({ key: _, ratio: __, qty: pieces, ...part }) =>
                  pieces ? [{ ...part, qty: pieces }] : [],
                ),
              },
            })
          }
        >
          拆分
        </Button>
      </footer>
    </div>
  );
}
