import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState } from 'react';
import { blobOf, cacheKey } from '#kit/web/api/index.ts';
import type { ImageValue } from '../../contract/content.ts';
import { showPicture } from '../../contract/documents.ts';

/** Pictures that lie at Amazon's stand below this address; empty where they cannot be seen. */
export const MediaBase = createContext('');

/** Address at which the browser shows a picture; undefined while it loads, or where it cannot be seen. */
export function usePicture({ picture, destination }: Pick<ImageValue, 'picture' | 'destination'>): string | undefined {
  const base = useContext(MediaBase);
  const [url, setUrl] = useState<string>();
  const { data } = useQuery({
    queryKey: cacheKey(showPicture, { params: { id: picture } }),
    queryFn: () => blobOf(showPicture, { params: { id: picture ?? '' } }),
    enabled: picture !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (!data) return;
    const made = URL.createObjectURL(data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  if (picture !== undefined) return url;
  return destination === undefined || base === '' ? undefined : `${base}/${destination}`;
}
