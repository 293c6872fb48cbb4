import { call } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { checkClaim, fileClaim, payClaim } from '../../contract/claim/calls.ts';
import type { ClaimRow } from '../../contract/claim/claim.ts';
import { refreshClaims } from './refresh.ts';

interface Props {
  claim: ClaimRow;
  onClose: () => void;
}

const Check = checkClaim.body.omit({ id: true, version: true });
const File = fileClaim.body.omit({ id: true, version: true });
const Pay = payClaim.body.omit({ id: true, version: true });

/** 核查: whose doing it was. */
export function CheckDialog({ claim, onClose }: Props) {
  const form = useForm(Check, { cause: claim.cause ?? 'AMAZON', remark: '' });
  return (
    <FormDialog
      title="核查差异"
      open
      columns={1}
      form={form}
      okText="确定"
      fields={{ cause: { help: '选「我方少发」后差异关闭，不再索赔' } }}
      onClose={onClose}
      onSubmit={async (values) => {
        const body = { id: claim.id, version: claim.version, ...values };
        notice.success((await call(checkClaim, { body }, { quiet: true })).message);
        await refreshClaims();
      }}
    />
  );
}

/** 提交索赔: the number that the marketplace gave the case. */
export function FileDialog({ claim, onClose }: Props) {
  const form = useForm(File, { caseNo: claim.caseNo, filedOn: null });
  return (
    <FormDialog
      title="提交索赔"
      open
      form={form}
      okText="确定"
      fields={{ filedOn: { help: '不填为今天' } }}
      onClose={onClose}
      onSubmit={async (values) => {
        const body = { id: claim.id, version: claim.version, ...values };
        notice.success((await call(fileClaim, { body }, { quiet: true })).message);
        await refreshClaims();
      }}
    />
  );
}

/** 登记赔付: money that the marketplace's report does not tell of yet. */
export function PayDialog({ claim, onClose }: Props) {
  const form = useForm(Pay, {
    reimbursementId: '',
    qty: Math.max(1, claim.qty - claim.paidQty),
    amount: '',
    currency: claim.currency,
    paidOn: null,
  });
  return (
    <FormDialog
      title="登记赔付"
      open
      form={form}
      okText="登记"
      fields={{ reimbursementId: { help: '平台的赔偿记录到达后按编号自动替换' } }}
      onClose={onClose}
      onSubmit={async (values) => {
        const body = { id: claim.id, version: claim.version, ...values };
        notice.success((await call(payClaim, { body }, { quiet: true })).message);
        await refreshClaims();
      }}
    />
  );
}
