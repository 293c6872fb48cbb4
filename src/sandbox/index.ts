import type { Business } from './business/types.ts';
import { type Clock, type DataClock, wallClock } from './wire/clock.ts';
import { CommandLog, type Scenario } from './wire/command-log.ts';
import type { Exchange } from './wire/operation.ts';
import { buildServer } from './wire/server.ts';
import { type AppCredential, type BusinessFactory, World, type WorldSettings } from './wire/world.ts';

/** How to start the sandbox; everything has a default that suits a demo on this machine. */
export interface SandboxOptions {
  /** 0 (default) takes any free port. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Where the command log lives; without it, nothing outlasts the process. */
  dataDir?: string;
  scenario?: Scenario;
  seed?: string;
  /** First simulated day, UTC midnight, epoch ms; default 120 days before today. */
  startAt?: number;
  /** Days of business that lie behind at the first start; default those of the scenario. `startAt` goes before it. */
  historyDays?: number;
  /** How the data clock starts when there is no log yet; default real time. */
  clock?: NonNullable<WorldSettings['clock']>;
  apps?: AppCredential[];
  /** Multiplies every rate of the usage plans; default 1. */
  rateFactor?: number;
  /** Shortest and longest time a report takes, ms; default 2,000 to 6,000. */
  reportDelayMs?: [number, number];
  /** getReports shows nothing older; default 90 days, as Amazon keeps them. */
  reportRetentionDays?: number;
  /** Address in links and pictures; default the address it listens at. */
  publicUrl?: string;
  /** Drives buckets, tokens and links; default real time. */
  throttleClock?: Clock;
  /** Real time for the data clock; default the machine's. */
  wallClock?: Clock;
  /** Another business than the simulated one. */
  makeBusiness?: BusinessFactory;
  /** Sees every call of the selling-partner API with what was answered: tests hold them against Amazon's models. */
  watch?: (exchange: Exchange) => void;
}

/** A running sandbox. */
export interface Sandbox {
  /** "http://127.0.0.1:8081", without a slash at the end. */
  url: string;
  close(): Promise<void>;
  business: Business;
  clock: DataClock;
  world: World;
}

/** The application that is registered when none is configured; the values are public and worthless by design. */
export const sandboxApp: AppCredential = {
  applicationId: 'amzn1.sp.solution.sandbox',
  clientId: 'amzn1.application-oa2-client.sandbox',
  clientSecret: 'sandbox-secret',
};

/** The application registered for advertising: another one, as the real marketplace registers them apart. */
export const sandboxAdsApp: AppCredential = {
  applicationId: 'amzn1.ads.solution.sandbox',
  clientId: 'amzn1.application-oa2-client.sandbox-ads',
  clientSecret: 'sandbox-ads-secret',
};

async function simulatedBusiness(): Promise<BusinessFactory> {
  const { createBusiness } = await import('./business/index.ts');
  return createBusiness;
}

/** Start the sandbox marketplace. Rejects when the port is taken or the data directory belongs to another seed. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings: WorldSettings = {
    seed: options.seed ?? 'demo-1',
    scenario: options.scenario ?? 'demo',
    ...(options.startAt === undefined ? {} : { startAt: options.startAt }),
    ...(options.historyDays === undefined ? {} : { historyDays: options.historyDays }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    apps: options.apps ?? [sandboxApp, sandboxAdsApp],
    rateFactor: options.rateFactor ?? 1,
    reportDelayMs: options.reportDelayMs ?? [2000, 6000],
    reportRetentionDays: options.reportRetentionDays ?? 90,
    ...(options.watch === undefined ? {} : { watch: options.watch }),
  };
  const world = new World(settings, {
    log: new CommandLog(options.dataDir),
    makeBusiness: options.makeBusiness ?? (await simulatedBusiness()),
    throttleClock: options.throttleClock ?? wallClock,
    wall: options.wallClock ?? wallClock,
  });
  const server = buildServer(world);
  const url = await server.listen({ port: options.port ?? 0, host: options.host ?? '127.0.0.1' });
  world.publicUrl = (options.publicUrl ?? url).replace(/\/+$/, '');
  return {
    url,
    close: () => server.close(),
    // A reset makes a new business and a new clock.
    get business() {
      return world.business;
    },
    get clock() {
      return world.clock;
    },
    world,
  };
}
