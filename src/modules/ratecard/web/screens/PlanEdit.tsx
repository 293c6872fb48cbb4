import { LeftOutlined } from '@ant-design/icons';
import { Button, InputNumber } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { useDirty, useTab } from '#kit/web/tabs/scope.ts';
import { COUNTRIES, EDIT } from '../../contract/calculator.ts';
import { listPlans, type Plan, PlanForm, PlanSite, SITE_FIELDS, savePlan } from '../../contract/plans.ts';
import { LIST_PATH, sitesOf } from '../plans.ts';
import '../ratecard.css';

/** 利润方案 in a form: `id` in the address names it, a new one begins with the usual figures. */
export default function PlanEdit() {
  const id = new URLSearchParams(useTab().address.split('?')[1]).get('id');
  const { data, error, isError, refetch } = useCall(listPlans, {}, { staleTime: 0 });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const plan = data.find((one) => one.id === id);
  if (id !== null && !plan)
    return <ErrorState error={null} text="这个利润方案已被删除。" onRetry={() => void refetch()} />;
  return <Editor key={`${id}${plan?.version ?? ''}`} plan={plan} />;
}

const nameOf = (country: string) => COUNTRIES.find((one) => one.country === country)?.name ?? country;

/** What is wrong with the figures of a country, named; undefined where nothing is. */
function wrongOf(sites: readonly PlanSite[]): string | undefined {
  for (const site of sites) {
    const { error } = PlanSite.safeParse(site);
    if (error) return `${nameOf(site.country)}：${error.issues[0]?.message ?? ''}`;
  }
  return undefined;
}

function Editor({ plan }: { plan: Plan | undefined }) {
  const tab = useTab();
  const mayEdit = useAllowed(EDIT);
  const form = useForm(PlanForm, plan ?? { freightBy: 'GREATER' });
  const [sites, setSites] = useState(() => sitesOf(plan));
  const [saved, setSaved] = useState(false);
  useDirty(!saved && JSON.stringify(sites) !== JSON.stringify(sitesOf(plan)));
  const send = useSend(savePlan, {
    quiet: true,
    refreshes: [listPlans],
    onSuccess: () => {
      notice.success('方案已保存');
      form.reset(form.values);
      setSaved(true);
    },
  });
  const isManual = form.values.freightBy === 'MANUAL';
  const fields = SITE_FIELDS.filter(([key]) => !isManual || (key !== 'freight' && key !== 'divisor'));
  const put = (country: string, more: Partial<PlanSite>) =>
    setSites((old) => old.map((site) => (site.country === country ? { ...site, ...more } : site)));
  const save = async () => {
    const values = form.check();
    const wrong = wrongOf(sites);
    if (wrong) notice.error(wrong);
    if (!values || wrong) return;
    const known = plan ? { id: plan.id, version: plan.version } : {};
    try {
      await send.mutateAsync({ body: { ...values, ...known, sites } });
      tab.open(LIST_PATH, { title: '利润方案', replace: true });
    } catch (error) {
      if (!form.refuse(error) && error instanceof Error) notice.error(error.message);
    }
  };
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>{plan ? plan.name : '新建利润方案'}</h1>
      </div>
      <div className="document-content">
        <div className="plan-form">
          <SchemaForm
            form={form}
            columns={4}
            fields={{
              name: { disabled: !mayEdit },
              freightBy: { disabled: !mayEdit, help: '材积 = 长×宽×高(cm) ÷ 系数；取大：实重与材积中较大的' },
            }}
          />
        </div>
        <div className="line-table plan-sites">
          <table aria-label="各站点">
            <thead>
              <tr>
                <th>站点</th>
                {fields.map(([key, label]) => (
                  <th key={key} className="is-right">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {sites.map((site) => (
                <tr key={site.country}>
                  <td>{nameOf(site.country)}</td>
                  {fields.map(([key, label]) => (
                    <td key={key} className="is-right">
                      <InputNumber<string>
                        size="small"
                        stringMode
                        controls={false}
                        min="0"
                        disabled={!mayEdit}
                        aria-label={`${nameOf(site.country)} ${label}`}
                        value={site[key]}
                        onChange={(value) => put(site.country, { [key]: value ?? '' })}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
      <footer className="action-bar">
        <span className="action-bar-words">金额为人民币；留空按 0 计算</span>
        <span className="spring" />
        <Button data-save type="primary" disabled={!mayEdit} loading={send.isPending} onClick={() => void save()}>
          保存
        </Button>
      </footer>
    </div>
  );
}
