import { Button, Input, Modal, Switch } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { listFeeTypes, saveFeeType } from '../contract/calls.ts';

/** 费用类型管理: adds types, and stops those that are not used any more; documents keep theirs. */
export function FeeTypeDialog({ onClose }: { onClose: () => void }) {
  const { data = [] } = useCall(listFeeTypes, {});
  const [name, setName] = useState('');
  const send = useSend(saveFeeType, { refreshes: [listFeeTypes], onSuccess: () => setName('') });
  const known = data.some((type) => type.name === name.trim());
  return (
    <Modal title="费用类型管理" open footer={null} onCancel={onClose} width={420}>
      <div className="cost-types">
        {data.map((type) => (
          <div key={type.name} className="cost-type">
            <span>{type.name}</span>
            <Switch
              size="small"
              aria-label={`启用${type.name}`}
              checked={type.active}
              onChange={(active) => send.mutate({ body: { name: type.name, active } })}
            />
          </div>
        ))}
        <div className="cost-type">
          <Input
            aria-label="新费用类型"
            placeholder="新费用类型"
            maxLength={40}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button
            type="primary"
            disabled={name.trim() === '' || known}
            onClick={() => send.mutate({ body: { name: name.trim(), active: true } })}
          >
            添加
          </Button>
        </div>
      </div>
    </Modal>
  );
}
