import { Modal, Select } from 'antd';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { copyDraft, countDrafts, listDrafts } from '../contract/draft.ts';

/** 复制到其他站点: drafts of the same SKU, to be looked through and handed in there. */
export function CopyDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const options = useSiteOptions() ?? [];
  const [sites, setSites] = useState<string[]>([]);
  const send = useSend(copyDraft, {
    refreshes: [listDrafts, countDrafts],
    onSuccess: ({ made, failed }) => {
      if (made.length > 0) notice.success(`已建立 ${made.length} 份草稿，请在「商品刊登」核对后提交`);
      for (const { site, reason } of failed) {
        notice.error(`${options.find(({ value }) => value === site)?.label ?? site}：${reason}`);
      }
      onClose();
    },
  });
  return (
    <Modal
      open
      title="复制到其他站点"
      okText="建立草稿"
      okButtonProps={{ disabled: sites.length === 0 }}
      confirmLoading={send.isPending}
      onOk={() => send.mutate({ body: { id, sites } })}
      onCancel={onClose}
    >
      <p className="label">复制商品信息，不含售价、库存与 ASIN；文字不翻译。先保存草稿，复制的是已保存的内容。</p>
      <Select
        mode="multiple"
        aria-label="店铺/站点"
        placeholder="店铺/站点"
        style={{ width: '100%' }}
        value={sites}
        options={options}
        onChange={setSites}
      />
    </Modal>
  );
}
