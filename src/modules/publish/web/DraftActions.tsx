import { Button } from 'antd';
import type { DraftDetail } from '../contract/draft.ts';
import type { Steps } from './use-steps.ts';

interface Props {
  may: DraftDetail['may'];
  dirty: boolean;
  steps: Steps;
}

/** What can be done with a draft, the last step at the right. */
export function DraftActions({ may, dirty, steps }: Props) {
  const { button } = steps;
  if (!may.edit && !may.cancel) return null;
  return (
    <footer className="action-bar">
      {may.cancel && (
        <Button danger {...button('cancel')} onClick={() => void steps.cancel()}>
          取消刊登
        </Button>
      )}
      <span className="spring" />
      {may.edit && (
        <>
          <Button data-save {...button('save', dirty)} onClick={() => void steps.save()}>
            保存草稿
          </Button>
          <Button {...button('judge')} onClick={() => void steps.judge()}>
            预校验
          </Button>
        </>
      )}
      {may.submit && (
        <>
          <Button {...button('schedule')} onClick={() => steps.setPlanning(true)}>
            定时提交
          </Button>
          <Button type="primary" {...button('submit')} onClick={() => void steps.submit()}>
            提交
          </Button>
        </>
      )}
    </footer>
  );
}
