import { Modal } from 'antd';
import { useSend } from '#kit/web/api/index.ts';
import type { RowAction } from '#kit/web/grid/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { activateRule, archiveRule, pauseRule, type RuleRow, shadowRule } from '../contract/rules.ts';
import { REFRESHES } from './refreshes.ts';

/** Steps from one mode to the next; each says what it did. */
export function useSteps() {
  const said = (words: string) => ({ refreshes: REFRESHES, onSuccess: () => notice.success(words) });
  const shadow = useSend(shadowRule, said('已开始试运行，满 24 小时后可以启用'));
  const activate = useSend(activateRule, said('规则已启用'));
  const pause = useSend(pauseRule, said('规则已停用'));
  const archive = useSend(archiveRule, said('规则已归档'));
  return { shadow, activate, pause, archive };
}

type Steps = ReturnType<typeof useSteps>;

/** What may be done next with a rule in its present mode: in the list's menu and at the head of its page. */
export function stepsOf(
  row: Pick<RuleRow, 'id' | 'name' | 'status' | 'version'>,
  { shadow, activate, pause, archive }: Steps,
): RowAction[] {
  const body = { id: row.id, version: row.version };
  const ask = (title: string, content: string, okText: string, run: () => Promise<unknown>) => () =>
    Modal.confirm({ title, content, okText, onOk: run });
  const activation: RowAction = {
    label: '启用',
    onClick: ask(`启用「${row.name}」`, '启用后按规则自动提交调价。', '启用', () => activate.mutateAsync({ body })),
  };
  const trial: RowAction = { label: '试运行', onClick: () => shadow.mutate({ body }) };
  const stop: RowAction = { label: '停用', onClick: () => pause.mutate({ body }) };
  const end: RowAction = {
    label: '归档',
    danger: true,
    onClick: ask(`归档「${row.name}」`, '归档后不能恢复，绑定的商品全部解绑。', '归档', () =>
      archive.mutateAsync({ body }),
    ),
  };
  const byStatus: Record<RuleRow['status'], RowAction[]> = {
    DRAFT: [trial, end],
    SHADOW: [activation, stop, end],
    ACTIVE: [stop, trial, end],
    PAUSED: [trial, activation, end],
    ARCHIVED: [],
  };
  return byStatus[row.status];
}
