import { placeName } from '../contract/check.ts';
import type { AplusIssue } from '../contract/documents.ts';
import { MODULE_TYPES, type ModuleType, moduleOf } from '../contract/modules.ts';

/** An error or a warning as the A+ API gives it. */
export interface ApiComplaint {
  code?: string;
  message?: string;
  details?: string;
}

/** What the known codes mean; anything else is told in Amazon's own words. */
const WORDS: Readonly<Record<string, string>> = {
  BRAND_NOT_ELIGIBLE: '该 ASIN 不属于您备案的品牌',
  CATALOG_NOT_FOUND: '该站点目录中没有这个 ASIN',
  ASIN_HAS_CONTENT: '该 ASIN 正在显示其他 A+ 内容，发布后会被替换',
  IMAGE_NOT_FOUND: '亚马逊没有收到这张图片，请重新上传',
  IMAGE_TOO_SMALL: '图片尺寸不足',
  INVALID_IMAGE_CROP: '裁剪超出图片范围',
  INVALID_ALT_TEXT: '替代文字须为 1 至 100 个字符',
  TEXT_TOO_LONG: '文字超过最大长度',
  EMPTY_TEXT: '文字不能为空',
  MISSING_FIELD: '必填项未填写',
  INVALID_NAME: '名称须为 1 至 100 个字符',
  INVALID_LOCALE: '该站点不显示这种语言的内容',
  INVALID_COUNT: '数量不符合要求',
  PROHIBITED_CLAIM: '文字含有排名、保证等不允许的宣称',
  PROHIBITED_PRICE: '文字提到价格或促销',
  PROHIBITED_LINK: '文字含有其他网站的链接',
};

const typeOf = (key: string): ModuleType | undefined => MODULE_TYPES.find((type) => moduleOf(type).key === key);

/** Place of a complaint: module and slot where its details name them ("contentModuleList[1].standardText.body"). */
function placeOf(details: string): Pick<AplusIssue, 'module' | 'path' | 'label'> {
  const asin = /^asinSet: ?(\w+)/.exec(details)?.[1];
  if (asin !== undefined) return { module: -1, path: '', label: `ASIN ${asin}` };
  const named = /^contentModuleList\[(\d+)\](?:\.(\w+))?(?:\.(.+))?$/.exec(details);
  if (!named) return { module: -1, path: '', label: { name: '名称', locale: '语言' }[details] ?? '' };
  const [, index = '', key = '', rest = ''] = named;
  const module = Number(index);
  const type = typeOf(key);
  const path = rest.replaceAll(/\[(\d+)\]/g, '.$1');
  const slot = type && moduleOf(type).slots.find((one) => one.path !== '' && `${path}.`.startsWith(`${one.path}.`));
  const label = type ? placeName(module, { type }, slot?.path) : `模块${module + 1}`;
  return { module, path: slot?.path ?? '', label };
}

/** What Amazon says, in Chinese where it is known what it means, with where it is meant. */
export function issuesOf(complaints: readonly ApiComplaint[], severity: AplusIssue['severity']): AplusIssue[] {
  return complaints.map(({ code = '', message = '', details = '' }) => {
    const known = Object.hasOwn(WORDS, code) ? WORDS[code] : undefined;
    const place = placeOf(details);
    const own = place.label === '' && details !== '' ? `${message}（${details}）` : message;
    return { ...place, message: known ?? own, severity };
  });
}

/** Issues in one line; null where there are none. */
export function issueLine(issues: readonly AplusIssue[]): string | null {
  const lines = issues.map(({ label, message }) => (label ? `${label}：${message}` : message));
  return lines.length === 0 ? null : lines.join('；').slice(0, 1000);
}
