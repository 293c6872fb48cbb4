import { Button, DatePicker, Modal } from 'antd';
import dayjs from 'dayjs';
import { useEffect, useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { countMatches, listMatches, type MatchRow, matchHistory, saveMatches } from '../contract/match.ts';
import { type EditedPart, PartsEditor } from './PartsEditor.tsx';

/** 配对: which products, and how many of each, one unit of the listings is, from a day on. */
export function MatchDialog({ rows, onClose }: { rows: readonly MatchRow[] | undefined; onClose: () => void }) {
  const [parts, setParts] = useState<EditedPart[]>([]);
  const [from, setFrom] = useState<string>();
  useEffect(() => {
    if (!rows) return;
    const [first] = rows;
    setFrom(undefined);
    setParts(
      rows.length === 1 && first
        ? first.parts.map((part) => ({ productId: part.productId, label: `${part.sku} ${part.name}`, qty: part.qty }))
        : [],
    );
  }, [rows]);
  const save = useSend(saveMatches, {
    refreshes: [listMatches, countMatches, matchHistory],
    onSuccess: ({ saved }) => {
      notice.success(`已配对 ${saved} 个商品`);
      onClose();
    },
  });
  const listings = (rows ?? []).map(({ accountId, marketplaceId, msku }) => ({ accountId, marketplaceId, msku }));
  const title = rows?.length === 1 ? `配对 ${rows[0]?.msku ?? ''}` : `批量配对 ${rows?.length ?? 0} 个商品`;
  return (
    <Modal
      title={title}
      open={rows !== undefined}
      width={640}
      okText="保存配对"
      okButtonProps={{ disabled: parts.length === 0 }}
      confirmLoading={save.isPending}
      onOk={() =>
        save.mutate({
          body: {
            listings,
            parts: parts.map(({ productId, qty }) => ({ productId, qty })),
            ...(from ? { validFrom: from } : {}),
          },
        })
      }
      onCancel={onClose}
    >
      <PartsEditor parts={parts} onChange={setParts} />
      <div className="import-kinds">
        <span className="label">生效日期　</span>
        <DatePicker
          aria-label="生效日期"
          placeholder="留空：一直有效"
          value={from ? dayjs(from) : null}
          onChange={(day) => setFrom(day ? day.format('YYYY-MM-DD') : undefined)}
        />
        <Button type="link" onClick={() => setFrom(dayjs().format('YYYY-MM-DD'))}>
          从今天起
        </Button>
      </div>
      <p className="label">保存后，生效日期起的销量、成本按新配对计算；之前的配对到前一天为止。</p>
    </Modal>
  );
}
