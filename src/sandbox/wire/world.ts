import { HISTORY_DAYS } from '../business/scenario.ts';
import type { Business, Region, SimAccount, SimListing, SimMarketplace } from '../business/types.ts';
import { type AplusCommand, AplusDesk } from './aplus/state.ts';
import { type EditCommand, ListingEdits } from './catalogue/edits.ts';
import { type Clock, DataClock, type DataClockState, utcMidnight } from './clock.ts';
import type { AdsReportCommand, Command, CommandLog, ReportCommand, Scenario } from './command-log.ts';
import { Faults } from './faults.ts';
import { type FeedCommand, Feeds } from './feeds.ts';
import { feesOf } from './inbound/fees.ts';
import { Inbound } from './inbound/state.ts';
import type { InboundCommand, Plan, Shipment } from './inbound/types.ts';
import type { MeasureCommand } from './measure-control.ts';
import { type MerchantCommand, MerchantDesk } from './merchant/state.ts';
import type { Exchange } from './operation.ts';
import { Outbound } from './outbound/state.ts';
import type { OutboundCommand } from './outbound/types.ts';
import type { AccountStanding } from './report-performance.ts';
import { Rivals, type RivalsCommand } from './rivals.ts';
import { type SecretCommand, Secrets } from './secrets.ts';
import { type SellerAct, SellerActs } from './seller-acts.ts';
import { type SubscriptionCommand, Subscriptions } from './subscriptions.ts';
import { Throttle } from './throttle.ts';
import { type Grant, TokenMint } from './tokens.ts';

/** An application registered with the marketplace. */
export interface AppCredential {
  applicationId: string;
  clientId: string;
  clientSecret: string;
  /** Where consent goes when the caller names no redirect_uri. */
  loginUri?: string;
}

/** Makes the business that stands behind the wire. */
export type BusinessFactory = (options: { seed: string; scenario: Scenario; startAt: number }) => Business;

export interface WorldSettings {
  seed: string;
  scenario: Scenario;
  /** First simulated day, UTC midnight, epoch ms; default: 120 days before today. */
  startAt?: number;
  /** Days of business that lie behind; default: those of the scenario. */
  historyDays?: number;
  /** How the data clock starts; default: real time. */
  clock?: { mode: 'frozen' | 'real' | 'scaled'; at?: number; factor?: number };
  apps: AppCredential[];
  rateFactor: number;
  /** A report takes this long (throttle clock, ms), drawn evenly between the two. */
  reportDelayMs: [number, number];
  /** getReports shows nothing older than this. */
  reportRetentionDays: number;
  /** Sees every call of the selling-partner API with what was answered. */
  watch?: (exchange: Exchange) => void;
}

/** What a new beginning may change. */
export type Restart = Partial<Pick<WorldSettings, 'seed' | 'scenario' | 'startAt' | 'clock'>>;

type Beginning = Pick<WorldSettings, 'seed' | 'scenario'> & { startAt: number };

const DAY_MS = 86_400_000;

/** Key of an account in maps and buckets. */
export function accountKey(account: { sellingPartnerId: string; region: Region }): string {
  return `${account.sellingPartnerId}|${account.region}`;
}

/** Consents to the two APIs are given and taken back apart. */
function consentKey(account: { sellingPartnerId: string; region: Region }, ads = false): string {
  return ads ? `${accountKey(account)}|ads` : accountKey(account);
}

/**
 * Everything the wire knows at one moment. Apart from faults and buckets, which are meant to be forgotten, it is a
 * function of the seed and the command log.
 */
export class World {
  readonly settings: WorldSettings;
  readonly throttleClock: Clock;
  readonly faults = new Faults();
  readonly throttle: Throttle;
  readonly #log: CommandLog;
  readonly #makeBusiness: BusinessFactory;
  readonly #wall: Clock;
  business: Business;
  clock: DataClock;
  mint: TokenMint;
  seed: string;
  scenario: Scenario;
  startAt: number;
  /** The address callers reach the sandbox at, without a slash at the end; known once it listens. */
  publicUrl = '';
  /** `empty` is worked out when somebody first asks for the state. */
  reports: (ReportCommand & { cancelled?: boolean; empty?: boolean })[] = [];
  adsReports: AdsReportCommand[] = [];
  subscriptions = new Subscriptions();
  secrets = new Secrets(() => this.seed);
  feeds = new Feeds();
  acts = new SellerActs();
  merchant = new MerchantDesk();
  inbound = new Inbound();
  outbound = new Outbound();
  edits = new ListingEdits();
  aplus = new AplusDesk();
  rivals = new Rivals(() => this.seed);
  #revokedAt = new Map<string, number>();
  #usedCodes = new Set<string>();
  #standings = new Map<string, { at: number; standing: AccountStanding }[]>();
  #lists = new Map<string, readonly unknown[]>();

