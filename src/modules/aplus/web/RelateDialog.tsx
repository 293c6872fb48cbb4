import { Input, Modal } from 'antd';
import { useState } from 'react';
import { ApiError, messageOf, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type AplusDetail, relateAplus, validateAplus } from '../contract/documents.ts';
import './editor/editor.css';
import { CHANGED } from './refresh.ts';

interface Props {
  detail: AplusDetail;
  onClose: () => void;
}

const asinsIn = (text: string): string[] => [...new Set(text.toUpperCase().match(/[A-Z0-9]{10}/g) ?? [])];

function removedIn(error: unknown): string[] | undefined {
  const data = error instanceof ApiError && error.code === 409 ? error.data : undefined;
  return (data as { removed?: string[] } | null | undefined)?.removed;
}

/** 关联ASIN: the whole set; what would be taken out of it is shown and asked for once more. */
export function RelateDialog({ detail, onClose }: Props) {
  const { id, version } = detail;
  const [text, setText] = useState(detail.related.map(({ asin }) => asin).join('\n'));
  const [removed, setRemoved] = useState<string[]>();
  const asins = asinsIn(text);
  const relate = useSend(relateAplus, { refreshes: CHANGED, quiet: true });
  const check = useSend(validateAplus, { refreshes: CHANGED });
  const send = async (confirmed: string[]) => {
    try {
      await relate.mutateAsync({ body: { id, version, asins, removed: confirmed } });
      notice.success('已提交关联，亚马逊显示后更新');
      onClose();
    } catch (error) {
      const found = removedIn(error);
      if (found && found.length > 0) setRemoved(found);
      else if (error instanceof ApiError) notice.error(messageOf(error));
    }
  };
  const validate = async () => {
    const { issues } = await check.mutateAsync({ body: { id, version, asins } });
    const errors = issues.filter(({ severity }) => severity === 'ERROR');
    if (errors.length === 0) notice.success(issues.length > 0 ? '校验通过，有提醒，见「问题」' : '校验通过');
    else notice.error(`校验未通过：${errors.map(({ label, message }) => `${label}：${message}`).join('；')}`);
    // The document has another version now.
    onClose();
  };
  return (
    <Modal
      open
      title="关联ASIN"
      okText={removed ? '确认移除并关联' : '关联'}
      okButtonProps={{ danger: removed !== undefined }}
      confirmLoading={relate.isPending}
      onOk={() => void send(removed ?? [])}
      onCancel={onClose}
      footer={(buttons) => (
        <>
          <button type="button" className="link" disabled={check.isPending} onClick={() => void validate()}>
            {check.isPending ? '校验中…' : '校验ASIN'}
          </button>
          {buttons}
        </>
      )}
    >
      <p className="label">每行一个 ASIN。关联是整体替换：不在列表中的 ASIN 会被移除并下线。共 {asins.length} 个。</p>
      <Input.TextArea
        aria-label="ASIN"
        className="code"
        rows={8}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setRemoved(undefined);
        }}
      />
      {removed && (
        <p className="aplus-bad" role="alert">
          将移除 {removed.length} 个 ASIN：{removed.join('、')}
        </p>
      )}
    </Modal>
  );
}
