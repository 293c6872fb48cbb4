import {
  keepPreviousData,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useId, useRef } from 'react';
import type { CallInput, EndpointDef, Reply } from '../../contract/endpoint.ts';
import { call } from './call.ts';
import { ApiError } from './errors.ts';
import { uuid } from './uuid.ts';

/** The cache of everything that the server said; one per page. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 30_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});

/** Key of an endpoint's answers in the cache; without an input it stands for all of them. */
export function cacheKey(endpoint: EndpointDef, input?: unknown): readonly unknown[] {
  const name = `${endpoint.method} ${endpoint.path}`;
  return input === undefined ? [name] : [name, input];
}

export interface UseCallOptions {
  /** False: do not ask yet. */
  enabled?: boolean;
  /** Milliseconds for which an answer is not asked for again. */
  staleTime?: number;
  /** Ask again every so many milliseconds; false: never. */
  every?: number | false;
  /** Show the previous answer until the next one is here: pages and filters do not blink. */
  keep?: boolean;
}

/** Reads an endpoint. Errors are in the result, for the screen to show in place; nothing pops up. */
export function useCall<E extends EndpointDef>(
  endpoint: E,
  input: CallInput<E>,
  options: UseCallOptions = {},
): UseQueryResult<Reply<E>, Error> {
  const scope = useId();
  return useQuery<Reply<E>, Error>({
    queryKey: cacheKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal, scope, quiet: true }),
    enabled: options.enabled ?? true,
    ...(options.staleTime === undefined ? {} : { staleTime: options.staleTime }),
    ...(options.every === undefined ? {} : { refetchInterval: options.every }),
    ...(options.keep ? { placeholderData: keepPreviousData } : {}),
  });
}

export interface UseSendOptions<E extends EndpointDef> {
  /** Endpoints whose answers this write makes old: they are asked again. */
  refreshes?: readonly EndpointDef[];
  onSuccess?: (reply: Reply<E>, input: CallInput<E>) => void;
  /** The screen shows refusals itself (field errors of a form). */
  quiet?: boolean;
}

/**
 * Writes through an endpoint. An attempt that failed without an answer keeps its idempotency key, so pressing the
 * button again cannot do the thing twice.
 */
export function useSend<E extends EndpointDef>(
  endpoint: E,
  options: UseSendOptions<E> = {},
): UseMutationResult<Reply<E>, Error, CallInput<E>> {
  const client = useQueryClient();
  const attempt = useRef({ input: '', key: '' });
  return useMutation<Reply<E>, Error, CallInput<E>>({
    mutationFn: async (input) => {
      const text = JSON.stringify(input);
      if (attempt.current.input !== text) attempt.current = { input: text, key: uuid() };
      const idempotencyKey = attempt.current.key;
      const reply = await call(endpoint, input, { quiet: options.quiet, idempotencyKey }).catch((error: unknown) => {
        // The server has answered: the next attempt is a new one.
        if (error instanceof ApiError && error.code !== 0) attempt.current = { input: '', key: '' };
        throw error;
      });
      attempt.current = { input: '', key: '' };
      return reply;
    },
    onSuccess: async (reply, input) => {
      options.onSuccess?.(reply, input);
      await Promise.all(
        (options.refreshes ?? []).map((each) => client.invalidateQueries({ queryKey: cacheKey(each) })),
      );
    },
  });
}
