import { useMemo } from 'react';
import { z } from 'zod';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import {
  type AlertRow,
  assignAlerts,
  countAlerts,
  listAlerts,
  muteAlerts,
  readAlertRules,
} from '../contract/alerts.ts';

const REFRESHES = [listAlerts, countAlerts];
const idsOf = (rows: readonly AlertRow[]) => rows.map(({ id }) => id);

interface Props {
  rows: readonly AlertRow[];
  onClose: () => void;
}

const Mute = muteAlerts.body.omit({ ids: true });

/** 静音: how long nobody wants to hear of alerts, and why. */
export function MuteDialog({ rows, onClose }: Props) {
  const form = useForm(Mute, { days: 7 });
  const send = useSend(muteAlerts, {
    refreshes: REFRESHES,
    quiet: true,
    onSuccess: ({ changed }) => notice.success(`已处理 ${changed} 条预警`),
  });
  return (
    <FormDialog
      title={`静音 ${rows.length} 条预警`}
      open
      form={form}
      okText="静音"
      fields={{ days: { help: '0 表示取消静音' }, reason: { span: 2 } }}
      onSubmit={(values) => send.mutateAsync({ body: { ...values, ids: idsOf(rows) } })}
      onClose={onClose}
    />
  );
}

const Assign = z.object({ memberId: z.uuid('请选择负责人').meta({ title: '负责人', kind: 'choice' }) });

/** 指派: who shall see to alerts. */
export function AssignDialog({ rows, onClose }: Props) {
  const form = useForm(Assign, {});
  const { data } = useCall(readAlertRules, {}, { staleTime: 60_000 });
  const options = useMemo(() => data?.scopes.owners ?? [], [data]);
  const send = useSend(assignAlerts, {
    refreshes: REFRESHES,
    quiet: true,
    onSuccess: ({ changed }) => notice.success(`已指派 ${changed} 条预警`),
  });
  return (
    <FormDialog
      title={`指派 ${rows.length} 条预警`}
      open
      form={form}
      columns={1}
      okText="指派"
      fields={{ memberId: { options } }}
      onSubmit={(values) => send.mutateAsync({ body: { ...values, ids: idsOf(rows) } })}
      onClose={onClose}
    />
  );
}
