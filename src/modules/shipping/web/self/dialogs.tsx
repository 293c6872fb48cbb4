import { call } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { putSelfWay, sendBackSelf, weighSelf } from '../../contract/self/calls.ts';
import { SelfWay } from '../../contract/self/input.ts';
import type { SelfRow } from '../../contract/self/rows.ts';
import { toOptions } from '../choices.ts';
import { channelOptions, refreshSelf, useSelfChoices } from './shared.ts';

interface Props {
  document: SelfRow;
  onClose: () => void;
}

/** 物流信息: channel or carrier, tracking number, weight, size and fees. */
export function WayDialog({ document, way, onClose }: Props & { way: SelfWay }) {
  const form = useForm(SelfWay, way);
  const choices = useSelfChoices();
  return (
    <FormDialog
      title="物流信息"
      open
      form={form}
      fields={{
        channelId: { options: channelOptions(choices), placeholder: '可不选', help: '未填承运商时取渠道的物流商' },
        carrier: { placeholder: '如 UPS、云途' },
      }}
      onClose={onClose}
      onSubmit={async (values) => {
        const body = { ...values, id: document.id, version: document.version };
        notice.success((await call(putSelfWay, { body }, { quiet: true })).message);
        await refreshSelf();
      }}
    />
  );
}

const Weight = weighSelf.body.pick({ weightG: true });

/** 称重: what a parcel weighs, g. */
export function WeighDialog({ document, onClose }: Props) {
  const form = useForm(Weight, { weightG: document.weightG });
  return (
    <FormDialog
      title="称重"
      open
      form={form}
      columns={1}
      width={360}
      onClose={onClose}
      onSubmit={async ({ weightG }) => {
        const body = { id: document.id, version: document.version, weightG };
        notice.success((await call(weighSelf, { body }, { quiet: true })).message);
        await refreshSelf();
      }}
    />
  );
}

const Back = sendBackSelf.body.pick({ warehouseId: true, reason: true });

/** 异常退回: where what left comes back to, and why. */
export function BackDialog({ document, warehouseId, onClose }: Props & { warehouseId: string }) {
  const form = useForm(Back, { warehouseId });
  const choices = useSelfChoices();
  return (
    <FormDialog
      title="异常退回"
      open
      form={form}
      columns={1}
      okText="退回"
      fields={{ warehouseId: { options: toOptions(choices?.returns), help: '待检仓转为待检，次品仓转为次品' } }}
      onClose={onClose}
      onSubmit={async (values) => {
        const body = { id: document.id, version: document.version, ...values };
        notice.success((await call(sendBackSelf, { body }, { quiet: true })).message);
        await refreshSelf();
      }}
    >
      <p className="label">货物按出库成本退回仓库；原出库记录保留。</p>
    </FormDialog>
  );
}
