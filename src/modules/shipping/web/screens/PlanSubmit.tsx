import { LeftOutlined } from '@ant-design/icons';
import { Button, Tabs } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { PLAN_SUBMIT } from '../../contract/plan.ts';
import { type PlannedShip, previewPlan, submitPlan } from '../../contract/plan-submit.ts';
import { useShipChoices } from '../choices.ts';
import { refreshPlan, sendersOf } from '../plan/choices.ts';
import { Measures } from '../plan/Measures.tsx';
import { ShipGroup, type Way } from '../plan/ShipGroup.tsx';
import '../shipping.css';

const keyOf = (ship: PlannedShip) => `${ship.authid} ${ship.marketplaceId} ${ship.warehouseId} ${ship.transport}`;

const wayOf = (ship: PlannedShip, chosen: Partial<Way> | undefined): Way => ({
  warehouseId: ship.warehouseId,
  transport: ship.transport,
  plannedOn: ship.plannedOn,
  packType: 'MIXED',
  ...chosen,
});

/** How many orders come of groups, which may fall together by what was chosen for them. */
const ordersOf = (ships: readonly { ship: PlannedShip; way: Way }[]) =>
  new Set(
    ships.map(
      ({ ship, way }) => `${ship.authid} ${ship.marketplaceId} ${way.warehouseId} ${way.transport} ${way.packType}`,
    ),
  ).size;

/** 提交发货计划: the ship orders that come of the plan, by site, before they are made; all of them or none. */
export default function PlanSubmit() {
  const tab = useTab();
  const asked = new URLSearchParams(tab.address.split('?')[1]).get('ids');
  const ids = asked ? asked.split(',') : undefined;
  const maySubmit = useAllowed(PLAN_SUBMIT);
  const senders = sendersOf(useShipChoices());
  const [ways, setWays] = useState<Readonly<Record<string, Partial<Way>>>>({});
  const { data, error, isError, refetch } = useCall(previewPlan, { body: ids ? { ids } : {} }, { staleTime: 0 });
  const make = useSend(submitPlan, {
    onSuccess: async ({ batch, orders }) => {
      notice.success(`发货计划 ${batch} 已提交，生成 ${orders.length} 张发货单草稿`);
      await refreshPlan();
      tab.open('/erp/ship/shipment_add/list', { title: '发货单', replace: true });
    },
  });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="提交预览没有取到。" />;
  const ships = (data ?? []).map((ship) => ({ ship, way: wayOf(ship, ways[keyOf(ship)]) }));
  const stuck = ships.filter(({ ship }) => ship.blocked !== undefined).length;
  const measured = (all: typeof ships) => all.map(({ ship, way }) => ({ ship, transport: way.transport }));
  const sites = [...Map.groupBy(ships, ({ ship }) => ship.store.country)];
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>提交发货计划</h1>
        <span className="document-subject">按店铺、站点、发货仓和运输方式生成发货单</span>
      </div>
      <div className="document-content">
        {data?.length === 0 && (
          <Empty title="没有待提交的计划" text="计划已全部提交，或已移出。">
            <Button
              type="primary"
              onClick={() => tab.open('/erp/ship/ship_plan', { title: '发货规划', replace: true })}
            >
              去发货规划
            </Button>
          </Empty>
        )}
        {sites.length > 0 && (
          <Tabs
            className="ship-sites"
            items={sites.map(([country, mine]) => ({
              key: country,
              label: `${country} ${mine.length}`,
              children: (
                <>
                  <div className="ship-site">
                    <Measures ships={measured(mine)} />
                  </div>
                  {mine.map(({ ship, way }) => (
                    <ShipGroup
                      key={keyOf(ship)}
                      ship={ship}
                      way={way}
                      senders={senders}
                      onChange={(next) =>
                        setWays((old) => ({ ...old, [keyOf(ship)]: { ...old[keyOf(ship)], ...next } }))
                      }
                    />
                  ))}
                </>
              ),
            }))}
          />
        )}
      </div>
      {ships.length > 0 && (
        <footer className="action-bar">
          <span className="action-bar-words">
            {stuck > 0
              ? `有 ${stuck} 组不能提交，请先处理或只选择其余计划`
              : `将生成 ${ordersOf(ships)} 张发货单草稿，全部成功或全部不生成；需要的数量计划占用7天`}
          </span>
          <span className="spring" />
          <Measures ships={measured(ships)} />
          <Button onClick={tab.close}>放弃</Button>
          <Button
            type="primary"
            loading={make.isPending}
            disabled={!maySubmit || stuck > 0}
            onClick={() =>
              make.mutate({
                body: { groups: ships.map(({ ship, way }) => ({ ...way, ids: ship.lines.map(({ id }) => id) })) },
              })
            }
          >
            提交
          </Button>
        </footer>
      )}
    </div>
  );
}
