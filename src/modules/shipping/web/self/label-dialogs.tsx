import { call } from '#kit/web/api/index.ts';
import { FormDialog, ReasonDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { resolveLabel, voidLabel } from '../../contract/self/label.ts';
import type { SelfRow } from '../../contract/self/rows.ts';
import { refreshSelf } from './shared.ts';

interface Props {
  document: SelfRow;
  onClose: () => void;
}

const Verdict = resolveLabel.body.pick({ verdict: true, trackingNo: true, shipmentNo: true });

/** 面单结果: what somebody found in Seller Central of a purchase of which nobody knows. */
export function VerdictDialog({ document, onClose }: Props) {
  const form = useForm(Verdict, {});
  return (
    <FormDialog
      title={`面单结果 · ${document.number}`}
      open
      form={form}
      columns={1}
      fields={{
        trackingNo: { help: '已成功时必填' },
        shipmentNo: { help: '填写后可取回面单文件、作废面单' },
      }}
      onClose={onClose}
      onSubmit={async (values) => {
        const body = { ...values, id: document.id, version: document.version };
        notice.success((await call(resolveLabel, { body }, { quiet: true })).message);
        await refreshSelf();
      }}
    >
      <p className="label">请先在卖家后台「管理订单」查看该订单是否已有面单。选择未成功后可以重新申请。</p>
    </FormDialog>
  );
}

/** 作废面单, and why. */
export function VoidDialog({ document, onClose }: Props) {
  return (
    <ReasonDialog
      title={`作废面单 · ${document.number}`}
      okText="作废面单"
      onSend={async (reason) => {
        const body = { id: document.id, version: document.version, reason };
        notice.success((await call(voidLabel, { body }, { quiet: true })).message);
        await refreshSelf();
      }}
      onClose={onClose}
    >
      运费退回亚马逊账户；订单上的包裹保留，重新申请的面单会替换它。
    </ReasonDialog>
  );
}
