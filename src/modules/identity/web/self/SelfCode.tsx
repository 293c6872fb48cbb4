import { Button, Input } from 'antd';
import type { z } from 'zod';
import { ApiError, call, messageOf } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type SelfCodeFor, sendSelfCode } from '../../contract/self.ts';
import { useCountdown } from '../registration/use-countdown.ts';

const COOL_DOWN_SEC = 60;

interface Props {
  id: string;
  purpose: z.infer<typeof SelfCodeFor>;
  /** Where the code goes; left out for the own account. */
  target?: string;
  value: string;
  onChange: (value: string) => void;
  /** The key under which the code is checked. */
  onKey: (key: string) => void;
}

/** Field for a code with the button that sends one. */
export function SelfCode({ id, purpose, target, value, onChange, onKey }: Props) {
  const { left, start, stop } = useCountdown(COOL_DOWN_SEC);
  const send = async () => {
    start();
    try {
      const body = { purpose, ...(target === undefined ? {} : { target }) };
      onKey(await call(sendSelfCode, { body }, { quiet: true }));
      notice.success('验证码已发送，请注意查收');
    } catch (error) {
      stop();
      if (error instanceof ApiError) notice.error(messageOf(error));
    }
  };
  return (
    <div className="self-code">
      <Input
        id={id}
        placeholder="6位数字"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        value={value}
        onChange={(event) => onChange(event.target.value.replace(/\D/g, ''))}
      />
      <Button disabled={left > 0} onClick={() => void send()}>
        {left > 0 ? `重新获取（${left}s）` : '获取验证码'}
      </Button>
    </div>
  );
}
