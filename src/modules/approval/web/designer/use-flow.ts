import { useEffect, useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { useDirty } from '#kit/web/tabs/scope.ts';
import { type FlowInput, readFlow } from '../../contract/flows.ts';

const NEW: FlowInput = {
  name: '',
  docType: '',
  scope: 'company',
  scopeIds: [],
  priority: 0,
  definition: { steps: [] },
};

/** A flow that is being changed, with a way back and forth; `id` undefined is a new one. */
export function useFlow(id: string | undefined) {
  const { data, error, refetch } = useCall(
    readFlow,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, staleTime: 0 },
  );
  const [flow, setFlow] = useState<FlowInput>(NEW);
  const [past, setPast] = useState<FlowInput[]>([]);
  const [dirty, setDirty] = useState(false);
  useDirty(dirty);
  useEffect(() => {
    if (!data || dirty) return;
    const { name, docType, scope, scopeIds, priority, definition, version } = data;
    setFlow({ id: data.id, version, name, docType, scope, scopeIds, priority, definition });
  }, [data, dirty]);
  return {
    flow,
    view: data,
    error,
    refetch,
    dirty,
    change(more: Partial<FlowInput>) {
      setPast((old) => [...old.slice(-49), flow]);
      setFlow({ ...flow, ...more });
      setDirty(true);
    },
    undo:
      past.length === 0
        ? undefined
        : () => {
            const last = past.at(-1);
            if (last)
              setFlow({
                ...last,
                ...(flow.id ? { id: flow.id } : {}),
                ...(flow.version === undefined ? {} : { version: flow.version }),
              });
            setPast(past.slice(0, -1));
          },
    saved(id: string, version: number) {
      setFlow((old) => ({ ...old, id, version }));
      setDirty(false);
    },
  };
}
