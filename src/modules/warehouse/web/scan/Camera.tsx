import { useEffect, useRef, useState } from 'react';

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
type DetectorClass = new () => Detector;

/** The browser's own reader of codes; many browsers have none. */
const DetectorOf = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
export const canSee = DetectorOf !== undefined && typeof navigator !== 'undefined' && 'mediaDevices' in navigator;

/** Milliseconds between two looks, and for how long the same code is not read again. */
const LOOK = 150;
const SAME = 1_500;

async function watch(video: HTMLVideoElement, stopped: () => boolean, onCode: (code: string) => void): Promise<void> {
  if (!DetectorOf) return;
  const detector = new DetectorOf();
  let last = { code: '', at: 0 };
  while (!stopped()) {
    const [found] = await detector.detect(video).catch(() => []);
    const now = Date.now();
    if (found && (found.rawValue !== last.code || now - last.at > SAME)) {
      last = { code: found.rawValue, at: now };
      onCode(found.rawValue);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
}

/** The phone's camera as a scanner. */
export function Camera({ onCode }: { onCode: (code: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [trouble, setTrouble] = useState('');
  const read = useRef(onCode);
  read.current = onCode;
  useEffect(() => {
    let stopped = false;
    let stream: MediaStream | undefined;
    const start = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      if (stopped || !video.current) return;
      video.current.srcObject = stream;
      await video.current.play();
      await watch(
        video.current,
        () => stopped,
        (code) => read.current(code),
      );
    };
    start().catch(() => setTrouble('摄像头不可用，请用扫码枪或手动输入'));
    return () => {
      stopped = true;
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
  }, []);
  return (
    <div className="scan-camera">
      {trouble ? <p>{trouble}</p> : <video ref={video} muted playsInline aria-label="摄像头画面" />}
      {!trouble && <i aria-hidden="true" />}
    </div>
  );
}
