import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MarketplaceWorld } from './marketplace.ts';
import { begin, kill, standBy } from './worker-process.ts';

/** So many stand by, so that nobody waits for a start: it takes seconds, and much longer on a busy machine. */
const RESERVE = 3;

/** Worker processes side by side, of which one after the other dies. */
export class Crew {
  readonly #world: MarketplaceWorld;
  readonly #random: () => number;
  readonly #members: ChildProcess[] = [];
  readonly #reserve: ChildProcess[] = [];

  constructor(world: MarketplaceWorld, random: () => number) {
    this.#world = world;
    this.#random = random;
  }

  /** Has so many work: those that live go on, others join them or end. */
  async muster(size: number): Promise<void> {
    while (this.#members.length > size) await this.#end(this.#members);
    const missing = size - this.#members.length;
    const joining = Array.from({ length: missing }, () => this.#reserve.shift() ?? standBy(this.#world));
    while (this.#reserve.length < RESERVE) this.#reserve.push(standBy(this.#world));
    this.#members.push(...(await Promise.all(joining.map(begin))));
  }

  /** Kills one of them, drawn by chance, at a moment drawn by chance; `witness` is asked what was being done just before. */
  async loseOne(lifeMs: number, witness: () => Promise<void>): Promise<void> {
    await sleep(this.#random() * lifeMs);
    await witness();
    await this.#end(this.#members, Math.floor(this.#random() * this.#members.length));
  }

  /** Kills all that are left. */
  async dismiss(): Promise<void> {
    for (const group of [this.#members, this.#reserve]) while (group.length > 0) await this.#end(group);
  }

  async #end(group: ChildProcess[], index = 0): Promise<void> {
    const [worker] = group.splice(index, 1);
    if (!worker) return;
    await kill(worker);
    this.#world.workers.delete(worker);
  }
}
