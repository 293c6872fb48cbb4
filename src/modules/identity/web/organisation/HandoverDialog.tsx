import { Checkbox, Modal, Select } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { dimensionOptions, OWNER_DIMENSION } from '../../contract/roles.ts';
import { countSubUsers, handOver, handoverPreview, listSubUsers, type SubUserRow } from '../../contract/sub-users.ts';

/** 离职交接: everything that belongs to somebody passes to somebody else in one step. */
export function HandoverDialog({ person, onClose }: { person: SubUserRow | undefined; onClose: () => void }) {
  const [to, setTo] = useState<string>();
  const [disable, setDisable] = useState(true);
  const close = () => {
    setTo(undefined);
    onClose();
  };
  const { data } = useCall(
    handoverPreview,
    { params: { id: person?.id ?? '' } },
    { enabled: person !== undefined, staleTime: 0 },
  );
  const people = useCall(dimensionOptions, { params: { name: OWNER_DIMENSION } }, { enabled: person !== undefined });
  const send = useSend(handOver, {
    refreshes: [listSubUsers, countSubUsers],
    onSuccess: (items) => {
      const sum = items.reduce((all, item) => all + item.count, 0);
      notice.success(`已交接 ${formatInteger(sum)} 项${disable ? '，账号已停用' : ''}`);
      close();
    },
  });
  return (
    <Modal
      title={`离职交接：${person?.name ?? ''}`}
      open={person !== undefined}
      okText="交接"
      okButtonProps={{ disabled: to === undefined }}
      confirmLoading={send.isPending}
      onOk={() => person && to && send.mutate({ body: { from: person.id, to, disable } })}
      onCancel={close}
    >
      <div className="line-table is-dense">
        <table aria-label="交接内容">
          <thead>
            <tr>
              <th>内容</th>
              <th className="is-right">数量</th>
            </tr>
          </thead>
          <tbody>
            {data?.map((item) => (
              <tr key={item.key}>
                <td>{item.title}</td>
                <td className="is-right num">{formatInteger(item.count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="form" style={{ gridTemplateColumns: '1fr', gap: 12, marginTop: 16 }}>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          placeholder="选择接收人"
          aria-label="接收人"
          value={to ?? null}
          onChange={setTo}
          options={(people.data ?? [])
            .filter((each) => each.id !== person?.id)
            .map((each) => ({ value: each.id, label: each.title }))}
        />
        <Checkbox checked={disable} onChange={(event) => setDisable(event.target.checked)}>
          交接后停用该账号并立即下线
        </Checkbox>
      </div>
    </Modal>
  );
}
