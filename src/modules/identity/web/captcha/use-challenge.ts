import { useCallback, useEffect, useState } from 'react';
import { CallCancelled, call, messageOf } from '#kit/web/api/index.ts';
import { type CaptchaChallenge, type CaptchaType, captchaCheck, captchaGet } from '../../contract/session.ts';
import { encryptedPoint, verification } from './answer.ts';

const PASSED = '0000';

export interface ChallengeState {
  challenge: CaptchaChallenge | null;
  /** What was drawn, which may be stricter than what was asked for. */
  type: CaptchaType;
  /** Why no picture came. */
  error: string | null;
  reload: () => void;
  /** The proof for the login, or null for a wrong answer. */
  check: (plain: string) => Promise<string | null>;
}

/** Gets a picture and checks answers to it. Each picture takes one answer. */
export function useChallenge(wanted: CaptchaType): ChallengeState {
  const [challenge, setChallenge] = useState<CaptchaChallenge | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [round, setRound] = useState(0);

  useEffect(() => {
    const aborter = new AbortController();
    setChallenge(null);
    setError(null);
    const options = { quiet: true, signal: aborter.signal, scope: String(round) };
    call(captchaGet, { body: { captchaType: wanted, ts: Date.now() } }, options)
      .then((reply) => {
        if (reply.repCode === PASSED && reply.repData) setChallenge(reply.repData);
        else setError(reply.repMsg ?? '验证码加载失败');
      })
      .catch((failure: unknown) => {
        if (!(failure instanceof CallCancelled)) setError(messageOf(failure));
      });
    return () => aborter.abort();
  }, [wanted, round]);

  const reload = useCallback(() => setRound((now) => now + 1), []);
  const type: CaptchaType = challenge ? (challenge.jigsawImageBase64 ? 'blockPuzzle' : 'clickWord') : wanted;

  const check = async (plain: string): Promise<string | null> => {
    if (!challenge) return null;
    const { token, secretKey } = challenge;
    const body = { captchaType: type, pointJson: encryptedPoint(plain, secretKey), token };
    const reply = await call(captchaCheck, { body }, { quiet: true }).catch(() => null);
    return reply?.repCode === PASSED ? verification(token, plain, secretKey) : null;
  };
  return { challenge, type, error, reload, check };
}
