import dayjs from 'dayjs';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { readWriteDowns, saveWriteDown, WriteDownRow } from '../contract/months.ts';

/** 减值比例 of each disposition, from a day on. */
export function WriteDownDialog({ onClose }: { onClose: () => void }) {
  const { data } = useCall(readWriteDowns, {}, { staleTime: 0 });
  const form = useForm(saveWriteDown.body, { disposition: 'DEFECTIVE', validFrom: dayjs().format('YYYY-MM-DD') });
  const send = useSend(saveWriteDown, {
    refreshes: [readWriteDowns],
    quiet: true,
    onSuccess: () => notice.success('已保存，正在重新计算'),
  });
  return (
    <FormDialog
      title="减值比例"
      open
      form={form}
      okText="保存"
      onSubmit={(body) => send.mutateAsync({ body })}
      onClose={onClose}
    >
      <LineTable
        label="当前减值比例"
        row={WriteDownRow}
        rows={data?.now}
        rowId={(row) => row.disposition}
        columns={{ validFrom: { render: (row) => row.validFrom ?? '默认' } }}
      />
    </FormDialog>
  );
}
