import { useMemo, useState } from 'react';
import { ApiError, call, messageOf, useCall, uuid } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useDirty } from '#kit/web/tabs/scope.ts';
import { rolePermissions, roleScopes, type ScopeGrant, saveRole } from '../../contract/roles.ts';

function plain(scopes: readonly ScopeGrant[]) {
  return JSON.stringify(
    scopes
      .map(({ dimension, mode, ids }) => ({ dimension, mode, ids: mode === 'LIST' ? [...ids].sort() : [] }))
      .sort((a, b) => a.dimension.localeCompare(b.dimension)),
  );
}

/** The rights of one role while they are edited; `save` sends codes and scopes with the version that was read. */
export function useRole(id: string | undefined, onSaved: () => void) {
  const input = { params: { id: id ?? '' } };
  const codes = useCall(rolePermissions, input, { enabled: id !== undefined, staleTime: 0 });
  const stored = useCall(roleScopes, input, { enabled: id !== undefined, staleTime: 0 });
  const [held, setHeld] = useState<ReadonlySet<string>>(new Set());
  const [scopes, setScopes] = useState<readonly ScopeGrant[]>([]);
  const [busy, setBusy] = useState(false);
  // Only a new answer is taken over, and not by an effect: those run again whenever the tab comes back to the front,
  // and what the user has changed by then must stay.
  const [shown, setShown] = useState({
    codes: undefined as typeof codes.data,
    stored: undefined as typeof stored.data,
  });
  if (shown.codes !== codes.data || shown.stored !== stored.data) {
    setShown({ codes: codes.data, stored: stored.data });
    if (shown.codes !== codes.data) setHeld(new Set(codes.data?.codes));
    if (shown.stored !== stored.data) {
      setScopes((stored.data?.scopes ?? []).map(({ dimension, mode, ids }) => ({ dimension, mode, ids })));
    }
  }
  const changes = useMemo(() => {
    const was = new Set(codes.data?.codes);
    const count = [...held].filter((code) => !was.has(code)).length + [...was].filter((code) => !held.has(code)).length;
    const moved = stored.data !== undefined && plain(scopes) !== plain(stored.data.scopes);
    return codes.data === undefined ? 0 : count + (moved ? 1 : 0);
  }, [held, codes.data, scopes, stored.data]);
  useDirty(changes > 0);

  const abandon = () => {
    setHeld(new Set(codes.data?.codes));
    setScopes((stored.data?.scopes ?? []).map(({ dimension, mode, ids }) => ({ dimension, mode, ids })));
  };
  const save = async () => {
    if (id === undefined || codes.data === undefined || busy) return;
    setBusy(true);
    const moved = stored.data !== undefined && plain(scopes) !== plain(stored.data.scopes);
    const body = { version: codes.data.version, codes: [...held], ...(moved ? { scopes: [...scopes] } : {}) };
    try {
      await call(saveRole, { params: { id }, body }, { quiet: true, idempotencyKey: uuid() });
      notice.success('已保存，持有该角色的人几秒内生效');
      onSaved();
    } catch (error) {
      if (error instanceof ApiError) notice.error(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return {
    held,
    setHeld,
    scopes,
    setScopes,
    changes,
    save,
    abandon,
    busy,
    loading: codes.data === undefined,
    error: codes.error ?? stored.error,
    retry: () => void Promise.all([codes.refetch(), stored.refetch()]),
  };
}
