import { Checkbox, Input, Modal, Select } from 'antd';
import { useState } from 'react';
import { call, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { bindSeller, manualAccount, saveStore } from '../../contract/stores.ts';
import { siteOptions } from './SitePicker.tsx';

interface Props {
  onClose: () => void;
  /** Called with the new store; `manual` where it works with files only. */
  onDone: (id: string, manual: boolean) => void;
}

/** 新增店铺: a name, and for a company without interface access the sites whose files it will upload. */
export function StoreDialog({ onClose, onDone }: Props) {
  const [name, setName] = useState('');
  const [manual, setManual] = useState(false);
  const [sites, setSites] = useState<string[]>([]);
  const [seller, setSeller] = useState('');
  // A store that was made before its account was refused is used again instead of made twice.
  const [made, setMade] = useState<string>();
  const send = useSend(saveStore, {
    refreshes: [bindSeller],
    onSuccess: async (id) => {
      setMade(id);
      if (!manual) {
        notice.success('店铺已新增');
        onDone(id, false);
        return;
      }
      const sellerId = seller.trim();
      try {
        await call(manualAccount, { body: { storeId: id, marketplaceIds: sites, ...(sellerId ? { sellerId } : {}) } });
        notice.success('手工店铺已新增');
        onDone(id, true);
      } catch {
        // The client has said why; the dialog stays for another try.
      }
    },
  });
  const ready = name.trim() !== '' && (!manual || sites.length > 0);
  return (
    <Modal
      open
      width={560}
      title="新增店铺"
      okText="保存店铺"
      cancelText="取消"
      okButtonProps={{ disabled: !ready }}
      confirmLoading={send.isPending}
      onCancel={onClose}
      onOk={() => send.mutate({ body: { ...(made ? { id: made } : {}), name: name.trim() } })}
    >
      <div className="dialog-form">
        <div className="field">
          <span>店铺名称</span>
          <Input
            autoFocus
            maxLength={50}
            aria-label="店铺名称"
            placeholder="例如 启航家居"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <Checkbox checked={manual} onChange={(event) => setManual(event.target.checked)}>
          手工店铺：没有接口授权，只上传报表
        </Checkbox>
        {manual && (
          <>
            <div className="field">
              <span>站点（同一区域，可多选）</span>
              <Select
                mode="multiple"
                aria-label="站点"
                placeholder="请选择站点"
                showSearch={{ optionFilterProp: 'label' }}
                options={siteOptions()}
                value={sites}
                onChange={setSites}
              />
            </div>
            <div className="field">
              <span>卖家ID（选填，以后授权同一卖家时数据合并）</span>
              <Input
                maxLength={30}
                aria-label="卖家ID"
                value={seller}
                onChange={(event) => setSeller(event.target.value)}
              />
            </div>
          </>
        )}
      </div>
    </Modal>
  );
}
