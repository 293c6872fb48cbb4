import { parentPort } from 'node:worker_threads';
import { forecastShop, type Options } from './forecast.ts';
import type { Item } from './shop.ts';

// One part of a shop after the other, until nobody asks any more.
parentPort?.on('message', ({ items, options }: { items: Item[]; options: Options }) => {
  parentPort?.postMessage(forecastShop(items, options));
});
