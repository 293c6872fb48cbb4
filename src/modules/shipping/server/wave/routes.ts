import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import { finishWave, pickWave, waveSheet } from '../../contract/wave.ts';
import { finishForWave, pickForWave } from './pick.ts';
import { sheetOfWave } from './sheet.ts';

/** Calls of 合并配货. */
export const waveRoutes: AnyRoute[] = [
  serve(waveSheet, (ctx, { body }) => sheetOfWave(ctx, body.ids)),
  serve(pickWave, (ctx, { body }) => pickForWave(ctx, body)),
  serve(finishWave, (ctx, { body }) => finishForWave(ctx, body)),
];
