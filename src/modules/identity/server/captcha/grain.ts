import type { SKRSContext2D } from '@napi-rs/canvas';
import { createSeededRandom, type Random } from './random.ts';

/** Plenty of offsets into one block of noise: cheaper than a fresh number for each pixel. */
const NOISE = (() => {
  const random = createSeededRandom(20_260_101);
  return Int8Array.from({ length: 65_521 }, () => Math.round((random() + random() - 1) * 127));
})();

/**
 * Adds film grain of up to +-`strength` grey levels to what is opaque. Each call starts elsewhere in the noise, so that
 * a piece and the picture it came from never agree bit by bit and cannot be matched by comparing pixels.
 */
export function addGrain(brush: SKRSContext2D, random: Random, width: number, height: number, strength: number) {
  const image = brush.getImageData(0, 0, width, height);
  const { data } = image;
  let at = Math.floor(random() * NOISE.length);
  for (let pixel = 0; pixel < data.length; pixel += 4) {
    at = at + 1 < NOISE.length ? at + 1 : 0;
    if ((data[pixel + 3] ?? 0) < 255) continue;
    const shift = ((NOISE[at] ?? 0) * strength) / 127;
    data[pixel] = (data[pixel] ?? 0) + shift;
    data[pixel + 1] = (data[pixel + 1] ?? 0) + shift;
    data[pixel + 2] = (data[pixel + 2] ?? 0) + shift;
  }
  brush.putImageData(image, 0, 0);
}
