import { createCanvas } from '@napi-rs/canvas';
import { CAPTCHA_HEIGHT, CAPTCHA_WIDTH } from '../src/modules/identity/contract/session.ts';
import { drawClickWord, drawSlider } from '../src/modules/identity/server/captcha/pictures.ts';
import { createSecureRandom } from '../src/modules/identity/server/captcha/random.ts';
import { reportTimes, timed } from './support/measure.ts';
import type { BenchWorld } from './support/world.ts';

/** Both kinds of captcha, drawn so many times, against filling and encoding an empty picture of the same size. */
export async function captchas(world: BenchWorld, count: number): Promise<void> {
  const random = createSecureRandom();
  const many = (draw: () => unknown) =>
    timed(world, async () => {
      for (let n = 0; n < count; n += 1) draw();
    });
  const empty = () => {
    const canvas = createCanvas(CAPTCHA_WIDTH, CAPTCHA_HEIGHT);
    canvas.getContext('2d').fillRect(0, 0, CAPTCHA_WIDTH, CAPTCHA_HEIGHT);
    return canvas.toBuffer('image/jpeg');
  };
  for (const draw of [drawSlider, drawClickWord, empty]) draw(random);
  const alone = await many(empty);
  reportTimes(`captcha: ${count} sliders / empty pictures`, await many(() => drawSlider(random)), alone, 'reported');
  reportTimes(`captcha: ${count} words / empty pictures`, await many(() => drawClickWord(random)), alone, 'reported');
}
