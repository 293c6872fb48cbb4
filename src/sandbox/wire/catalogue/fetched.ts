import type { Call } from '../operation.ts';
import type { Issue } from './judge.ts';

const PICTURE = /^(main_product_image_locator|other_product_image_locator_\d+)$/;
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?\//;
const PATIENCE_MS = 5_000;

/** Pictures that a submission names, by attribute. */
function linksOf(body: unknown): [name: string, link: string][] {
  const { attributes = {}, patches = [] } = (body ?? {}) as {
    attributes?: Record<string, unknown>;
    patches?: { path?: string; value?: unknown }[];
  };
  const named: [string, unknown][] = [
    ...Object.entries(attributes),
    ...(Array.isArray(patches) ? patches : []).map(({ path, value }): [string, unknown] => [
      String(path).replace('/attributes/', ''),
      value,
    ]),
  ];
  return named.flatMap(([name, values]) => {
    const [first] = Array.isArray(values) ? values : [];
    const link: unknown = PICTURE.test(name) && first ? Reflect.get(first as object, 'media_location') : undefined;
    return typeof link === 'string' ? [[name, link] as [string, string]] : [];
  });
}

async function isPicture(link: string): Promise<boolean> {
  try {
    const answer = await fetch(link, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'error' });
    await answer.arrayBuffer();
    return answer.ok && (answer.headers.get('content-type') ?? '').startsWith('image/');
  } catch {
    return false;
  }
}

/**
 * Attributes whose picture cannot be fetched, as Amazon fetches what a submission names. Only addresses of this machine are
 * asked, without those of the sandbox itself: it goes nowhere else.
 */
export async function unfetched({ body, world }: Call): Promise<string[]> {
  const own = `${world.publicUrl}/`;
  const asked = linksOf(body).filter(([, link]) => LOOPBACK.test(link) && !link.startsWith(own));
  const answers = await Promise.all(asked.map(async ([name, link]) => ((await isPicture(link)) ? [] : [name])));
  return answers.flat();
}

/** What a submission is told of pictures that cannot be fetched. */
export function pictureIssues(names: readonly string[] | undefined, chinese: boolean): Issue[] {
  return (names ?? []).map((name) => ({
    code: '20000',
    message: chinese ? '无法读取图片链接，请确认地址可公开访问。' : 'The image could not be downloaded from the URL.',
    severity: 'ERROR',
    attributeNames: [name],
    categories: ['INVALID_ATTRIBUTE'],
  }));
}
