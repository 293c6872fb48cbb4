import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScenarioName } from '../business/scenario.ts';
import type { Region } from '../business/types.ts';
import type { AplusCommand } from './aplus/state.ts';
import type { EditCommand } from './catalogue/edits.ts';
import type { DataClockState } from './clock.ts';
import type { FeedCommand } from './feeds.ts';
import type { InboundCommand } from './inbound/types.ts';
import type { MeasureCommand } from './measure-control.ts';
import type { MerchantCommand } from './merchant/state.ts';
import type { OutboundCommand } from './outbound/types.ts';
import type { RivalsCommand } from './rivals.ts';
import type { SecretCommand } from './secrets.ts';
import type { SellerAct } from './seller-acts.ts';
import type { SubscriptionCommand } from './subscriptions.ts';

/** Names of the casts that the simulated business knows. */
export type Scenario = ScenarioName;

/** A report somebody asked for, as the log keeps it; everything else about it follows from these. */
export interface ReportCommand {
  reportId: string;
  sellingPartnerId: string;
  region: Region;
  reportType: string;
  marketplaceIds: string[];
  reportOptions?: Record<string, string>;
  /** Epoch ms, data clock. */
  dataStart: number;
  dataEnd: number;
  createdAt: number;
  /** Epoch ms, throttle clock: processing takes real time even when the business stands still. */
  askedAt: number;
  /** Set by a fault at the moment of asking. */
  fate?: 'stuck' | 'FATAL' | 'CANCELLED';
}

/** A report of advertising that somebody asked for. */
export interface AdsReportCommand {
  reportId: string;
  sellingPartnerId: string;
  region: Region;
  marketplaceId: string;
  name: string;
  /** Business days "yyyy-MM-dd", both included. */
  startDate: string;
  endDate: string;
  reportTypeId: string;
  groupBy: string[];
  columns: string[];
  timeUnit: 'DAILY' | 'SUMMARY';
  /** Of targets of these types only. */
  keywordTypes?: string[];
  /** Epoch ms, data clock; what the report says is as of then. */
  createdAt: number;
  /** Epoch ms, throttle clock. */
  askedAt: number;
  /** Set by a fault at the moment of asking. */
  fate?: 'stuck' | 'FATAL';
}

/** What cannot be computed from the seed: the order of things people told the sandbox to do. */
export type Command =
  | { type: 'start'; configured: string; seed: string; scenario: Scenario; startAt: number }
  | { type: 'clock'; state: DataClockState }
  | { type: 'revoke'; sellingPartnerId: string; region: Region; at: number; ads?: true }
  | { type: 'standing'; account: string; standing: 'NORMAL' | 'AT_RISK' | 'DEACTIVATED'; at: number }
  | { type: 'codeUsed'; nonce: string; at: number }
  | { type: 'report'; report: ReportCommand }
  | { type: 'adsReport'; report: AdsReportCommand }
  | SubscriptionCommand
  | FeedCommand
  | SellerAct
  | InboundCommand
  | OutboundCommand
  | EditCommand
  | AplusCommand
  | SecretCommand
  | RivalsCommand
  | MeasureCommand
  | MerchantCommand
  | { type: 'cancelReport'; sellingPartnerId: string; region: Region; reportId: string };

/**
 * The append-only memory of the sandbox: one JSON object per line in `<dir>/commands.jsonl`. Without a directory it
 * remembers only as long as the process lives. A torn last line (the process was killed while writing) is dropped.
 */
export class CommandLog {
  readonly #file: string | undefined;

  constructor(dir?: string) {
    if (dir !== undefined) mkdirSync(dir, { recursive: true });
    this.#file = dir === undefined ? undefined : join(dir, 'commands.jsonl');
  }

  /** All commands so far, oldest first. Throws when a line other than the last cannot be read. */
  read(): Command[] {
    if (this.#file === undefined || !existsSync(this.#file)) return [];
    const lines = readFileSync(this.#file, 'utf8').split('\n');
    const commands: Command[] = [];
    for (const [index, line] of lines.entries()) {
      if (line === '') continue;
      try {
        commands.push(JSON.parse(line));
      } catch {
        if (index < lines.length - 1) throw new Error(`Sandbox command log damaged in line ${index + 1}`);
        // Rewritten without the torn end, else the next command would be glued to it.
        writeFileSync(this.#file, lines.slice(0, index).join('\n') + (index > 0 ? '\n' : ''));
      }
    }
    return commands;
  }

  /** Remember one command; handed to the operating system before the call returns, so that a killed process keeps it. */
  append(command: Command): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(command)}\n`);
  }

  /** Forget everything. */
  clear(): void {
    if (this.#file !== undefined) writeFileSync(this.#file, '');
  }
}
