import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { ToldClock } from './told-clock.ts';

/** Where nobody has anything to do the clock goes on by so much at once, ms. */
const IDLE_MS = 500;
/** It never goes on by more at a time, ms: a worker that has not heard of it yet is behind by no more. */
const MOST_MS = 500;
/** Looked at so often, ms of the machine. */
const LOOK_MS = 40;
/**
 * Who works on without an end for so many looks sits through a pause of the marketplace's. Looks and not time: while this
 * process is busy, as the marketplace that answers the workers, nobody looks, and a machine that is slow looks seldom.
 */
const SITS_LOOKS = 50;
/** What is due later by this clock stands in the queue as due so much later: the queue by itself reads the machine's. */
const HIDDEN = `interval '100 years'`;

/**
 * A clock that goes on by work and not by the machine: each job that ends lets its part of a second go by, and where nothing
 * is due the clock goes on until something is. Workers that share it manage `perSec` jobs in a second, however busy the
 * machine is, so that waits and limits are the same everywhere. The product's clock, its buckets and leases, the queue and
 * the marketplace's clocks all follow it.
 */
export class WorkClock {
  readonly clock: ToldClock;
  readonly #admin: pg.Client;
  #owedMs = 0;
  #quietLooks = 0;

  /** `admin` speaks as the owner of the queue and is for nothing else. */
  constructor(admin: pg.Client, clock: ToldClock) {
    this.#admin = admin;
    this.clock = clock;
  }

  /** Has a session follow from now on: kit.now() and kit.instant() there tell this time. */
  async follow(session: Pick<pg.Client, 'query'>): Promise<void> {
    await session.query(`SET app.clock_shift = '${this.clock.shiftMs} milliseconds'`);
  }

  /** Has the queue follow: what is queued for later waits until this clock says so. */
  async takeQueue(): Promise<void> {
    await this.#admin.query(
      `CREATE FUNCTION kit.hide_job() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF NEW.run_at > now() AND NEW.run_at < now() + interval '50 years' THEN
           NEW.run_at := NEW.run_at + kit.clock_shift() + ${HIDDEN};
         END IF;
         RETURN NEW;
       END $$;
       CREATE TRIGGER hide BEFORE INSERT OR UPDATE OF run_at ON graphile_worker._private_jobs
         FOR EACH ROW EXECUTE FUNCTION kit.hide_job();
       CREATE INDEX hidden_jobs ON graphile_worker._private_jobs (run_at)`,
    );
  }

  /** Puts what waits in the queue off until the clock goes on, so that nobody works before all workers are there. */
  async hold(): Promise<void> {
    await this.#admin.query(
      `UPDATE graphile_worker._private_jobs SET run_at = $1::timestamptz + ${HIDDEN}
        WHERE run_at <= now() AND locked_at IS NULL`,
      [new Date(this.clock.ms())],
    );
  }

  /** Brings what is due by now into the queue's own time; answers how much waits there and how much is worked on. */
  async #release(): Promise<{ waiting: number; running: number }> {
    const { rows } = await this.#admin.query<{ waiting: number; running: number }>(
      `WITH due AS (UPDATE graphile_worker._private_jobs SET run_at = now()
                     WHERE run_at > now() + interval '50 years' AND run_at <= $1::timestamptz + ${HIDDEN}
                       AND locked_at IS NULL RETURNING 1)
       SELECT ((SELECT count(*) FROM due) + (SELECT count(*) FROM graphile_worker._private_jobs
                WHERE run_at <= now() AND is_available))::int AS waiting,
              (SELECT count(*) FROM graphile_worker._private_jobs WHERE locked_at IS NOT NULL)::int AS running`,
      [new Date(this.clock.ms())],
    );
    return rows[0] ?? { waiting: 0, running: 0 };
  }

  /**
   * Lets `seconds` go by while these workers work, `perSec` jobs a second between them. `each` is called after every step
   * of the clock.
   */
  async run(
    workers: readonly ChildProcess[],
    perSec: number,
    seconds: number,
    each?: () => Promise<void>,
  ): Promise<void> {
    const end = this.clock.ms() + seconds * 1_000;
    const done = () => {
      this.#owedMs += 1_000 / perSec;
      this.#quietLooks = 0;
    };
    for (const worker of workers) worker.on('message', done);
    this.#quietLooks = 0;
    while (this.clock.ms() < end) {
      const { waiting, running } = await this.#release();
      this.#quietLooks += 1;
      const idle = waiting === 0 && (running === 0 || this.#quietLooks > SITS_LOOKS);
      const worked = Math.min(this.#owedMs, MOST_MS);
      this.#owedMs -= worked;
      const step = idle && worked === 0 ? IDLE_MS : worked;
      if (step > 0) {
        this.clock.tell(this.clock.ms() + step);
        for (const worker of workers) worker.send(this.clock.ms());
        await each?.();
      }
      await sleep(LOOK_MS);
    }
    for (const worker of workers) worker.off('message', done);
  }
}
