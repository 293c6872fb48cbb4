import type { FastifyInstance } from 'fastify';
import { unitDraw } from './random.ts';
import type { World } from './world.ts';

const DAY_MS = 86_400_000;
const DAYS = 90;

/** What one euro is worth about, in the currencies that marketplaces trade in. */
const PER_EURO: Readonly<Record<string, number>> = {
  USD: 1.1,
  JPY: 162,
  GBP: 0.85,
  PLN: 4.3,
  SEK: 11.3,
  AUD: 1.7,
  CAD: 1.53,
  CNY: 7.85,
  MXN: 20.5,
  SGD: 1.44,
  TRY: 42,
  INR: 96,
};

/** A rate on a day: waves of some weeks and a little chance, always the same for the same day. */
function rateOn(seed: string, currency: string, day: number): string {
  const wave = Math.sin(day / 17 + currency.charCodeAt(0)) * 0.015 + Math.sin(day / 5 + currency.charCodeAt(1)) * 0.004;
  const chance = (unitDraw(seed, 'rate', currency, day) - 0.5) * 0.004;
  const rate = (PER_EURO[currency] ?? 1) * (1 + wave + chance);
  return rate.toPrecision(5);
}

/** The business days of ninety days, the newest first: that of today only once it is published, at 15:00 UTC. */
function daysBefore(now: number): number[] {
  const today = Math.floor(now / DAY_MS);
  const newest = now % DAY_MS >= 15 * 3_600_000 ? today : today - 1;
  return Array.from({ length: DAYS }, (_, ago) => newest - ago).filter(
    (day) => ![0, 6].includes(new Date(day * DAY_MS).getUTCDay()),
  );
}

/** The ninety-day file of the European Central Bank's reference rates, in its form. */
export function ecbFile(seed: string, now: number): string {
  const days = daysBefore(now).map((day) => {
    const quotes = Object.keys(PER_EURO).map(
      (currency) => `<Cube currency="${currency}" rate="${rateOn(seed, currency, day)}"/>`,
    );
    return `<Cube time="${new Date(day * DAY_MS).toISOString().slice(0, 10)}">${quotes.join('')}</Cube>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">',
    '<gesmes:subject>Reference rates</gesmes:subject>',
    '<gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>',
    `<Cube>${days.join('')}</Cube>`,
    '</gesmes:Envelope>',
  ].join('\n');
}

/** GET /rates/eurofxref-hist-90d.xml */
export function registerRates(server: FastifyInstance, world: World): void {
  server.get('/rates/eurofxref-hist-90d.xml', async (_request, reply) =>
    reply.type('text/xml; charset=utf-8').send(ecbFile(world.settings.seed, world.now())),
  );
}
