import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { lockPrices, unlockPrices } from '../../contract/locks.ts';
import { type ListingRow, listingDetail, listListings } from '../../contract.ts';

const Form = lockPrices.body.omit({ ids: true });
const refreshes = [listListings, listingDetail];

/** Lets prices be changed again. */
export function useUnlock() {
  return useSend(unlockPrices, {
    refreshes,
    onSuccess: ({ count }) => notice.success(count > 0 ? `已解除 ${count} 个商品的冻结` : '所选商品没有冻结'),
  });
}

/** 冻结调价: nobody changes these prices, nor does a rule, until a day is over. */
export function LockDialog({ rows, onClose }: { rows: readonly ListingRow[]; onClose: () => void }) {
  const form = useForm(Form, {});
  const send = useSend(lockPrices, {
    refreshes,
    onSuccess: ({ count }) => notice.success(`已冻结 ${count} 个商品`),
  });
  return (
    <FormDialog
      title={`冻结 ${rows.length} 个商品的调价`}
      open
      form={form}
      okText="冻结"
      onSubmit={(body) => send.mutateAsync({ body: { ...body, ids: rows.map(({ id }) => id) } })}
      onClose={onClose}
    >
      <p className="label">冻结期间手工调价与智能调价都不能修改售价；已提交的修改不受影响。</p>
    </FormDialog>
  );
}
