import { useQuery } from '@tanstack/react-query';
import { request } from '#kit/web/api/call.ts';
import { Disc } from '#kit/web/cells/Person.tsx';
import { userImage } from '../../contract/self.ts';

/** Pictures are read with the session, so they come as bytes and are shown from memory. */
async function load(image: string): Promise<string> {
  const id = image.split('/').at(-1) ?? '';
  return request(userImage, { params: { id } }, { scope: id }, async (response) => {
    if (!response.ok) throw new Error('no picture');
    return URL.createObjectURL(await response.blob());
  });
}

/** Somebody's portrait, or the initial of his name where he has none. */
export function Portrait({ image, name, size }: { image: string | null; name: string; size: number }) {
  const { data: url } = useQuery({
    queryKey: ['portrait', image],
    queryFn: () => load(image ?? ''),
    enabled: image !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (!image || !url) return <Disc name={name} size={size} />;
  return <img className="portrait" src={url} width={size} height={size} alt="" />;
}
