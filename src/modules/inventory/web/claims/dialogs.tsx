import { call } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { answerClaim, fileClaim } from '../../contract/claim-calls.ts';
import type { ClaimRow } from '../../contract/claims.ts';
import { refreshClaims } from './refresh.ts';

interface Props {
  claim: ClaimRow;
  onClose: () => void;
}

const File = fileClaim.body.omit({ id: true, version: true });
const Answer = answerClaim.body.omit({ id: true, version: true });

/** 提交: the number that Amazon gave the case; a second time it is the appeal. */
export function FileDialog({ claim, onClose }: Props) {
  const form = useForm(File, { caseNo: claim.caseNo, filedOn: null });
  return (
    <FormDialog
      title={claim.state === 'denied' || claim.state === 'partial' ? '申诉' : '提交索赔'}
      open
      form={form}
      okText="确定"
      fields={{ caseNo: { help: '在 Seller Central 提交后填写' }, filedOn: { help: '不填为今天' } }}
      onClose={onClose}
      onSubmit={async (values) => {
        const body = { id: claim.id, version: claim.version, ...values };
        notice.success((await call(fileClaim, { body }, { quiet: true })).message);
        await refreshClaims();
      }}
    />
  );
}

/** 登记结果: what Amazon answered; money comes by its reports. */
export function AnswerDialog({ claim, onClose }: Props) {
  const form = useForm(Answer, { result: 'APPROVED', granted: null, remark: '' });
  return (
    <FormDialog
      title="登记结果"
      open
      columns={1}
      form={form}
      okText="登记"
      fields={{ granted: { help: `不填为全部 ${claim.qty} 件；部分批准必填` } }}
      onClose={onClose}
      onSubmit={async (values) => {
        const body = { id: claim.id, version: claim.version, ...values };
        notice.success((await call(answerClaim, { body }, { quiet: true })).message);
        await refreshClaims();
      }}
    />
  );
}
