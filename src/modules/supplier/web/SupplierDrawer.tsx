import { Button, Input, Modal, Select } from 'antd';
import { useState } from 'react';
import { actionsOf } from '#kit/contract/document.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { State, When } from '#kit/web/cells/index.ts';
import { Facts } from '#kit/web/document/index.ts';
import { ObjectDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed, usePermissions } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { gradeHistory, listScores } from '../contract/grading.ts';
import {
  BANK,
  countSuppliers,
  decideBank,
  GRADE,
  Grade,
  gradeSupplier,
  listSuppliers,
  moveSupplier,
  type SupplierDetail,
  SupplierState,
  selectSuppliers,
  supplierDetail,
  supplierDocument,
} from '../contract.ts';
import { BankDialog } from './BankDialog.tsx';
import { Scores } from './Scores.tsx';
import { SupplierDialog } from './SupplierDialog.tsx';

const REFRESHES = [listSuppliers, countSuppliers, supplierDetail, selectSuppliers, listScores, gradeHistory];
const NO_PERMISSIONS: ReadonlySet<string> = new Set();
const TABS = [
  { key: 'facts', title: '资料' },
  { key: 'bank', title: '收款账户' },
  { key: 'score', title: '评分' },
];
type Action = 'activate' | 'suspend' | 'blacklist' | 'restore';

function Bank({ supplier, onAsk }: { supplier: SupplierDetail; onAsk: () => void }) {
  const decide = useSend(decideBank, {
    refreshes: [supplierDetail, listSuppliers],
    onSuccess: () => notice.success('已处理'),
  });
  const change = supplier.bankChange;
  return (
    <div className="supplier-card">
      <Facts
        title="当前收款账户"
        facts={[
          { label: '开户行', value: supplier.bank?.bankName },
          { label: '户名', value: supplier.bank?.accountName },
          { label: '账号', value: supplier.bank?.account },
        ]}
      />
      {change && (
        <div className="note is-info">
          <span>
            {change.askedBy} 申请改为尾号 {change.tail} 的账户
            {change.state === 'approved' && change.effectiveAt && (
              <>
                ，已通过，
                <When at={change.effectiveAt} /> 生效
              </>
            )}
          </span>
          {change.state === 'pending' && (
            <>
              <Button size="small" onClick={() => decide.mutate({ body: { changeId: change.id, agree: false } })}>
                拒绝
              </Button>
              <Button
                size="small"
                type="primary"
                onClick={() => decide.mutate({ body: { changeId: change.id, agree: true } })}
              >
                同意
              </Button>
            </>
          )}
        </div>
      )}
      {!change && <Button onClick={onAsk}>修改收款账户</Button>}
    </div>
  );
}

function GradeDialog({ supplier, onClose }: { supplier: SupplierDetail | undefined; onClose: () => void }) {
  const [grade, setGrade] = useState<'A' | 'B' | 'C' | 'D'>();
  const [score, setScore] = useState('');
  const [reason, setReason] = useState('');
  const send = useSend(gradeSupplier, { refreshes: REFRESHES, onSuccess: onClose });
  return (
    <Modal
      title={`评级 ${supplier?.shortName ?? ''}`}
      open={supplier !== undefined}
      okText="保存评级"
      okButtonProps={{ disabled: reason.trim() === '' }}
      confirmLoading={send.isPending}
      onOk={() =>
        supplier &&
        send.mutate({ body: { id: supplier.id, grade: grade ?? supplier.grade, serviceScore: score || null, reason } })
      }
      onCancel={onClose}
      destroyOnHidden
    >
      <div className="supplier-line">
        <Select
          aria-label="等级"
          value={grade ?? supplier?.grade ?? 'B'}
          onChange={setGrade}
          options={Grade.options.map((value) => ({ value, label: `${value} 级` }))}
        />
        <Input
          aria-label="服务评分"
          placeholder="服务评分 0–100"
          value={score}
          onChange={(event) => setScore(event.target.value)}
        />
      </div>
      <Input.TextArea
        aria-label="原因"
        placeholder="请填写原因"
        maxLength={200}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <p className="label">D 级供应商不能下单。</p>
    </Modal>
  );
}

