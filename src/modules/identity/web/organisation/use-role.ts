import { useMemo, useState } from 'react';
import { ApiError, call, messageOf, useCall, uuid } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useDirty } from '#kit/web/tabs/scope.ts';
import { rolePermissions, roleScopes, type ScopeGrant, saveRole } from '../../contract/roles.ts';
import { plain, rebased, rebasedScopes } from './rebase.ts';

/** What a save that is under way has sent. */
interface Sent {
  codes?: readonly string[];
  scopes?: readonly ScopeGrant[];
}

const grants = (scopes: readonly ScopeGrant[]): ScopeGrant[] =>
  scopes.map(({ dimension, mode, ids }) => ({ dimension, mode, ids }));

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
    id: undefined as typeof id,
    codes: undefined as typeof codes.data,
    stored: undefined as typeof stored.data,
  });
  // What is ticked while a save is under way stands against what that save has sent, not against what was read before.
  const [sent, setSent] = useState<Sent>({});
  const same = shown.id === id;
  if (!same || shown.codes !== codes.data || shown.stored !== stored.data) {
    setShown({ id, codes: codes.data, stored: stored.data });
    if (!same || shown.codes !== codes.data) {
      const next = codes.data?.codes ?? [];
      const base = same ? (sent.codes ?? shown.codes?.codes) : undefined;
      setHeld(base ? rebased(next, base, held) : new Set(next));
      setSent((now) => (now.scopes ? { scopes: now.scopes } : {}));
    }
    if (!same || shown.stored !== stored.data) {
      const next = grants(stored.data?.scopes ?? []);
      const base = same ? (sent.scopes ?? shown.stored?.scopes) : undefined;
      setScopes(base ? rebasedScopes(next, base, scopes) : next);
      setSent((now) => (now.codes ? { codes: now.codes } : {}));
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
    setScopes(grants(stored.data?.scopes ?? []));
  };
  const save = async () => {
    if (id === undefined || codes.data === undefined || busy) return;
    setBusy(true);
    const moved = stored.data !== undefined && plain(scopes) !== plain(stored.data.scopes);
    const body = { version: codes.data.version, codes: [...held], ...(moved ? { scopes: [...scopes] } : {}) };
    setSent({ codes: [...held], ...(moved ? { scopes } : {}) });
    try {
      await call(saveRole, { params: { id }, body }, { quiet: true, idempotencyKey: uuid() });
      notice.success('已保存，持有该角色的人几秒内生效');
      onSaved();
    } catch (error) {
      setSent({});
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
    /** What the role may is not read yet: what was ticked now would be lost when it is. */
    loading: codes.data === undefined || stored.data === undefined,
    error: codes.error ?? stored.error,
    retry: () => void Promise.all([codes.refetch(), stored.refetch()]),
  };
}
