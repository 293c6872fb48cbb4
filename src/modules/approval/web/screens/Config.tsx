import { Button, Checkbox, Input, InputNumber, Modal, Select, Switch } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Tag } from '#kit/web/cells/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/ErrorState.tsx';
import { CONFIG, readSettings, type Setting, saveSetting } from '../../contract/config.ts';
import { conditionWords } from '../../contract/words.ts';
import { ConditionEditor } from '../designer/ConditionEditor.tsx';
import { useKinds } from '../kinds.ts';
import { useNames } from '../names.ts';
import { PeopleSelect } from '../PeopleSelect.tsx';
import '../approval.css';
import '../designer/designer.css';

const DEDUP = [
  { value: 'all', label: '全流程只审一次' },
  { value: 'adjacent', label: '连续相同自动通过' },
  { value: 'none', label: '不去重' },
];
const WITHDRAW = [
  { value: 'untouched', label: '审批人处理前可撤回' },
  { value: 'always', label: '审批结束前都可撤回' },
];

/** One kind's settings in a dialog. */
function SettingDialog({ setting, onClose }: { setting: Setting; onClose: () => void }) {
  const kind = useKinds()?.find(({ docType }) => docType === setting.docType);
  const [value, setValue] = useState(setting);
  const put = (more: Partial<Setting>) => setValue({ ...value, ...more });
  const send = useSend(saveSetting, {
    refreshes: [readSettings],
    onSuccess: () => {
      notice.success(`${setting.docTitle}的审批配置已保存`);
      onClose();
    },
  });
  const { docTitle, updatedAt, updatedByName, ...body } = value;
  return (
    <Modal
      open
      width={560}
      title={`${docTitle} · 审批配置`}
      okText="保存"
      confirmLoading={send.isPending}
      onCancel={onClose}
      onOk={() => send.mutate({ body })}
    >
      <div className="approval-form">
        <Checkbox checked={value.enabled} onChange={(event) => put({ enabled: event.target.checked })}>
          启用审批：提交后按流程审批，单据页不再直接审核
        </Checkbox>
        <div className="field">
          <span className="field-label">免审条件</span>
          <Checkbox
            checked={value.exempt !== null}
            onChange={(event) => put({ exempt: event.target.checked ? { join: 'all', rules: [] } : null })}
          >
            满足条件的单据提交后直接通过
          </Checkbox>
          {value.exempt && <ConditionEditor value={value.exempt} kind={kind} onChange={(exempt) => put({ exempt })} />}
        </div>
        <div className="field">
          <span className="field-label">同一审批人多次出现</span>
          <Select
            aria-label="同一审批人多次出现"
            value={value.dedup}
            options={DEDUP}
            onChange={(dedup) => put({ dedup: dedup as Setting['dedup'] })}
          />
        </div>
        <div className="field">
          <span className="field-label">撤回</span>
          <Select
            aria-label="撤回"
            value={value.withdraw}
            options={WITHDRAW}
            onChange={(withdraw) => put({ withdraw: withdraw as Setting['withdraw'] })}
          />
        </div>
        <Checkbox checked={value.selfApprove} onChange={(event) => put({ selfApprove: event.target.checked })}>
          允许审批本人提交的单据
        </Checkbox>
        <Checkbox checked={value.batch} onChange={(event) => put({ batch: event.target.checked })}>
          允许批量同意
        </Checkbox>
        <div className="field">
          <span className="field-label">审批后修改，金额上升超过多少重新审批（比例，0.05 为 5%）</span>
          <Input
            aria-label="变更后重审容差"
            value={value.tolerance}
            onChange={(event) => put({ tolerance: event.target.value.trim() })}
          />
        </div>
        <div className="field">
          <span className="field-label">流程管理员（未选时为公司所有者）</span>
          <PeopleSelect label="选择流程管理员" value={value.admins} onChange={(admins) => put({ admins })} />
        </div>
        <div className="field">
          <span className="field-label">委托期上限</span>
          <InputNumber
            aria-label="委托期上限"
            min={1}
            max={90}
            precision={0}
            value={value.delegationDays}
            suffix="天"
            onChange={(days) => put({ delegationDays: days ?? 30 })}
          />
        </div>
      </div>
    </Modal>
  );
}

/** 审批配置: how each kind of document is approved. */
export default function Config() {
  const { data, error, refetch } = useCall(readSettings, {}, { staleTime: 0 });
  const kinds = useKinds();
  const names = useNames();
  const mayEdit = useAllowed(CONFIG);
  const [open, setOpen] = useState<Setting>();
  const toggle = useSend(saveSetting, { refreshes: [readSettings] });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const words = (one: Setting) =>
    [
      one.exempt &&
        one.exempt.rules.length > 0 &&
        `免审：${conditionWords(
          one.exempt,
          kinds?.find(({ docType }) => docType === one.docType),
        )}`,
      DEDUP.find(({ value }) => value === one.dedup)?.label,
      WITHDRAW.find(({ value }) => value === one.withdraw)?.label,
      one.selfApprove && '本人可审',
      !one.batch && '不允许批量',
      one.admins.length > 0 && `管理员 ${one.admins.map((id) => names.get(id) ?? '').join('、')}`,
    ]
      .filter(Boolean)
      .join(' · ');
  return (
    <div className="page-list">
      <ListHead title="审批配置" />
      <div className="flow-configs">
        {data?.map((one) => {
          const { docTitle, updatedAt, updatedByName, ...body } = one;
          return (
            <section className="flow-config" key={one.docType} aria-label={docTitle}>
              <b>{docTitle}</b>
              {mayEdit ? (
                <Switch
                  aria-label={`启用${docTitle}审批`}
                  checked={one.enabled}
                  loading={toggle.isPending && toggle.variables?.body.docType === one.docType}
                  onChange={(enabled) => toggle.mutate({ body: { ...body, enabled } })}
                />
              ) : (
                <Tag tone={one.enabled ? 'done' : 'off'} title={one.enabled ? '已启用' : '未启用'} />
              )}
              <span className="text2 ellipsis">{one.enabled ? words(one) : '未启用流程：有审核权限的人直接审核'}</span>
              {mayEdit && (
                <Button size="small" onClick={() => setOpen(one)}>
                  配置
                </Button>
              )}
            </section>
          );
        })}
      </div>
      {open && <SettingDialog key={open.docType} setting={open} onClose={() => setOpen(undefined)} />}
    </div>
  );
}
