import { Select } from 'antd';
import { z } from 'zod';
import { Day } from '#kit/contract/field.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { refreshTasks } from '#kit/web/tasks/use-tasks.ts';
import { replayReports, reportTasks } from '../../contract/report-tasks.ts';
import { reportTypes } from '../../contract/sync.ts';

const Wish = z.object({
  reportType: z.string({ error: '请选择报表类型' }).min(1, '请选择报表类型').meta({ title: '报表类型' }),
  from: Day.optional().meta({ title: '下载日期不早于' }),
});

/** 批量重新解析: every stored document of a type is read once more. */
export function ReplayDialog({ onClose }: { onClose: () => void }) {
  const types = useCall(reportTypes, {});
  const form = useForm(Wish, {});
  const send = useSend(replayReports, {
    refreshes: [reportTasks],
    quiet: true,
    onSuccess: () => {
      refreshTasks();
      notice.success('已开始重新解析，结果见右上角的任务');
    },
  });
  return (
    <FormDialog
      title="批量重新解析"
      open
      form={form}
      okText="开始"
      columns={1}
      fields={{
        reportType: {
          render: ({ id, value, onChange }) => (
            <Select
              id={id}
              showSearch={{ optionFilterProp: 'label' }}
              placeholder="选择报表类型"
              options={(types.data ?? []).map((one) => ({ value: one.type, label: `${one.title} ${one.type}` }))}
              {...(value ? { value: String(value) } : {})}
              onChange={onChange}
            />
          ),
        },
      }}
      onSubmit={(body) => send.mutateAsync({ body })}
      onClose={onClose}
    >
      <p className="note is-info" style={{ marginBottom: 12 }}>
        从保存的原始文件重新读取，不再向亚马逊申请。内容没有变化的行不会改写；较新的数据不会被旧文件覆盖。
      </p>
    </FormDialog>
  );
}
