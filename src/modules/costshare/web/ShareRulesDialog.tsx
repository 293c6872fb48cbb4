import { Button, Input, Modal, Popconfirm } from 'antd';
import { useState } from 'react';
import { Decimal } from '#kit/contract/decimal.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { dropShareRule, listShareRules, type ShareRule, saveShareRule } from '../contract/share-rule.ts';
import { CostRows, draftRow, totalOf } from './CostRows.tsx';

/** One rule as it is written. */
function RuleEditor({ of, onClose }: { of: ShareRule | undefined; onClose: () => void }) {
  const [name, setName] = useState(of?.name ?? '');
  const [rows, setRows] = useState(
    () => of?.rows.map(({ store, sku, percent }) => draftRow({ store, sku, amount: percent })) ?? [draftRow()],
  );
  const send = useSend(saveShareRule, {
    refreshes: [listShareRules],
    onSuccess: () => {
      notice.success('分摊规则已保存');
      onClose();
    },
  });
  const total = totalOf(rows.map(({ amount }) => amount));
  const save = () => {
    const body = {
      name,
      rows: rows.map(({ store, sku, amount }) => ({ store, sku, percent: amount })),
      ...(of ? { id: of.id, version: of.version } : {}),
    };
    const checked = saveShareRule.body.safeParse(body);
    if (!checked.success) return void notice.error(checked.error.issues[0]?.message ?? '请检查填写的内容');
    send.mutate({ body: checked.data });
  };
  return (
    <div className="cost-rows">
      <Input
        aria-label="规则名称"
        placeholder="规则名称"
        maxLength={40}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <CostRows rows={rows} title="比例" unit="%" onChange={setRows} />
      <div className="cost-bar">
        <span className={total !== null && new Decimal(total).eq(100) ? 'label' : 'is-bad'}>合计 {total ?? '—'}%</span>
        <Button onClick={onClose}>返回</Button>
        <Button type="primary" loading={send.isPending} onClick={save}>
          保存规则
        </Button>
      </div>
    </div>
  );
}

/** 分摊规则: fixed shares by name; those that hold stores which the caller does not see are not his to change. */
export function ShareRulesDialog({ onClose }: { onClose: () => void }) {
  const { data = [] } = useCall(listShareRules, {});
  const [edited, setEdited] = useState<ShareRule | 'new'>();
  const drop = useSend(dropShareRule, { refreshes: [listShareRules], onSuccess: () => notice.success('规则已删除') });
  return (
    <Modal title="固定比例规则" open footer={null} width={760} onCancel={onClose}>
      {edited === undefined ? (
        <div className="cost-types">
          {data.map((rule) => (
            <div key={rule.id} className="cost-type">
              <span>
                {rule.name}{' '}
                <span className="label">{rule.whole ? `${rule.rows.length} 行` : '包含没有权限的店铺'}</span>
              </span>
              {rule.whole && (
                <span className="cost-bar">
                  <button type="button" className="link" onClick={() => setEdited(rule)}>
                    编辑
                  </button>
                  <Popconfirm
                    title={`删除规则【${rule.name}】？已经分摊的费用不变`}
                    okText="删除"
                    cancelText="取消"
                    onConfirm={() => drop.mutate({ body: { id: rule.id, version: rule.version } })}
                  >
                    <button type="button" className="link">
                      删除
                    </button>
                  </Popconfirm>
                </span>
              )}
            </div>
          ))}
          {data.length === 0 && (
            <p className="label">还没有规则。按比例分摊的费用（如软件、服务费）可以建一个规则，以后一键套用。</p>
          )}
          <div>
            <Button type="primary" onClick={() => setEdited('new')}>
              新建规则
            </Button>
          </div>
        </div>
      ) : (
        <RuleEditor of={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </Modal>
  );
}
