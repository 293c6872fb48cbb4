import { CheckOutlined, CloseOutlined, DoubleRightOutlined } from '@ant-design/icons';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { CAPTCHA_WIDTH } from '../../contract/session.ts';
import { SHOWN_WIDTH, sliderPoint } from './answer.ts';
import { Picture, pictureUrl } from './Picture.tsx';
import type { ChallengeState } from './use-challenge.ts';

/** The piece is 47 px wide in the picture's own measure; the knob is as wide as the piece is shown. */
const PIECE = (47 * SHOWN_WIDTH) / CAPTCHA_WIDTH;
const RANGE = SHOWN_WIDTH - PIECE;
const RESULT_SHOWN = 1000;
const STEP = 4;

type Phase = 'idle' | 'dragging' | 'checking' | 'passed' | 'failed';

interface Props {
  state: ChallengeState;
  onPassed: (verification: string) => void;
}

const knobs = {
  idle: DoubleRightOutlined,
  dragging: DoubleRightOutlined,
  checking: DoubleRightOutlined,
  passed: CheckOutlined,
  failed: CloseOutlined,
};

function label(phase: Phase, seconds: string): string {
  if (phase === 'passed') return `${seconds}s验证成功`;
  if (phase === 'failed') return '验证失败';
  return phase === 'idle' ? '向右拖动，拼合图片' : '';
}

function useSlider(state: ChallengeState, onPassed: (verification: string) => void) {
  const [phase, setPhase] = useState<Phase>('idle');
  const [left, setLeft] = useState(0);
  const [seconds, setSeconds] = useState('0.00');
  const start = useRef({ x: 0, at: 0 });

  const begin = (x: number) => {
    start.current = { x, at: Date.now() };
    setPhase('dragging');
  };
  const move = (to: number) => setLeft(Math.min(RANGE, Math.max(0, to)));
  const release = async () => {
    if (phase !== 'dragging') return;
    setPhase('checking');
    setSeconds(((Date.now() - start.current.at) / 1000).toFixed(2));
    const proof = await state.check(sliderPoint(left));
    setPhase(proof ? 'passed' : 'failed');
    setTimeout(() => (proof ? onPassed(proof) : state.reload()), RESULT_SHOWN);
  };
  return { phase, left, seconds, start, begin, move, release };
}

/** Drag the piece into its hole. The knob also follows the arrow keys; Enter lets go. */
export function Slider({ state, onPassed }: Props) {
  const { phase, left, seconds, start, begin, move, release } = useSlider(state, onPassed);
  const ready = state.challenge !== null;
  const Icon = knobs[phase];

  const onDown = (event: PointerEvent<HTMLElement>) => {
    if (phase !== 'idle' || !ready) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    begin(event.clientX);
  };
  const onMove = (event: PointerEvent) => phase === 'dragging' && move(event.clientX - start.current.x);
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: STEP, ArrowLeft: -STEP }[event.key];
    if (step !== undefined && ready && (phase === 'idle' || phase === 'dragging')) {
      if (phase === 'idle') begin(0);
      move(left + step);
    } else if (event.key === 'Enter' && phase === 'dragging') void release();
    else return;
    event.preventDefault();
  };

  return (
    <>
      <Picture state={state}>
        {state.challenge && (
          <img
            className="captcha-piece"
            src={pictureUrl(state.challenge.jigsawImageBase64)}
            alt=""
            draggable={false}
            style={{ width: PIECE, transform: `translateX(${left}px)` }}
          />
        )}
      </Picture>
      <div className={`captcha-bar is-${phase}`}>
        <div className="captcha-fill" style={{ width: left + (left > 0 ? PIECE / 2 : 0) }} />
        <span aria-live="polite">{label(phase, seconds)}</span>
        <button
          type="button"
          className="captcha-knob"
          role="slider"
          aria-label="向右拖动，拼合图片"
          aria-valuemin={0}
          aria-valuemax={Math.round(RANGE)}
          aria-valuenow={Math.round(left)}
          style={{ width: PIECE, transform: `translateX(${left}px)` }}
          onPointerDown={onDown}
          onPointerMove={onMove}
          onPointerUp={() => void release()}
          onPointerCancel={() => void release()}
          onKeyDown={onKey}
        >
          <Icon />
        </button>
      </div>
    </>
  );
}