interface Props {
  id: string | undefined;
  /** The tab that it opens on. */
  first?: 'facts' | 'score';
  onClose: () => void;
}

/** One supplier: its data, bank details, scorecard, and what may be done with it. */
export function SupplierDrawer({ id, first = 'facts', onClose }: Props) {
  const [tab, setTab] = useState<string>(first);
  const [editing, setEditing] = useState<SupplierDetail>();
  const [grading, setGrading] = useState<SupplierDetail>();
  const [bank, setBank] = useState<string>();
  const permissions = usePermissions();
  const mayBank = useAllowed(BANK);
  const { data, isError, error, refetch } = useCall(
    supplierDetail,
    { body: { id: id ?? '' } },
    { enabled: id !== undefined },
  );
  const move = useSend(moveSupplier, { refreshes: REFRESHES });
  const shown = data?.id === id ? data : undefined;
  const act = (action: Action, title: string, needsReason: boolean) => {
    if (!shown) return;
    let reason = '';
    Modal.confirm({
      title: `${title}「${shown.shortName}」`,
      content: needsReason ? (
        <Input aria-label="原因" placeholder="请填写原因" onChange={(event) => (reason = event.target.value)} />
      ) : null,
      okText: title,
      onOk: () => move.mutateAsync({ body: { id: shown.id, action, reason, version: shown.version } }),
    });
  };
  const offered = shown ? actionsOf(supplierDocument, shown.state, permissions ?? NO_PERMISSIONS) : [];
  return (
    <ObjectDrawer
      open={id !== undefined}
      onClose={onClose}
      title={shown?.shortName ?? ''}
      subtitle={shown?.code}
      extra={shown && <State value={shown.state} states={SupplierState.meta()?.states} />}
      tabs={TABS.filter((one) => one.key !== 'bank' || mayBank)}
      tab={tab}
      onTab={setTab}
      actions={
        <>
          {offered.map((action) => (
            <Button
              key={action.name}
              danger={action.name === 'blacklist'}
              onClick={() => act(action.name as Action, action.title, action.reason)}
            >
              {action.title}
            </Button>
          ))}
          <Allowed code={GRADE}>
            <Button onClick={() => setGrading(shown)}>评级</Button>
          </Allowed>
          <Allowed code="erp:supplier:edit">
            <Button type="primary" data-edit onClick={() => setEditing(shown)}>
              编辑
            </Button>
          </Allowed>
        </>
      }
    >
      {isError && <ErrorState error={error} onRetry={() => void refetch()} />}
      {shown && tab === 'facts' && (
        <div className="supplier-card">
          <Facts
            title="资料"
            facts={[
              { label: '全称', value: shown.fullName || null },
              { label: '税号', value: shown.taxId },
              { label: '等级', value: shown.grade, strong: true },
              { label: '币种', value: shown.currency },
              { label: '1688会员', value: shown.alibabaMember },
              { label: '地址', value: shown.address },
              { label: '备注', value: shown.remark },
            ]}
          />
          <Facts
            title="联系人"
            facts={shown.contacts.map((one) => ({
              label: one.name,
              value: [one.role, one.phone, one.wechat, one.email].filter(Boolean).join('　'),
            }))}
          />
        </div>
      )}
      {shown && tab === 'bank' && <Bank supplier={shown} onAsk={() => setBank(shown.id)} />}
      {shown && tab === 'score' && <Scores id={shown.id} name={shown.shortName} />}
      <SupplierDialog supplier={editing} onClose={() => setEditing(undefined)} />
      <GradeDialog supplier={grading} onClose={() => setGrading(undefined)} />
      <BankDialog id={bank} onClose={() => setBank(undefined)} />
    </ObjectDrawer>
  );
}
