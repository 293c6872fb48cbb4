import { Modal } from 'antd';
import { useEffect, useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { countMatches, listMatches } from '../contract/match.ts';
import { acceptSuggestions, countSuggestions, listSuggestions, type SuggestRow } from '../contract/match-suggest.ts';
import { type EditedPart, PartsEditor } from './PartsEditor.tsx';

/** A suggestion with another product or other pieces. */
export function SuggestDialog({ row, onClose }: { row: SuggestRow | undefined; onClose: () => void }) {
  const [parts, setParts] = useState<EditedPart[]>([]);
  useEffect(() => {
    if (!row) return;
    setParts(row.parts.map(({ productId, sku, name, qty }) => ({ productId, label: `${sku} ${name}`, qty })));
  }, [row]);
  const accept = useSend(acceptSuggestions, {
    refreshes: [listSuggestions, countSuggestions, listMatches, countMatches],
    onSuccess: ({ accepted }) => {
      if (accepted > 0) notice.success('已按修改后的产品配对');
      else notice.warning('该商品已有配对，保持不变');
      onClose();
    },
  });
  return (
    <Modal
      title={`修改建议 ${row?.msku ?? ''}`}
      open={row !== undefined}
      width={640}
      okText="修改并采纳"
      okButtonProps={{ disabled: parts.length === 0 }}
      confirmLoading={accept.isPending}
      onOk={() =>
        row &&
        accept.mutate({
          body: { items: [{ id: row.id, parts: parts.map(({ productId, qty }) => ({ productId, qty })) }] },
        })
      }
      onCancel={onClose}
    >
      <PartsEditor parts={parts} onChange={setParts} />
      <p className="label">{row?.reasonText}</p>
    </Modal>
  );
}
