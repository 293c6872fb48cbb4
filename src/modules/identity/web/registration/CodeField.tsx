import { Button, Input } from 'antd';
import { useState } from 'react';
import { ApiError } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { Captcha } from '../captcha/Captcha.tsx';
import { useCountdown } from './use-countdown.ts';

const COOL_DOWN_SEC = 60;
/** The server wants to know first that a person asks. */
const CAPTCHA_NEEDED = new Set(['B0106', 'B0107']);

interface Props {
  value: string;
  onChange: (value: string) => void;
  /** What forbids asking for a code, e.g. an empty phone; undefined when nothing does. */
  obstacle: () => string | undefined;
  /** Asks for the code; `captcha` is the proof of a passed check. Throws ApiError. */
  send: (captcha?: string) => Promise<void>;
  onError: (message: string) => void;
  invalid: boolean;
}

/** Field for a code with the button that sends one; after sending it rests for 60 s, after a failure it is back at once. */
export function CodeField({ value, onChange, obstacle, send, onError, invalid }: Props) {
  const { left, start, stop } = useCountdown(COOL_DOWN_SEC);
  const [checking, setChecking] = useState(false);

  const ask = async (captcha?: string) => {
    const problem = obstacle();
    onError(problem ?? '');
    if (problem) return;
    start();
    try {
      await send(captcha);
      notice.success('验证码已发送，请注意查收');
    } catch (error) {
      stop();
      if (!(error instanceof ApiError)) return;
      if (CAPTCHA_NEEDED.has(error.reason ?? '')) setChecking(true);
      else onError(error.message);
    }
  };
  const onPassed = (proof: string) => {
    setChecking(false);
    void ask(proof);
  };

  return (
    <>
      <div className="code-field">
        <Input
          id="code"
          size="large"
          placeholder="6位数字"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          aria-invalid={invalid}
          value={value}
          onChange={(event) => onChange(event.target.value.replace(/\D/g, ''))}
        />
        <Button size="large" disabled={left > 0} onClick={() => void ask()}>
          {left > 0 ? `重新获取（${left}s）` : '获取验证码'}
        </Button>
      </div>
      {checking && <Captcha type="blockPuzzle" onPassed={onPassed} onClose={() => setChecking(false)} />}
    </>
  );
}
