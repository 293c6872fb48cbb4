import { Button, Modal } from 'antd';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import { cacheKey, call, queryClient, useCall, useSend, uuid } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { RowActions } from '#kit/web/grid/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { refreshTasks } from '#kit/web/tasks/use-tasks.ts';
import { autoMatch, deleteRule, listRules, previewMatch, RuleForm, saveRule } from '../contract/match-rules.ts';

type Rule = z.infer<typeof RuleForm> & { id: string; version: number };

const WAYS = {
  exact: '同名',
  affix: '去前后缀',
  country: '去国家后缀',
  head: '取分隔符之前',
  wildcard: '通配符',
  regex: '正则',
};

/** What is typed beside each way that has a pattern. */
const PATTERNS: Partial<Record<Rule['way'], { placeholder: string; help: string }>> = {
  wildcard: { placeholder: 'amz.{SKU}.*', help: '{SKU} 为本地 SKU，* 为任意内容，? 为一个字符' },
  head: { placeholder: '-', help: '一个字符，取它第一次出现之前的部分' },
  regex: { placeholder: 'amz\\.(.+)\\.\\d', help: '须匹配整个 MSKU' },
};

function told(rule: Rule): string {
  if (rule.way === 'exact') return '与本地 SKU 同名（不分大小写）';
  if (rule.way === 'affix') return `去掉前缀「${rule.prefix || '无'}」、后缀「${rule.suffix || '无'}」`;
  if (rule.way === 'country') return '去掉与站点相同的国家后缀，如 -US';
  if (rule.way === 'head') return `取「${rule.pattern}」之前的部分`;
  if (rule.way === 'wildcard') return rule.pattern;
  return `${rule.pattern} → ${rule.replacement || '第一个括号'}`;
}

function RuleDialog({ rule, onClose }: { rule: Rule | 'new' | undefined; onClose: () => void }) {
  const form = useForm(RuleForm, {});
  const { reset } = form;
  useEffect(() => {
    if (rule) reset(rule === 'new' ? { way: 'affix', qty: 1, enabled: true, sort: 10 } : { ...rule });
  }, [rule, reset]);
  const way = form.values.way;
  const pattern = way ? PATTERNS[way as Rule['way']] : undefined;
  const known = rule === 'new' ? {} : { id: rule?.id, version: rule?.version };
  return (
    <FormDialog
      title={rule === 'new' ? '新增规则' : '修改规则'}
      open={rule !== undefined}
      form={form}
      fields={{
        prefix: { hidden: way !== 'affix' },
        suffix: { hidden: way !== 'affix', placeholder: '-FBA' },
        pattern: { hidden: !pattern, ...pattern },
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
    onSuccess: () => {
      notice.success('自动配对已在后台开始，结果见右上角任务');
      refreshTasks();
      plan.reset();
      onClose();
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
            应用{plan.data ? `，配对 ${plan.data.matched} 个` : ''}
          </Button>
        </>
      }
    >
      <div className="line-table is-dense">
        <table aria-label="规则">
          <thead>
            <tr>
              <th className="is-right">优先级</th>
              <th>名称</th>
              <th>方式</th>
              <th>内容</th>
              <th className="is-right">每件数量</th>
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
                <td className="is-right num">{one.qty}</td>
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
        <p className="label">
          {plan.data.rules.map((one) => `${one.name} ${one.matched} 个`).join('　')}
          ；每条规则列出前 20 个
        </p>
      )}
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
