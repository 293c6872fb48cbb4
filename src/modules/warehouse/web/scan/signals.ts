/** Pitch in Hz and length in seconds of a sign. */
const SIGNS = { good: [880, 0.08], bad: [220, 0.5] } as const;

let audio: AudioContext | undefined;

/** Says by sound and by touch whether a scan was right: nobody looks at the screen while scanning. */
export function signal(kind: keyof typeof SIGNS): void {
  navigator.vibrate?.(kind === 'good' ? 40 : [200, 100, 200]);
  try {
    audio ??= new AudioContext();
    const [pitch, length] = SIGNS[kind];
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    volume.gain.value = 0.2;
    tone.frequency.value = pitch;
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + length);
  } catch {
    // A device without sound still vibrates and shows it.
  }
}
