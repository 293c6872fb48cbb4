import { Button, DatePicker, InputNumber, Modal, Select } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { readClaimRules, saveClaimRules } from '../../contract/claim-calls.ts';
import { CLAIM_EDIT, type ClaimPolicy, ClaimReason, ClaimType, ReasonEffect } from '../../contract/claims.ts';
import { refreshClaims } from './refresh.ts';

interface Props {
  onClose: () => void;
}

type Rules = typeof readClaimRules.reply._output;

const TYPES = Object.entries(ClaimType.meta()?.states ?? {}).map(([value, { title }]) => ({ value, label: title }));
const EFFECTS = Object.entries(ReasonEffect.meta()?.states ?? {}).map(([value, { title }]) => ({
  value,
  label: title,
}));
const SOURCES = ClaimReason.shape.source.meta()?.states ?? {};
const SITES = [
  { value: '', label: '全部站点' },
  ...MARKETPLACES.map(({ id, country, name }) => ({ value: id, label: `${country} ${name}` })),
];
const titleOf = (options: readonly { value: string; label: string }[], value: string): string =>
  options.find((one) => one.value === value)?.label ?? value;

/** 索赔规则: the windows that Amazon grants, each from a day on, and what codes of reasons mean. */
export function RulesDialog({ onClose }: Props) {
  const { data } = useCall(readClaimRules, {}, { staleTime: 0 });
  return data ? <Loaded rules={data} onClose={onClose} /> : null;
}

function PolicyTable({ policies }: { policies: readonly ClaimPolicy[] }) {
  return (
    <div className="line-table is-dense" style={{ maxHeight: 220, overflow: 'auto' }}>
      <table aria-label="索赔期限">
        <thead>
          <tr>
            <th>类型</th>
            <th>站点</th>
            <th className="is-right">开放（天后）</th>
            <th className="is-right">截止（天后）</th>
            <th>生效日</th>
          </tr>
        </thead>
        <tbody>
          {policies.map((one) => (
            <tr key={`${one.type} ${one.marketplaceId} ${one.validFrom} ${one.opensAfter} ${one.closesAfter}`}>
              <td>{titleOf(TYPES, one.type)}</td>
              <td>{titleOf(SITES, one.marketplaceId)}</td>
              <td className="is-right num">{one.opensAfter}</td>
              <td className="is-right num">{one.closesAfter}</td>
              <td className="num">{one.validFrom}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NewPolicy({ onAdd }: { onAdd: (policy: ClaimPolicy) => void }) {
  const [policy, setPolicy] = useState<ClaimPolicy>({
    type: 'FC_LOST',
    marketplaceId: '',
    opensAfter: 0,
    closesAfter: 60,
    validFrom: dayjs().format('YYYY-MM-DD'),
  });
  const put = (part: Partial<ClaimPolicy>) => setPolicy((old) => ({ ...old, ...part }));
  return (
    <div style={{ display: 'flex', gap: 8, margin: '8px 0 16px', flexWrap: 'wrap' }}>
      <Select
        size="small"
        aria-label="类型"
        style={{ width: 120 }}
        options={TYPES}
        value={policy.type}
        onChange={(type) => put({ type })}
      />
      <Select
        size="small"
        aria-label="站点"
        style={{ width: 130 }}
        options={SITES}
        value={policy.marketplaceId}
        onChange={(marketplaceId) => put({ marketplaceId })}
      />
      <InputNumber
        size="small"
        aria-label="开放（天后）"
        min={0}
        max={730}
        precision={0}
        value={policy.opensAfter}
        onChange={(value) => put({ opensAfter: value ?? 0 })}
      />
      <InputNumber
        size="small"
        aria-label="截止（天后）"
        min={1}
        max={730}
        precision={0}
        value={policy.closesAfter}
        onChange={(value) => put({ closesAfter: value ?? 60 })}
      />
      <DatePicker
        size="small"
        aria-label="生效日"
        allowClear={false}
        value={dayjs(policy.validFrom)}
        onChange={(day) => day && put({ validFrom: day.format('YYYY-MM-DD') })}
      />
      <Button size="small" disabled={policy.opensAfter >= policy.closesAfter} onClick={() => onAdd(policy)}>
        添加期限
      </Button>
    </div>
  );
}

function ReasonTable({
  reasons,
  disabled,
  onPut,
}: {
  reasons: readonly ClaimReason[];
  disabled: boolean;
  onPut: (reason: ClaimReason) => void;
}) {
  return (
    <div className="line-table is-dense" style={{ maxHeight: 260, overflow: 'auto' }}>
      <table aria-label="原因代码">
        <thead>
          <tr>
            <th>报表</th>
            <th>原因代码</th>
            <th>作用</th>
          </tr>
        </thead>
        <tbody>
          {reasons.map((one) => (
            <tr key={`${one.source} ${one.code}`}>
              <td>{SOURCES[one.source]?.title}</td>
              <td className="num">{one.code}</td>
              <td>
                <Select
                  size="small"
                  aria-label={`${one.code} 作用`}
                  style={{ width: 180 }}
                  disabled={disabled}
                  options={EFFECTS}
                  value={one.effect}
                  onChange={(effect) => onPut({ ...one, effect })}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Loaded({ rules, onClose }: Props & { rules: Rules }) {
  const disabled = !useAllowed(CLAIM_EDIT);
  const [added, setAdded] = useState<readonly ClaimPolicy[]>([]);
  const [reasons, setReasons] = useState<readonly ClaimReason[]>(rules.reasons);
  const send = useSend(saveClaimRules, {
    refreshes: [readClaimRules],
    onSuccess: async () => {
      notice.success('索赔规则已保存，正在重新查找');
      await refreshClaims();
      onClose();
    },
  });
  const put = (reason: ClaimReason) =>
    setReasons((old) => old.map((one) => (one.source === reason.source && one.code === reason.code ? reason : one)));
  return (
    <Modal
      title="索赔规则"
      open
      width={640}
      okText={disabled ? '关闭' : '保存'}
      confirmLoading={send.isPending}
      onOk={() => (disabled ? onClose() : send.mutate({ body: { policies: [...added], reasons: [...reasons] } }))}
      onCancel={onClose}
    >
      <p className="label">期限只增不改：发生日当天有效的最后一条生效，指定站点的优先。以 Seller Central 为准。</p>
      <PolicyTable policies={[...rules.policies, ...added]} />
      {!disabled && <NewPolicy onAdd={(policy) => setAdded((old) => [...old, policy])} />}
      <ReasonTable reasons={reasons} disabled={disabled} onPut={put} />
    </Modal>
  );
}
