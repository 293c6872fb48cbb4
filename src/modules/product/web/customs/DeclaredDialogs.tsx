import { useEffect } from 'react';
import { cacheKey, call, queryClient, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import {
  approveLow,
  type DeclaredRow,
  LockForm,
  LowForm,
  listDeclared,
  lockDeclared,
} from '../../contract/customs-value.ts';

interface Props {
  rows: readonly DeclaredRow[] | undefined;
  onClose: () => void;
}

/** Listings of rows, as calls name them. */
export const listingsOf = (rows: readonly DeclaredRow[] | undefined) =>
  (rows ?? []).map(({ accountId, marketplaceId, msku }) => ({ accountId, marketplaceId, msku }));

const refresh = () => queryClient.invalidateQueries({ queryKey: cacheKey(listDeclared) });

/** 锁定: a value that is declared whatever the price is. */
export function LockDialog({ rows, onClose }: Props) {
  const form = useForm(LockForm, {});
  const { reset } = form;
  useEffect(() => {
    if (rows) reset({ value: rows.length === 1 ? (rows[0]?.declared ?? '') : '', reason: '' });
  }, [rows, reset]);
  const currencies = [...new Set(rows?.map((row) => row.currency))].join('、');
  return (
    <FormDialog
      title={`锁定申报金额：${rows?.length ?? 0} 个商品`}
      open={rows !== undefined}
      form={form}
      fields={{ value: { help: `每件，${currencies}` } }}
      okText="锁定"
      onSubmit={async (values) => {
        await call(
          lockDeclared,
          { body: { ...values, listings: listingsOf(rows) } },
          { quiet: true, idempotencyKey: uuid() },
        );
        await refresh();
      }}
      onClose={onClose}
    />
  );
}

/** 低申报审批: why, and on what ground of the law, less than the purchase cost is declared. */
export function ApproveDialog({ rows, onClose }: Props) {
  const form = useForm(LowForm, {});
  const { reset } = form;
  useEffect(() => {
    if (rows) reset({ reason: '', legalBasis: '' });
  }, [rows, reset]);
  return (
    <FormDialog
      title={`低申报审批：${rows?.length ?? 0} 个商品`}
      open={rows !== undefined}
      form={form}
      columns={1}
      fields={{ legalBasis: { help: '如适用的估价条款、关联交易裁定编号' } }}
      okText="同意按此申报"
      onSubmit={async (values) => {
        await call(
          approveLow,
          { body: { ...values, listings: listingsOf(rows) } },
          { quiet: true, idempotencyKey: uuid() },
        );
        await refresh();
      }}
      onClose={onClose}
    />
  );
}