  constructor(
    settings: WorldSettings,
    parts: { log: CommandLog; makeBusiness: BusinessFactory; throttleClock: Clock; wall: Clock },
  ) {
    this.settings = settings;
    this.throttleClock = parts.throttleClock;
    this.throttle = new Throttle(parts.throttleClock, settings.rateFactor);
    this.#log = parts.log;
    this.#makeBusiness = parts.makeBusiness;
    this.#wall = parts.wall;
    const commands = this.#log.read();
    const start = this.#startOf(commands) ?? this.#begin(settings);
    this.seed = start.seed;
    this.scenario = start.scenario;
    this.startAt = start.startAt;
    this.mint = new TokenMint(this.seed);
    this.business = this.#makeBusiness({ seed: this.seed, scenario: this.scenario, startAt: this.startAt });
    this.clock = new DataClock(this.#initialClock(settings), this.#wall);
    for (const command of commands) this.#replay(command);
    if (!commands.some((command) => command.type === 'clock')) {
      this.#log.append({ type: 'clock', state: this.clock.state });
    }
  }

  /** Data time now, epoch ms. */
  now(): number {
    return this.clock.now();
  }

  /** The account of a grant, or undefined when this seller does not sell in that region. */
  account(sellingPartnerId: string, region: Region): SimAccount | undefined {
    return this.business.accounts.find((a) => a.sellingPartnerId === sellingPartnerId && a.region === region);
  }

  /** An account's listings in a marketplace as of `now`, with all that was written of them. */
  listings(account: SimAccount, marketplaceId: string, now: number): SimListing[] {
    return this.edits.shown(account, marketplaceId, now, this.business.listings(account, marketplaceId, now));
  }

  /** A marketplace by its id. Throws when the business knows none such: accounts only name known ones. */
  marketplace(marketplaceId: string): SimMarketplace {
    const found = this.business.marketplaces.find((m) => m.marketplaceId === marketplaceId);
    if (!found) throw new Error(`Unknown marketplace ${marketplaceId}`);
    return found;
  }

  appByClientId(clientId: string): AppCredential | undefined {
    return this.settings.apps.find((app) => app.clientId === clientId);
  }

  /** Change the data clock and remember it. Throws an Error when it would run backwards. */
  commandClock(command: Parameters<DataClock['apply']>[0]): DataClockState {
    const state = this.clock.apply(command);
    this.#remember({ type: 'clock', state });
    return state;
  }

  /**
   * The seller takes the consent back, the one for advertising if `ads`: every token of an older consent is dead from
   * now on.
   */
  revoke(sellingPartnerId: string, region: Region, ads = false): void {
    const at = this.throttleClock.now();
    this.#remember({ type: 'revoke', sellingPartnerId, region, at, ...(ads ? { ads: true as const } : {}) });
  }

  /** Whether a grant still stands: its account exists and it was not revoked since. */
  stands(grant: Grant, ads = false): boolean {
    const revokedAt = this.#revokedAt.get(consentKey(grant, ads));
    const known = this.account(grant.sellingPartnerId, grant.region) !== undefined;
    return known && (revokedAt === undefined || grant.consentAt > revokedAt);
  }

  /** How the marketplace stood to an account (see accountKey) at a data time; normal until somebody says otherwise. */
  standing(account: string, at: number): AccountStanding {
    return this.#standings.get(account)?.findLast((change) => change.at <= at)?.standing ?? 'NORMAL';
  }

  /** Every change of how the marketplace stands to an account (see accountKey), the oldest first. */
  standings(account: string): readonly { at: number; standing: AccountStanding }[] {
    return this.#standings.get(account) ?? [];
  }

  /** The marketplace restricts an account, or lifts that. */
  setStanding(account: string, standing: AccountStanding): void {
    this.#remember({ type: 'standing', account, standing, at: this.now() });
  }

  /** Spend a one-time code; false when it was spent before. */
  spendCode(nonce: string): boolean {
    if (this.#usedCodes.has(nonce)) return false;
    this.#remember({ type: 'codeUsed', nonce, at: this.throttleClock.now() });
    return true;
  }

  addReport(report: ReportCommand): void {
    this.#remember({ type: 'report', report });
  }

  addAdsReport(report: AdsReportCommand): void {
    this.#remember({ type: 'adsReport', report });
  }

  cancelReport(report: ReportCommand): void {
    const { sellingPartnerId, region, reportId } = report;
    this.#remember({ type: 'cancelReport', sellingPartnerId, region, reportId });
  }

  /**
   * Register or drop a queue, or a seller's wish to be told; what a seller sends, or does with an order; secrets; inbound
   * plans and outbound orders; what is written of listings; offers of other sellers; what Amazon measures of products.
   * plans; what is written of listings and of A+ content; offers of other sellers.
   */
  command(
    command:
      | SubscriptionCommand
      | FeedCommand
      | SellerAct
      | SecretCommand
      | InboundCommand
      | OutboundCommand
      | EditCommand
      | RivalsCommand
      | MeasureCommand
      | MerchantCommand
      | AplusCommand,
  ): void {
    this.#remember(command);
  }

  /** Consents taken back so far, "seller|region" (and "|ads") with the throttle time. */
  revocations(): { account: string; at: number }[] {
    return [...this.#revokedAt.entries()].map(([account, at]) => ({ account, at }));
  }

  /**
   * A list that several pages are cut from, computed once: all pages of one search are asked as of the same instant.
   * Keeps the last few lists only.
   */
  cachedList<T>(key: string, compute: () => readonly T[]): readonly T[] {
    const known = this.#lists.get(key);
    // The key names the operation and all its arguments, so what was stored under it has this very type.
    if (known) return known as readonly T[];
    const list = compute();
    this.#lists.set(key, list);
    const oldest = this.#lists.keys().next().value;
    if (this.#lists.size > 8 && oldest !== undefined) this.#lists.delete(oldest);
    return list;
  }

  /** Begin anew: forgets commands, faults, buckets and reports. */
  reset(restart: Restart = {}): void {
    const settings = { ...this.settings, seed: this.seed, scenario: this.scenario, ...restart };
    this.#log.clear();
    const start = this.#begin(settings);
    this.seed = start.seed;
    this.scenario = start.scenario;
    this.startAt = start.startAt;
    this.mint = new TokenMint(this.seed);
    this.business = this.#makeBusiness(start);
    this.clock = new DataClock(this.#initialClock(settings), this.#wall);
    this.#log.append({ type: 'clock', state: this.clock.state });
    this.reports = [];
    this.adsReports = [];
    this.secrets = new Secrets(() => this.seed);
    this.subscriptions = new Subscriptions();
    this.feeds = new Feeds();
    this.acts = new SellerActs();
    this.merchant = new MerchantDesk();
    this.inbound = new Inbound();
    this.outbound = new Outbound();
    this.edits = new ListingEdits();
    this.aplus = new AplusDesk();
    this.rivals = new Rivals(() => this.seed);
    this.#revokedAt = new Map();
    this.#usedCodes = new Set();
    this.#standings = new Map();
    this.#lists = new Map();
    this.faults.clear();
    this.throttle.reset();
  }

  /** The offers that a feed changed; lists cut before show the old ones. */
  #takeOffers({ sellingPartnerId, region, at, offers }: Extract<FeedCommand, { type: 'feedDone' }>): void {
    const account = this.account(sellingPartnerId, region);
    if (!account) return;
    for (const { marketplaceId, sku, offers: patch, ...said } of offers) {
      const isSaid = said.price !== undefined || said.quantity !== undefined;
      if (isSaid) this.#setOffer(account, { marketplaceId, sku }, { at, ...said });
      if (patch) this.edits.offer({ sellingPartnerId, region, marketplaceId, sku }, { at, offers: patch });
    }
    if (offers.length > 0) this.#lists.clear();
  }

  /** Pieces that a feed has taken out of the warehouses. */
  #takeRemoval({ feedId, sellingPartnerId, region, at, removal }: Extract<FeedCommand, { type: 'feedDone' }>): void {
    const account = this.account(sellingPartnerId, region);
    if (!account || !removal) return;
    for (const id of this.feeds.feed(feedId)?.marketplaceIds ?? []) this.business.remove(account, id, removal, at);
    this.#lists.clear();
  }

  /** A listing that was made after the business began has its offer among what was written of it. */
  #setOffer(
    account: SimAccount,
    { marketplaceId, sku }: { marketplaceId: string; sku: string },
    said: { at: number; price?: string; quantity?: number },
  ): void {
    if (this.business.setOffer(account, marketplaceId, sku, said)) return;
    const { sellingPartnerId, region } = account;
    this.edits.offer({ sellingPartnerId, region, marketplaceId, sku }, said);
  }

  #measure({ sellingPartnerId, region, sku, at, wrong }: MeasureCommand): void {
    const account = this.account(sellingPartnerId, region);
    if (account && this.business.measure(account, sku, at, wrong)) this.#lists.clear();
  }

  #takeEdit(command: Command): void {
    const done = this.edits.apply(command);
    if (!done) return;
    const account = this.account(done.sellingPartnerId, done.region);
    const { price, quantity, whole } = done.said;
    if (account && whole === undefined && (price !== undefined || quantity !== undefined)) {
      const offer = { ...(price === undefined ? {} : { price }), ...(quantity === undefined ? {} : { quantity }) };
      this.business.setOffer(account, done.marketplaceId, done.sku, { at: done.at, ...offer });
    }
    this.#lists.clear();
  }

