import { Modal, Select } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { When } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { listTemplates, type PlacedCard, removeTemplate, saveTemplate } from '../contract/layout.ts';

interface Props {
  cards: readonly PlacedCard[];
  onClose: () => void;
}

/** 存为角色模板: what members of a role begin with. Whoever arranged his page himself keeps it. */
export function TemplateDialog({ cards, onClose }: Props) {
  const [roleIds, setRoleIds] = useState<string[]>([]);
  const { data } = useCall(listTemplates, {});
  const save = useSend(saveTemplate, {
    refreshes: [listTemplates],
    onSuccess: () => {
      notice.success('模板已保存');
      onClose();
    },
  });
  const remove = useSend(removeTemplate, { refreshes: [listTemplates] });
  const known = data?.filter(({ updatedAt }) => updatedAt !== null) ?? [];
  return (
    <Modal
      open
      width={480}
      title="存为角色模板"
      okText="保存模板"
      okButtonProps={{ disabled: roleIds.length === 0 }}
      confirmLoading={save.isPending}
      onOk={() => save.mutate({ body: { roleIds, cards: [...cards] } })}
      onCancel={onClose}
    >
      <p className="text2">这些角色中没有自己调整过首页的成员，将看到当前布局；没有权限的卡片不会显示。</p>
      <Select
        mode="multiple"
        className="home-roles"
        aria-label="角色"
        placeholder="选择角色"
        showSearch={{ optionFilterProp: 'label' }}
        value={roleIds}
        options={(data ?? []).map(({ roleId, role }) => ({ value: roleId, label: role }))}
        onChange={setRoleIds}
      />
      <ul className="card-list is-lined">
        {known.map(({ roleId, role, updatedAt, updatedByName }) => (
          <li key={roleId}>
            <span className="ellipsis">{role}</span>
            <span className="spring" />
            <span className="label">
              {updatedByName} {updatedAt && <When at={updatedAt} />}
            </span>
            <button
              type="button"
              className="link"
              aria-label={`删除「${role}」的模板`}
              onClick={() => remove.mutate({ params: { roleId } })}
            >
              删除
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
