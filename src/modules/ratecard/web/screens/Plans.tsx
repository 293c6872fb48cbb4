import { App, Button } from 'antd';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { COUNTRIES, EDIT } from '../../contract/calculator.ts';
import { defaultPlan, listPlans, Plan, removePlan, SITE_FIELDS } from '../../contract/plans.ts';
import { EDIT_PATH } from '../plans.ts';
import '../ratecard.css';

const Row = Plan.omit({ sites: true }).extend({
  countries: Plan.shape.name.meta({ title: '各站点', width: 420 }),
  acts: Plan.shape.name.meta({ title: '操作', width: 190, pinned: 'right' }),
});

/** What a plan says of each country, in words: only what is not left empty. */
function wordsOf({ sites }: Plan): string {
  const named = COUNTRIES.flatMap(({ country, name }) => {
    const site = sites.find((one) => one.country === country);
    const parts = site ? SITE_FIELDS.flatMap(([key, label]) => (site[key] ? [`${label} ${site[key]}`] : [])) : [];
    return parts.length > 0 ? [`${name}：${parts.slice(0, 4).join('，')}${parts.length > 4 ? '…' : ''}`] : [];
  });
  return named.join('；');
}

/** 利润方案: what the calculator takes for granted in each country, under a name. */
export default function Plans() {
  const { modal } = App.useApp();
  const tab = useTab();
  const mayEdit = useAllowed(EDIT);
  const { data, error, isError, refetch } = useCall(listPlans, {});
  const choose = useSend(defaultPlan, { refreshes: [listPlans], onSuccess: () => notice.success('已设为默认方案') });
  const remove = useSend(removePlan, { refreshes: [listPlans], onSuccess: () => notice.success('方案已删除') });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const create = (
    <Allowed code={EDIT}>
      <Button type="primary" onClick={() => tab.open(EDIT_PATH, { title: '新建利润方案' })}>
        新建方案
      </Button>
    </Allowed>
  );
  const ask = ({ id, version, name }: Plan) =>
    modal.confirm({
      title: `删除方案「${name}」？`,
      content: '已保存的测算留有当时的方案，不受影响。',
      okText: '删除',
      okButtonProps: { danger: true },
      cancelText: '返回',
      onOk: () => remove.mutateAsync({ body: { id, version } }),
    });
  const acts = (plan: Plan) => (
    <span className="plan-acts">
      <TabLink to={EDIT_PATH} title={plan.name} query={{ id: plan.id }}>
        {mayEdit ? '修改' : '查看'}
      </TabLink>
      {mayEdit && !plan.isDefault && (
        <Button type="link" size="small" onClick={() => choose.mutate({ body: { id: plan.id } })}>
          设为默认
        </Button>
      )}
      {mayEdit && (
        <Button type="link" size="small" danger onClick={() => ask(plan)}>
          删除
        </Button>
      )}
    </span>
  );
  const byId = new Map(data?.map((plan) => [plan.id, plan]));
  return (
    <div className="page-list">
      <ListHead title="利润方案">{create}</ListHead>
      <div className="plan-body">
        {data?.length === 0 ? (
          <Empty title="还没有利润方案" text="方案记下各站点的头程单价、税率、广告与退货比例，测算时不必逐项填写。">
            {create}
          </Empty>
        ) : (
          <LineTable
            label="利润方案"
            row={Row}
            rows={data?.map((plan) => ({ ...plan, countries: wordsOf(plan), acts: '' }))}
            columns={{
              acts: {
                render: ({ id }) => {
                  const plan = byId.get(id);
                  return plan ? acts(plan) : null;
                },
                text: () => '',
              },
            }}
          />
        )}
      </div>
    </div>
  );
}
