import { formatInteger, formatMoney, formatPercent, NOT_APPLICABLE } from '#kit/contract/format.ts';
import { escaped } from '#modules/message/server/index.ts';
import type { Digest } from '../periods/digest.ts';

interface Wording {
  name: string;
  digest: Digest;
  companyName: string;
  publicUrl: string;
}

const words = ({ from, to }: { from: string; to: string }) => (from === to ? from : `${from} 至 ${to}`);
const cells = (tag: 'td' | 'th', texts: readonly string[]) =>
  texts
    .map((text, n) => {
      const align = n === 0 ? 'left' : 'right';
      return `<${tag} style="border:1px solid #ddd;padding:6px 10px;text-align:${align}">${escaped(text)}</${tag}>`;
    })
    .join('');

function linesOf({ figures, currency }: Digest): string[][] {
  return figures.map(({ title, kind, now, before, change }) => {
    const shown = (value: string | number | null) => {
      if (value === null) return NOT_APPLICABLE;
      return kind === 'money' ? formatMoney(String(value), currency) : formatInteger(Number(value));
    };
    return [title, shown(now), shown(before), change === null ? NOT_APPLICABLE : formatPercent(change)];
  });
}

/** Subject, text and HTML of a mail with the totals of a report; names that people gave are escaped. */
export function mailOf({ name, digest, companyName, publicUrl }: Wording) {
  const { period, before, file: attached } = digest;
  const link = `${publicUrl}/amazon/sales/report`;
  const days = `站点日期 ${words(period)}${before ? `，对比 ${words(before)}` : ''}`;
  const head = ['指标', '本期', '对比期', '变化'];
  const lines = linesOf(digest);
  const file = attached ? '明细见附件。' : '您没有导出销售统计的权限，不附明细文件。';
  const foot = `${companyName}的报表订阅，内容按您本人的数据权限生成。`;
  return {
    subject: `销售报表：${name}（${words(period)}）`,
    text: [`销售报表：${name}`, days, ...[head, ...lines].map((line) => line.join('　')), file, link, foot].join('\n'),
    html: `<h3>${escaped(`销售报表：${name}`)}</h3><p>${escaped(days)}</p><table style="border-collapse:collapse"><tr>${cells('th', head)}</tr>${lines
      .map((line) => `<tr>${cells('td', line)}</tr>`)
      .join(
        '',
      )}</table><p>${file}</p><p><a href="${escaped(link)}">在系统中查看</a></p><p style="color:#888;font-size:12px">${escaped(foot)}</p>`,
  };
}
