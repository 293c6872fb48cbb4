import { Button, Modal } from 'antd';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import { cacheKey, call, queryClient, useCall, useSend, uuid } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { RowActions } from '#kit/web/grid/index.ts';
import { notice } from '#kit/web/notice.tsx';
import {
  autoMatch,
  countMatches,
  deleteRule,
  listMatches,
  listRules,
  previewMatch,
  RuleForm,
  saveRule,
} from '../contract/match.ts';

type Rule = z.infer<typeof RuleForm> & { id: string; version: number };

const WAYS = { exact: '同名', affix: '去前后缀', regex: '正则' };

function told(rule: Rule): string {
  if (rule.way === 'exact') return '与本地 SKU 同名（不分大小写）';
  if (rule.way === 'affix') return `去掉前缀「${rule.prefix || '无'}」、后缀「${rule.suffix || '无'}」`;
  return `${rule.pattern} → ${rule.replacement || '第一个括号'}`;
}

function RuleDialog({ rule, onClose }: { rule: Rule | 'new' | undefined; onClose: () => void }) {
  const form = useForm(RuleForm, {});
  const { reset } = form;
  useEffect(() => {
    if (rule) reset(rule === 'new' ? { way: 'affix', enabled: true, sort: 10 } : { ...rule });
  }, [rule, reset]);
  const way = form.values.way;
  const known = rule === 'new' ? {} : { id: rule?.id, version: rule?.version };
  return (
    <FormDialog
      title={rule === 'new' ? '新增规则' : '修改规则'}
      open={rule !== undefined}
      form={form}
      fields={{
        prefix: { hidden: way !== 'affix' },
        suffix: { hidden: way !== 'affix', placeholder: '-FBA' },
        pattern: { hidden: way !== 'regex', placeholder: 'amz\\.(.+)\\.\\d', help: '须匹配整个 MSKU' },
        replacement: { hidden: way !== 'regex', placeholder: '$1' },
      }}
      onSubmit={async (values) => {
        await call(saveRule, { body: { ...values, ...known } }, { quiet: true, idempotencyKey: uuid() });
        await queryClient.invalidateQueries({ queryKey: cacheKey(listRules) });
      }}
      onClose={onClose}
    />
  );
}

/** 自动配对: the rules in their order, and what they would match now. */
export function AutoMatch({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [rule, setRule] = useState<Rule | 'new'>();
  const rules = useCall(listRules, { body: {} }, { enabled: open });
  const plan = useSend(previewMatch);
  const run = useSend(autoMatch, {
    refreshes: [listMatches, countMatches],
    onSuccess: ({ matched }) => {
      notice.success(`已自动配对 ${matched} 个商品`);
      plan.reset();
    },
  });
  const remove = useSend(deleteRule, { refreshes: [listRules] });
  return (
    <DetailDrawer
      open={open}
      onClose={onClose}
      title="自动配对"
      subtitle="按顺序套用规则，只处理没有配对的商品"
      extra={
        <Button size="small" onClick={() => setRule('new')}>
          新增规则
        </Button>
      }
      actions={
        <>
          <Button loading={plan.isPending} onClick={() => plan.mutate({ body: {} })}>
            预览
          </Button>
          <Button
            type="primary"
            disabled={!plan.data || plan.data.matched === 0}
            loading={run.isPending}
            onClick={() => run.mutate({ body: {} })}
          >
            配对{plan.data ? ` ${plan.data.matched} 个` : ''}
          </Button>
        </>
      }
    >
      <div className="line-table is-dense">
        <table aria-label="规则">
          <thead>
            <tr>
              <th className="is-right">顺序</th>
              <th>名称</th>
              <th>方式</th>
              <th>内容</th>
              <th>状态</th>
              <th />
            </tr>
          </thead>
          <tbody>
            {rules.data?.map((one) => (
              <tr key={one.id}>
                <td className="is-right num">{one.sort}</td>
                <td>{one.name}</td>
                <td>{WAYS[one.way]}</td>
                <td className="ellipsis">{told(one)}</td>
                <td>{one.enabled ? '启用' : <span className="text3">停用</span>}</td>
                <td>
                  <RowActions
                    actions={[
                      { label: '修改', onClick: () => setRule(one) },
                      {
                        label: '删除',
                        danger: true,
                        onClick: () =>
                          Modal.confirm({
                            title: `删除规则「${one.name}」`,
                            content: '已由它配对的商品不变。',
                            okText: '删除',
                            okButtonProps: { danger: true },
                            onOk: () => remove.mutateAsync({ body: { id: one.id } }),
                          }),
                      },
                    ]}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {rules.data?.length === 0 && <div className="line-table-none">还没有规则</div>}
      </div>
      {plan.data && (
        <div className="line-table is-dense">
          <table aria-label="预览">
            <thead>
              <tr>
                <th>MSKU</th>
                <th>店铺-站点</th>
                <th>本地SKU</th>
                <th>规则</th>
              </tr>
            </thead>
            <tbody>
              {plan.data.sample.map((hit) => (
                <tr key={`${hit.store}${hit.country}${hit.msku}`}>
                  <td className="code">{hit.msku}</td>
                  <td>
                    {hit.store} {hit.country}
                  </td>
                  <td className="code">{hit.sku}</td>
                  <td>{hit.rule}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {plan.data.matched === 0 && <div className="line-table-none">没有可以自动配对的商品</div>}
        </div>
      )}
      <RuleDialog rule={rule} onClose={() => setRule(undefined)} />
    </DetailDrawer>
  );
}
