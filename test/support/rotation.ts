import type { Sandbox } from '#sandbox/index.ts';
import { type FaultKind, type FaultRule, faultKinds } from '#sandbox/wire/faults.ts';

const SETTLEMENTS = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';
const LEDGER = 'GET_LEDGER_SUMMARY_VIEW_DATA';

/** A fault as it takes its turn: what strikes, and what it needs that is not there from the beginning. */
interface Turn {
  name: string;
  rules: readonly FaultRule[];
  /** Not in the first stretch: before the marketplace has told its rates a 429 closes a bucket for half an hour. */
  later?: true;
  /** What it is about has to happen first: a price is changed, or the clock's hour for tokens strikes. */
  needs?: 'feed' | 'tokens';
}

const one = (rule: FaultRule, more: Partial<Turn> = {}): Turn => ({ name: rule.kind, rules: [rule], ...more });

/**
 * Every kind of fault, each bounded, so that work gets on. Three are more than the product can do by itself, and somebody
 * helps as he would: a feed that broke, or that was not ended within a day, is sent again, a role that is back is followed by
 * 立即同步. A code that was used before is the consent's: whoever connects the store meets it, and consents once more.
 * Left out is only a consent that stays revoked (faults/consent.test.ts): of it a token refused once is what may heal.
 * Reports of advertising never get stuck here: Amazon names the stuck one whenever the same is asked for again that day.
 */
const TURNS: readonly Turn[] = [
  one({ kind: 'throttleStorm', probability: 0.3, count: 8 }, { later: true }),
  one({ kind: 'serverError', status: 500, probability: 0.3, count: 10 }),
  one({ kind: 'serverError', status: 503, probability: 0.3, count: 10 }),
  one({ kind: 'timeoutBefore', ms: 100, probability: 0.2, count: 6 }),
  one({ kind: 'timeoutAfter', ms: 100, probability: 0.2, count: 6 }),
  one({ kind: 'connectionReset', probability: 0.2, count: 6 }),
  one({ kind: 'truncatedGzip', probability: 0.5, count: 4 }),
  one({ kind: 'wrongCharset', charset: 'x-surprise', probability: 0.5 }),
  one({ kind: 'bom', probability: 0.5 }),
  one({ kind: 'duplicateRows', probability: 0.5 }),
  one({ kind: 'shuffledRows', probability: 0.5 }),
  one({ kind: 'newColumn', column: 'surprise', probability: 0.5 }),
  one({ kind: 'localisedHeaders', language: 'de', probability: 0.5 }),
  one({ kind: 'localisedHeaders', language: 'fr', probability: 0.5 }),
  one({ kind: 'localisedHeaders', language: 'ja', probability: 0.5 }),
  one({ kind: 'missingColumn', reportType: SETTLEMENTS, column: 'amount', count: 3 }),
  one({ kind: 'missingColumn', reportType: LEDGER, column: 'Ending Warehouse Balance', count: 3 }),
  one({ kind: 'renamedColumn', reportType: SETTLEMENTS, column: 'amount', to: 'sum', count: 3 }),
  one({ kind: 'emptyPage', probability: 0.5, count: 6 }),
  // An empty first page makes sure that there is a second one to ask for.
  {
    name: 'expiredPageToken',
    rules: [
      { kind: 'expiredPageToken', count: 2 },
      { kind: 'emptyPage', count: 4 },
    ],
  },
  one({ kind: 'tokenRevoked', count: 1 }, { later: true, needs: 'tokens' }),
  one({ kind: 'roleRemoved', operation: 'searchOrders', count: 3 }),
  one({ kind: 'roleRemoved', operation: 'createReport', count: 3 }),
  one({ kind: 'reportStuck', operation: 'createReport', probability: 0.5, count: 2 }),
  one({ kind: 'reportFatal', probability: 0.5, count: 3 }),
  one({ kind: 'reportCancelled', probability: 0.5, count: 2 }),
  one({ kind: 'feedStuck', count: 1 }, { later: true, needs: 'feed' }),
  one({ kind: 'feedFatal', count: 1 }, { later: true, needs: 'feed' }),
  one({ kind: 'documentExpired', probability: 0.5, count: 4 }),
  one({ kind: 'clockSkew', ms: 300_000, probability: 0.5 }),
  one({ kind: 'noticeDuplicated', probability: 0.5 }, { later: true }),
  one({ kind: 'noticeLost', probability: 0.3 }, { later: true }),
  one({ kind: 'noticesShuffled' }, { later: true }),
];