  /** Shipments that changed are told to the business, which books them in. */
  #announce({ plan, shipments }: { plan: Plan; shipments: Shipment[] }): void {
    const account = this.account(plan.sellingPartnerId, plan.region);
    for (const shipment of shipments) {
      const { confirmationId, warehouse, phases, receipts, paidAt, items } = shipment;
      if (!account || confirmationId === undefined) continue;
      const said = {
        reference: confirmationId,
        centre: warehouse,
        lines: items.map(({ msku, quantity }) => ({ sku: msku, quantity })),
        phases,
        receipts,
        fees: feesOf(plan, shipment),
        ...(paidAt === undefined ? {} : { paidAt }),
      };
      this.business.announceInbound(account, plan.marketplaceId, said, shipment.changedAt);
    }
    if (shipments.length > 0) this.#lists.clear();
  }

  #startOf(commands: Command[]): Beginning | undefined {
    const start = commands.find((command) => command.type === 'start');
    if (!start) return undefined;
    const configured = this.#configured();
    if (start.configured !== configured) {
      throw new Error(`This data directory was begun as "${start.configured}", not as "${configured}".`);
    }
    return start;
  }

  /** What the process was started with; a reset may have begun another business since, which is no contradiction. */
  #configured(): string {
    return `${this.settings.scenario} ${this.settings.seed}`;
  }

  #begin(settings: Pick<WorldSettings, 'seed' | 'scenario' | 'startAt'>): Beginning {
    const { seed, scenario } = settings;
    const days = this.settings.historyDays ?? HISTORY_DAYS[scenario];
    const startAt = settings.startAt ?? utcMidnight(this.#wall.now()) - days * DAY_MS;
    this.#log.append({ type: 'start', configured: this.#configured(), seed, scenario, startAt });
    return { seed, scenario, startAt };
  }

  #initialClock(settings: Pick<WorldSettings, 'clock'>): DataClockState {
    const realAt = this.#wall.now();
    const { mode = 'real', at = realAt, factor = 1 } = settings.clock ?? {};
    return { mode, factor, dataAt: at, realAt };
  }

  #remember(command: Command): void {
    this.#log.append(command);
    this.#replay(command);
  }

  #replay(command: Command): void {
    if (command.type === 'clock') this.clock = new DataClock(command.state, this.#wall);
    else if (command.type === 'revoke') this.#revokedAt.set(consentKey(command, command.ads), command.at);
    else if (command.type === 'standing') {
      const { account, at, standing } = command;
      this.#standings.set(account, [...(this.#standings.get(account) ?? []), { at, standing }]);
    } else if (command.type === 'codeUsed') this.#usedCodes.add(command.nonce);
    else if (command.type === 'report') this.reports.push({ ...command.report });
    else if (command.type === 'adsReport') this.adsReports.push(command.report);
    else if (command.type === 'cancelReport') {
      const report = this.reports.find((r) => r.reportId === command.reportId && accountKey(r) === accountKey(command));
      if (report) report.cancelled = true;
    } else if (!this.secrets.apply(command)) {
      this.subscriptions.apply(command);
      this.feeds.apply(command);
      this.rivals.apply(command);
      if (command.type === 'measured') this.#measure(command);
      this.aplus.apply(command);
      if (command.type === 'feedDone') {
        this.#takeOffers(command);
        this.#takeRemoval(command);
      }
      this.#takeEdit(command);
      const moved = this.inbound.apply(command);
      if (moved) this.#announce(moved);
      // Lists that were cut before show the orders as they were.
      const changed = [this.acts, this.outbound, this.merchant].map((each) => each.apply(command, this.business));
      if (changed.some(Boolean)) this.#lists.clear();
    }
  }
}
