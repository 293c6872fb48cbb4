import { useSend } from '#kit/web/api/index.ts';
import { ReasonDialog } from '#kit/web/form/index.ts';
import { countScores, gradeHistory, listScores, lockGrade } from '../contract/grading.ts';
import { listSuppliers, supplierDetail } from '../contract.ts';

/** What shows grades, and what has become of them. */
export const GRADES = [listScores, countScores, gradeHistory, supplierDetail, listSuppliers];

interface Props {
  /** `locked` as it is now: the dialog asks for the other. */
  supplier: { id: string; name: string; locked: boolean };
  onClose: () => void;
}

/** 锁定等级, or opens it again. */
export function LockDialog({ supplier: { id, name, locked }, onClose }: Props) {
  const send = useSend(lockGrade, { refreshes: GRADES, quiet: true });
  const title = locked ? '解锁等级' : '锁定等级';
  return (
    <ReasonDialog
      title={`${title} ${name}`}
      okText={title}
      onSend={(reason) => send.mutateAsync({ body: { id, locked: !locked, reason } })}
      onClose={onClose}
    >
      {locked ? '解锁后，评级建议和自动调整重新适用。' : '锁定后，评级建议和自动调整都不改变等级，只能人工评级。'}
    </ReasonDialog>
  );
}
