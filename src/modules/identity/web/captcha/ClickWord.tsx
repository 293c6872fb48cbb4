import { type MouseEvent, useState } from 'react';
import { clickPoints, type Point } from './answer.ts';
import { Picture } from './Picture.tsx';
import type { ChallengeState } from './use-challenge.ts';

const CLICKS = 3;
const CHECK_DELAY = 400;
const FAILURE_SHOWN = 700;
const SUCCESS_SHOWN = 1000;

type Phase = 'idle' | 'checking' | 'passed' | 'failed';

interface Props {
  state: ChallengeState;
  onPassed: (verification: string) => void;
}

/** Click three characters in the order asked for. */
export function ClickWord({ state, onPassed }: Props) {
  const [points, setPoints] = useState<readonly Point[]>([]);
  const [phase, setPhase] = useState<Phase>('idle');
  const [startedAt] = useState(Date.now);
  const [seconds, setSeconds] = useState('0.00');

  const finish = async (all: readonly Point[]) => {
    const proof = await state.check(clickPoints(all));
    setSeconds(((Date.now() - startedAt) / 1000).toFixed(2));
    setPhase(proof ? 'passed' : 'failed');
    setTimeout(() => (proof ? onPassed(proof) : state.reload()), proof ? SUCCESS_SHOWN : FAILURE_SHOWN);
  };
  const onClick = (event: MouseEvent<HTMLElement>) => {
    if (phase !== 'idle' || points.length >= CLICKS) return;
    const box = event.currentTarget.getBoundingClientRect();
    const next = [...points, { x: event.clientX - box.left, y: event.clientY - box.top }];
    setPoints(next);
    if (next.length < CLICKS) return;
    setPhase('checking');
    setTimeout(() => void finish(next), CHECK_DELAY);
  };

  const words = state.challenge?.wordList.join(',') ?? '';
  const text = {
    idle: `请依次点击【${words}】`,
    checking: '验证中…',
    passed: `${seconds}s验证成功`,
    failed: '验证失败',
  }[phase];
  return (
    <>
      <Picture state={state} onClick={onClick}>
        {points.map((point, index) => (
          <span key={`${point.x} ${point.y}`} className="captcha-point" style={{ left: point.x, top: point.y }}>
            {index + 1}
          </span>
        ))}
      </Picture>
      <div className={`captcha-bar is-${phase}`} aria-live="polite">
        <span>{state.challenge ? text : ''}</span>
      </div>
    </>
  );
}
