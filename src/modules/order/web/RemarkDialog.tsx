import { Input } from 'antd';
import { z } from 'zod';
import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { listOrders, orderChanges, orderDetail, remarkOrders } from '../contract/orders.ts';

const Remark = z.object({
  remark: z.string().trim().max(500, '备注不能超过500个字符').optional().meta({ title: '备注', kind: 'text' }),
});

interface Props {
  /** The orders that get the remark, and the one that they have. */
  orders: { ids: string[]; remark: string };
  onClose: () => void;
}

/** One remark for all chosen orders; an empty one removes it. */
export function RemarkDialog({ orders, onClose }: Props) {
  const form = useForm(Remark, { remark: orders.remark });
  const send = useSend(remarkOrders, {
    refreshes: [listOrders, orderDetail, orderChanges],
    onSuccess: ({ changed }) => notice.success(changed > 0 ? `已更新 ${changed} 个订单的备注` : '备注没有变化'),
    quiet: true,
  });
  return (
    <FormDialog
      title={`订单备注（${orders.ids.length} 单）`}
      open
      form={form}
      columns={1}
      fields={{
        remark: {
          help: '清空后保存即删除备注',
          render: ({ id, value, onChange }) => (
            <Input.TextArea
              id={id}
              rows={4}
              maxLength={500}
              showCount
              value={String(value ?? '')}
              onChange={(event) => onChange(event.target.value)}
            />
          ),
        },
      }}
      onSubmit={({ remark = '' }) => send.mutateAsync({ body: { ids: orders.ids, remark } })}
      onClose={onClose}
    />
  );
}
