import type { MouseEvent, ReactNode } from 'react';
import type { ChallengeState } from './use-challenge.ts';

interface Props {
  state: ChallengeState;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
  children?: ReactNode;
}

/** Accepts bare Base64 as well as a data address. */
export function pictureUrl(base64: string): string {
  if (base64.startsWith('data:')) return base64;
  // A JPEG begins with FF D8 FF, which is /9j/ in Base64.
  return `data:image/${base64.startsWith('/9j/') ? 'jpeg' : 'png'};base64,${base64}`;
}

/** The picture at its fixed size, also before it is there and when it does not come. */
export function Picture({ state, onClick, children }: Props) {
  const { challenge, error, reload } = state;
  if (error) {
    return (
      <div className="captcha-picture is-empty" role="alert">
        <span>{error}</span>
        <button type="button" className="link" onClick={reload}>
          重新获取
        </button>
      </div>
    );
  }
  if (!challenge) return <div className="captcha-picture is-empty" aria-busy="true" />;
  const content = (
    <>
      <img src={pictureUrl(challenge.originalImageBase64)} alt="" draggable={false} />
      {children}
    </>
  );
  if (!onClick) return <div className="captcha-picture">{content}</div>;
  return (
    <button type="button" className="captcha-picture" aria-label="验证图片" onClick={onClick}>
      {content}
    </button>
  );
}
