import { useEffect, useRef, useState } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import { ApiError, call, messageOf, uuid } from '#kit/web/api/index.ts';
import { useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { ScopeGrant } from '../../contract/roles.ts';
import { addSubUser, SubUserForm, saveSubUser, type subUserDetail } from '../../contract/sub-users.ts';

export type Detail = Reply<typeof subUserDetail>;

const EMPTY = { name: '', account: '' };

function valuesOf(detail: Detail | undefined) {
  if (!detail) return EMPTY;
  const { name, account, deptId, email, tel, expireDate, remark } = detail;
  return { name, account, deptId, email: email ?? '', tel: tel ?? '', expireDate, remark: remark ?? '' };
}

/** What the drawer of a person edits: his data, his roles, and what narrows him. */
export function usePerson(detail: Detail | undefined, onSaved: (made?: { account: string; password: string }) => void) {
  const form = useForm(SubUserForm, EMPTY);
  const [roleIds, setRoleIds] = useState<readonly string[]>([]);
  const [scopes, setScopes] = useState<readonly ScopeGrant[]>([]);
  const [busy, setBusy] = useState(false);
  const { reset } = form;
  const taken = useRef<Detail | null | undefined>(null);
  useEffect(() => {
    // Effects run again whenever the tab comes back to the front; what was changed by then must stay.
    if (taken.current === detail) return;
    taken.current = detail;
    reset(valuesOf(detail));
    setRoleIds(detail?.roleIds ?? []);
    setScopes((detail?.scopes ?? []).map(({ dimension, mode, ids }) => ({ dimension, mode, ids })));
  }, [detail, reset]);

  const rightsChanged =
    JSON.stringify([...roleIds].sort()) !== JSON.stringify([...(detail?.roleIds ?? [])].sort()) ||
    scopes.some((scope) => {
      const was = detail?.scopes.find((each) => each.dimension === scope.dimension);
      return (was?.mode ?? 'ALL') !== scope.mode || JSON.stringify(was?.ids ?? []) !== JSON.stringify(scope.ids);
    });

  /** Answers whether it was saved. */
  const save = async (): Promise<boolean> => {
    const values = form.check();
    if (values === null || busy) return false;
    setBusy(true);
    const idempotencyKey = uuid();
    try {
      if (detail) {
        const rights = rightsChanged ? { roleIds: [...roleIds], scopes: [...scopes] } : {};
        const body = { ...cleared(values), ...rights, version: detail.version };
        await call(saveSubUser, { params: { id: detail.id }, body }, { quiet: true, idempotencyKey });
        notice.success(`${values.name} 已保存`);
        onSaved();
      } else {
        const body = { ...values, roleIds: [...roleIds], scopes: [...scopes] };
        const made = await call(addSubUser, { body }, { quiet: true, idempotencyKey });
        onSaved({ account: values.account, password: made.password ?? '' });
      }
      form.reset(form.values);
      return true;
    } catch (error) {
      if (!form.refuse(error) && error instanceof ApiError) notice.error(messageOf(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { form, roleIds, setRoleIds, scopes, setScopes, save, busy, changed: form.dirty || rightsChanged };
}

/** A field that was emptied is sent as empty: one that is left out stays as it was. */
function cleared(values: SubUserForm): SubUserForm {
  return {
    ...values,
    email: values.email ?? '',
    tel: values.tel ?? '',
    remark: values.remark ?? '',
    deptId: values.deptId ?? null,
    expireDate: values.expireDate ?? null,
  };
}