/** Things in an order drawn by chance. */
function shuffled<T>(things: readonly T[], random: () => number): T[] {
  return things
    .map((thing) => ({ thing, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ thing }) => thing);
}

interface Active {
  turn: Turn;
  ids: string[];
}

/**
 * All faults, dealt to so many stretches in an order drawn by chance. A fault is on for its stretch; one that nothing came by
 * stays on until something has.
 */
export class Rotation {
  readonly struck = new Map<FaultKind, number>();
  readonly #stretches: Turn[][];
  readonly #faults: Sandbox['world']['faults'];
  readonly #random: () => number;
  #active: Active[] = [];

  constructor(sandbox: Sandbox, stretches: number, random: () => number) {
    this.#faults = sandbox.world.faults;
    this.#random = random;
    this.#stretches = Array.from({ length: stretches }, () => []);
    const all = shuffled(TURNS, random);
    const dealt = [...all.filter(({ later }) => !later), ...all.filter(({ later }) => later)];
    for (const [index, turn] of dealt.entries()) {
      // Those that come later are the last ones dealt; stretches other than the first take turns with them.
      const place = turn.later && stretches > 1 ? 1 + (index % (stretches - 1)) : index % stretches;
      this.#stretches[place]?.push(turn);
    }
  }

  /** Switches the faults of a stretch on; returns their names. */
  begin(stretch: number): string[] {
    const turns = this.#stretches[stretch] ?? [];
    for (const turn of turns) {
      const ids = turn.rules.map((rule) => this.#faults.add({ ...rule, seed: `${this.#random()}` }).id);
      this.#active.push({ turn, ids });
    }
    return turns.map(({ name }) => name);
  }

  /** Whether something that is on waits for what only a story can bring about. */
  wants(what: 'feed' | 'tokens'): boolean {
    return this.#active.some((active) => active.turn.needs === what && !this.#hasStruck(active));
  }

  /** Switches off whatever has struck; returns whether there was anything, and what is left has not struck yet. */
  retire(): boolean {
    const over = this.#active.filter((active) => this.#hasStruck(active));
    const rules = new Map(this.#faults.list().map((active) => [active.id, active]));
    for (const { ids } of over) {
      for (const id of ids) {
        const found = rules.get(id);
        if (found && found.struck > 0) this.#add(found.rule.kind, found.struck);
        this.#faults.clear(id);
      }
    }
    this.#active = this.#active.filter((active) => !over.includes(active));
    return over.length > 0;
  }

  /** Whether a fault that is on has struck, so that it may go. */
  ripe(): boolean {
    return this.#active.some((active) => this.#hasStruck(active));
  }

  /** Names of the faults that nothing has come by yet. */
  waiting(): string[] {
    return this.#active.filter((active) => !this.#hasStruck(active)).map(({ turn }) => turn.name);
  }

  /** Counts a fault that another part of the story has switched on and off. */
  #add(kind: FaultKind, times: number): void {
    this.struck.set(kind, (this.struck.get(kind) ?? 0) + times);
  }

  /** Counts what struck outside of the rotation. */
  count(kind: FaultKind): void {
    this.#add(kind, 1);
  }

  /** Kinds that never struck. */
  spared(): FaultKind[] {
    return faultKinds.filter((kind) => !this.struck.has(kind));
  }

  #hasStruck({ ids }: Active): boolean {
    // The first rule is the fault; others only prepare the ground for it.
    return (this.#faults.list().find(({ id }) => id === ids[0])?.struck ?? 0) > 0;
  }
}
