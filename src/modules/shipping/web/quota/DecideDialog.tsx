import { call } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { decideQuota } from '../../contract/quota/calls.ts';
import { DecideForm, type RequestRow } from '../../contract/quota/fields.ts';
import { refreshQuotas } from './shared.ts';

/** What Amazon answered to a request. */
export function DecideDialog({ request, onClose }: { request: RequestRow; onClose: () => void }) {
  const form = useForm(DecideForm, { state: 'approved' });
  return (
    <FormDialog
      title="登记申请结果"
      open
      form={form}
      fields={{
        granted: { hidden: form.values.state !== 'approved', help: `申请 ${request.wanted}，留空为全部批准` },
      }}
      onSubmit={async (values) => {
        const body = { ...values, id: request.id, version: request.version };
        await call(decideQuota, { body }, { quiet: true });
        notice.success('申请结果已登记');
        await refreshQuotas();
      }}
      onClose={onClose}
    />
  );
}
