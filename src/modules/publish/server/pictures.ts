import { Readable } from 'node:stream';
import { audit } from '#kit/server/audit.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { recordFile } from '#kit/server/files.ts';
import { FileReply, type OpenCtx, type PublicCtx } from '#kit/server/http/serve.ts';
import { inTenant, type Runtime } from '#kit/server/runtime.ts';
import { bytesOf, readPicture } from '#modules/product/server/index.ts';
import type { Attributes } from '../contract/form.ts';
import { fetchPicture, PICTURE } from '../contract/pictures.ts';
import { draftOf, RESOURCE } from './draft/row.ts';

const MOST_BYTES = 10 * 1024 * 1024;
/** Amazon refuses what is smaller; buyers cannot zoom into what is below the second. Longest side, pixels. */
const LEAST_SIDE = 500;
const ZOOM_SIDE = 1000;
/** So long an address may be read: drafts wait, and Amazon fetches a picture within hours of a submission. */
const LIFE_MS = 90 * 86_400_000;

interface Sealed {
  companyId: string;
  sha256: string;
  mediaType: string;
  /** Epoch ms by the product's clock. */
  until: number;
}

function opened(runtime: Runtime, token: string): Sealed | undefined {
  try {
    const [companyId = '', sha256 = '', mediaType = '', until = ''] = runtime.secrets.decrypt(token).split('|');
    return { companyId, sha256, mediaType, until: Number(until) };
  } catch {
    // Not sealed by us: whatever is wrong with it is nobody's to know.
    return undefined;
  }
}

const before = (runtime: Runtime): string => `${runtime.config.mediaUrl}/api${fetchPicture.path.replace(':token', '')}`;

/**
 * Keeps a picture for a draft and answers the address by which Amazon fetches it: sealed, so nobody guesses one, and over after
 * ninety days. @throws 404; B0772 where no public address is set; AppError where it is no picture, too large or too small
 */
export async function takePicture(open: OpenCtx, draftId: string) {
  const { runtime, principal } = open;
  if (!open.upload) throw refused('请选择要上传的文件', 'B0022');
  const upload = await open.upload();
  const { bytes, mediaType, width, height } = await readPicture(await bytesOf(upload.stream, MOST_BYTES), MOST_BYTES);
  if (runtime.config.mediaUrl === undefined) {
    throw refused(
      '未设置图片公开地址（MEDIA_URL），亚马逊无法读取上传的图片；请联系管理员设置，或填写图片网址',
      'B0772',
    );
  }
  const longest = Math.max(width, height);
  if (longest < LEAST_SIDE) throw refused(`图片最长边至少 ${LEAST_SIDE} 像素，当前为 ${longest}`, 'B0773');
  return inTenant(
    runtime,
    principal,
    async (ctx) => {
      await draftOf(ctx, draftId);
      const stored = await runtime.files.put(ctx.companyId, Readable.from([bytes]));
      await recordFile(ctx, stored, { name: upload.fileName, mediaType, purpose: 'publish.picture' });
      const until = ctx.runtime.clock.ms() + LIFE_MS;
      const token = runtime.secrets.encrypt([ctx.companyId, stored.sha256, mediaType, until].join('|'));
      await audit(ctx, {
        action: '上传商品图片',
        resource: RESOURCE,
        resourceId: draftId,
        after: { name: upload.fileName, sha256: stored.sha256 },
      });
      const warning =
        longest < ZOOM_SIDE ? `图片最长边 ${longest} 像素，建议至少 ${ZOOM_SIDE}，否则买家不能放大` : null;
      return { url: `${before(runtime)}${token}`, width, height, warning };
    },
    { requestId: open.requestId, ip: open.ip },
  );
}

/** A picture's bytes for whoever holds its address. @throws 404, also for an address whose time is over */
export async function showPicture({ runtime }: PublicCtx, token: string): Promise<FileReply> {
  const sealed = opened(runtime, token);
  if (!sealed || sealed.until <= runtime.clock.ms() || !(await runtime.files.has(sealed.companyId, sealed.sha256))) {
    throw notFound('图片不存在或地址已过期');
  }
  return new FileReply('picture', sealed.mediaType, runtime.files.open(sealed.companyId, sealed.sha256), true);
}

/** Names of attributes whose uploaded picture cannot be fetched any more. */
export function stalePictures(runtime: Runtime, attributes: Attributes): string[] {
  const mark = before(runtime);
  return Object.entries(attributes).flatMap(([name, values]) => {
    const link = PICTURE.test(name) ? values?.[0]?.media_location : undefined;
    if (typeof link !== 'string' || !link.startsWith(mark)) return [];
    const sealed = opened(runtime, link.slice(mark.length));
    return sealed && sealed.until > runtime.clock.ms() ? [] : [name];
  });
}
