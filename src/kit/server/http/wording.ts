import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

const TYPES: Record<string, string> = {
  string: '文字',
  number: '数字',
  int: '整数',
  boolean: '是或否',
  array: '列表',
  object: '对象',
  record: '对象',
  date: '日期',
};

function missing(input: unknown): boolean {
  return input === undefined || input === null || (typeof input === 'number' && Number.isNaN(input));
}

function bound(issue: Issue & { origin: string }, limit: unknown, word: '小' | '大'): string {
  const side = word === '小' ? '至少' : '最多';
  if (issue.origin === 'string') return `${side}${limit}个字符`;
  if (issue.origin === 'array' || issue.origin === 'set') return `${side}${limit}项`;
  return `不能${word}于${limit}`;
}

/** Chinese wording of what a schema refuses, for every rule that does not bring its own message. */
export function inWords(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return missing(issue.input) ? '不能为空' : `应为${TYPES[issue.expected] ?? '其他类型的值'}`;
    case 'too_small':
      return bound(issue, issue.minimum, '小');
    case 'too_big':
      return bound(issue, issue.maximum, '大');
    case 'invalid_value':
      return missing(issue.input) ? '不能为空' : '不在可选范围内';
    case 'unrecognized_keys':
      return `含有多余的内容 ${issue.keys.join('、').slice(0, 100)}`;
    default:
      return '格式不正确';
  }
}
