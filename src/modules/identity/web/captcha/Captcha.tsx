import { CloseOutlined, ReloadOutlined } from '@ant-design/icons';
import { useEffect } from 'react';
import type { CaptchaType } from '../../contract/session.ts';
import { ClickWord } from './ClickWord.tsx';
import { Slider } from './Slider.tsx';
import { useChallenge } from './use-challenge.ts';

interface Props {
  type: CaptchaType;
  /** Receives the proof that the login sends. */
  onPassed: (verification: string) => void;
  onClose: () => void;
}

/** The security check as a popup over the login form: 362 px wide, the picture 330 x 155. */
export function Captcha({ type, onPassed, onClose }: Props) {
  const state = useChallenge(type);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [onClose]);

  const Puzzle = state.type === 'clickWord' ? ClickWord : Slider;
  return (
    <div className="captcha-layer">
      <button type="button" className="captcha-mask" aria-label="取消验证" tabIndex={-1} onClick={onClose} />
      <div className="captcha" role="dialog" aria-modal="true" aria-label="请完成安全验证">
        <header>
          <h2>请完成安全验证</h2>
          <button type="button" className="icon-button" aria-label="换一张" onClick={state.reload}>
            <ReloadOutlined />
          </button>
          <button type="button" className="icon-button" aria-label="关闭" onClick={onClose}>
            <CloseOutlined />
          </button>
        </header>
        <Puzzle key={state.challenge?.token ?? 'none'} state={state} onPassed={onPassed} />
      </div>
    </div>
  );
}
