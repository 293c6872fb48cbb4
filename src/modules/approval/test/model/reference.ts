import { branchesOf, type Definition, type FlowNode, isWork, nodesIn, type WorkNode } from '../../contract/flow.ts';
import type { Act } from '../../server/core/acts.ts';
import type { World } from '../../server/core/people.ts';
import type { Assignee, Status } from '../../server/core/state.ts';

/*
 * The flows once more, told otherwise than the interpreter tells them: no tokens that move, but the set of steps that are
 * done, from which it follows where a document stands; no rows of tasks, but seats with a voice each. Whoever changes a
 * rule has to say it twice.
 */

type Vote = 'none' | 'yes' | 'no';

interface Voice extends Assignee {
  vote: Vote;
  /** The round in which he was asked: his yes holds for that one. */
  round: number;
}
interface Asked extends Voice {
  how: 'before' | 'after';
}
/** One voice of a step: whose it is now, and whom he asked. */
interface Seat extends Voice {
  turn: number;
  asked: Asked[];
  /** Added beside another's. */
  added: boolean;
}

export interface Place {
  status: Status;
  round: number;
  /** Steps that are done and not returned to, in the order of their ends. */
  done: string[];
  open: Record<string, Seat[]>;
  /** Who agreed where in which round. */
  said: { person: string; node: string; round: number }[];
  /** Who agreed at a step since it was opened last. */
  heard: Record<string, string[]>;
  /** Steps to which a document goes straight back from its maker. */
  back: string[];
}

/** Where a document of some amount stands by what is done: at these steps, or at an end. */
function frontier(steps: readonly FlowNode[], done: ReadonlySet<string>, big: boolean): string[] | 'ok' | 'no' {
  for (const node of steps) {
    if (isWork(node)) {
      if (!done.has(node.key)) return [node.key];
    } else if (node.type === 'auto') return node.action === 'approve' ? 'ok' : 'no';
    else if (node.type === 'branch') {
      const inner = frontier(node.cases[big ? 0 : 1]?.steps ?? [], done, big);
      if (inner === 'ok' || inner === 'no' || inner.length > 0) return inner;
    } else if (node.type === 'parallel') {
      const all = node.branches.map((branch) => frontier(branch.steps, done, big));
      if (all.includes('no')) return 'no';
      const open = all.flatMap((one) => (typeof one === 'string' ? [] : one));
      if (open.length > 0) return open;
    }
  }
  return [];
}

/** Steps at or after one within its own branch of a parallel node, with all that these hold. */
function onwards(steps: readonly FlowNode[], key: string): string[] | undefined {
  for (const [index, node] of steps.entries()) {
    if (node.key === key) return nodesIn(steps.slice(index)).map((one) => one.key);
    for (const { steps: inner } of branchesOf(node)) {
      const found = onwards(inner, key);
      if (!found) continue;
      return node.type === 'parallel' ? found : [...found, ...nodesIn(steps.slice(index + 1)).map((one) => one.key)];
    }
  }
  return undefined;
}

const voice = (seat: Seat): Vote => {
  const votes = [seat.vote, ...seat.asked.map(({ vote }) => vote)];
  return votes.includes('no') ? 'no' : votes.includes('none') ? 'none' : 'yes';
};
/** He waits for those whom he asked first; where one of them refused, there is nothing left for him to say. */
const waits = (seat: Seat): boolean => seat.asked.some(({ how, vote }) => how === 'before' && vote !== 'yes');
const unsaid = (seat: Seat): boolean => [seat, ...seat.asked].some(({ vote }) => vote === 'none');

export interface Model {
  definition: Definition;
  world: World;
  dedup: 'none' | 'adjacent' | 'all';
  big: boolean;
}

const workAt = ({ definition }: Model, key: string): WorkNode => {
  const node = nodesIn(definition.steps).find((one) => one.key === key);
  if (!node || !isWork(node)) throw new Error(`no step ${key}`);
  return node;
};

/** Who is asked a second time, and says yes by that. */
function repeats(model: Model, place: Place, key: string, person: string): boolean {
  const { dedup } = model;
  const approves = (node: string) => workAt(model, node).type === 'approve';
  if (dedup === 'none' || !approves(key)) return false;
  if (place.heard[key]?.includes(person)) return true;
  const last = place.done.findLast(approves);
  return place.said.some(
    (one) =>
      one.person === person &&
      one.round === place.round &&
      approves(one.node) &&
      (dedup === 'all' || one.node === last),
  );
}

function hear(place: Place, node: string, { person, round }: Voice): void {
  place.said.push({ person, node, round });
  place.heard[node] = [...(place.heard[node] ?? []), person];
}

/** What he said with this voice is as if he had not; what he said with another one stands. */
function unhear(place: Place, node: string, { person, round, vote }: Voice): void {
  if (vote !== 'yes') return;
  const said = place.said.findIndex((one) => one.person === person && one.node === node && one.round === round);
  const heard = (place.heard[node] ?? []).indexOf(person);
  place.said = place.said.toSpliced(said, 1);
  place.heard[node] = (place.heard[node] ?? []).toSpliced(heard, 1);
}

function voted(model: Model, place: Place, key: string, to: Assignee): Voice {
  if (model.world.env.bars(workAt(model, key), to.person)) throw new Error('barred');
  const yes = repeats(model, place, key, to.person);
  const given: Voice = { ...to, round: place.round, vote: yes ? 'yes' : 'none' };
  if (yes) hear(place, key, given);
  return given;
}

function seatAll(model: Model, place: Place, key: string, people: readonly Assignee[], turn: number): void {
  place.open[key] ??= [];
  for (const [index, to] of people.entries()) {
    place.open[key].push({ ...voted(model, place, key, to), turn: turn + index, asked: [], added: false });
  }
}

function verdict(node: WorkNode, seats: readonly Seat[]): Vote {
  const [yes, no, n] = [
    seats.filter((one) => voice(one) === 'yes').length,
    seats.filter((one) => voice(one) === 'no').length,
    seats.length,
  ];
  if (node.mode === 'any') return yes > 0 ? 'yes' : no > 0 ? 'no' : 'none';
  if (node.mode === 'vote') {
    const need = Math.ceil((n * node.percent) / 100);
    return yes >= need ? 'yes' : no > n - need ? 'no' : 'none';
  }
  if (no > 0) return node.type === 'approve' && node.mode === 'all' && node.waitAll && yes + no < n ? 'none' : 'no';
  return n > 0 && yes === n ? 'yes' : 'none';
}

function end(place: Place, status: Status): void {
  place.status = status;
  place.open = {};
}

/** Opens a step with whoever decides there. */
function openStep(model: Model, place: Place, key: string): void {
  const node = workAt(model, key);
  const { env } = model.world;
  place.heard[key] = [];
  const named = env.people(node);
  if (named.length === 0 && node.empty === 'approve') place.done.push(key);
  else if (named.length === 0 && node.empty === 'reject') end(place, 'rejected');
  else {
    const people = named.length > 0 ? named : node.empty === 'suspend' ? [] : env.standIns(node);
    const free = people.filter(({ person }) => !env.bars(node, person));
    seatAll(model, place, key, free, 0);
    if (free.length === 0) place.status = 'suspended';
  }
}

/** Goes on as far as nobody has to be asked. */
function flow(model: Model, place: Place): Place {
  while (place.status === 'running' || place.status === 'suspended') {
    const settled = Object.keys(place.open).find(
      (key) => verdict(workAt(model, key), place.open[key] ?? []) !== 'none',
    );
    if (settled !== undefined) {
      const yes = verdict(workAt(model, settled), place.open[settled] ?? []) === 'yes';
      delete place.open[settled];
      if (yes) place.done.push(settled);
      else end(place, 'rejected');
      continue;
    }
    const at = frontier(model.definition.steps, new Set(place.done), model.big);
    if (typeof at === 'string') end(place, at === 'ok' ? 'approved' : 'rejected');
    else if (at.length === 0) end(place, 'approved');
    else {
      const next = at.find((key) => !(key in place.open));
      if (next === undefined) return place;
      openStep(model, place, next);
    }
  }
  return place;
}

export function begun(model: Model): Place {
  return flow(model, { status: 'running', round: 1, done: [], open: {}, said: [], heard: {}, back: [] });
}

/** A document that is handed in again: straight on where it may, else from the start. */
export function handedIn(model: Model, place: Place, straight: boolean): Place {
  if (!straight) return begun(model);
  return flow(model, { ...structuredClone(place), status: 'running', round: place.round + 1, back: [] });
}

/** Whether it may go straight back: it was asked to, costs no more, and no branch goes another way. */
export function mayGoStraight(model: Model, place: Place, big: boolean): boolean {
  const branched = nodesIn(model.definition.steps).some((node) => node.type === 'branch');
  return place.status === 'returned' && place.back.length > 0 && (big === model.big || (model.big && !branched));
}

/** Says yes. Where nobody is asked twice, and it was not time that said it, he says so wherever else he is asked as well. */
function agree(model: Model, place: Place, key: string, own: Voice, by: string | undefined): void {
  own.vote = 'yes';
  hear(place, key, own);
  const approves = (node: string) => workAt(model, node).type === 'approve';
  if (by === undefined || model.dedup !== 'all' || !approves(key) || own.round !== place.round) return;
  for (const [node, seats] of Object.entries(place.open)) {
    for (const one of seats.flatMap((seat): Voice[] => [seat, ...seat.asked])) {
      if (!approves(node) || one.person !== own.person || one.vote !== 'none') continue;
      one.vote = 'yes';
      hear(place, node, one);
    }
  }
}

function ask(model: Model, place: Place, key: string, seat: Seat, what: Extract<Act, { act: 'sign' }>): void {
  const seats = place.open[key] ?? [];
  if (what.how === 'after') {
    agree(model, place, key, seat, what.by);
  }
  for (const to of what.people) {
    const said = voted(model, place, key, to);
    if (what.how === 'parallel') seats.push({ ...said, turn: seat.turn, asked: [], added: true });
    else seat.asked.push({ ...said, how: what.how });
  }
}

function returned(model: Model, place: Place, what: Extract<Act, { act: 'return' }>): Place {
  place.round += what.to === null ? 0 : 1;
  if (what.to === null) {
    place.back = what.direct ? Object.keys(place.open) : [];
    end(place, 'returned');
    return place;
  }
  const after = new Set(onwards(model.definition.steps, what.to));
  for (const key of Object.keys(place.open)) if (after.has(key)) delete place.open[key];
  place.done = place.done.filter((key) => (what.direct ? key !== what.to : !after.has(key)));
  return flow(model, place);
}

/** Whose voice an act is about: by the step, and by whoever has it there now. */
export interface Spot {
  node: string;
  person: string;
}

/** What an act comes to. The interpreter allowed it; `at` says at which step and with whom. */
export function acted(model: Model, from: Place, what: Act, at: Spot | undefined): Place {
  const place = structuredClone(from);
  if (what.act === 'withdraw' || what.act === 'terminate') {
    end(place, what.act === 'withdraw' ? 'withdrawn' : 'terminated');
    return place;
  }
  if (what.act === 'reassign') {
    const seats = place.open[what.node] ?? [];
    for (const seat of seats) seat.asked = seat.asked.filter(({ how, vote }) => how === 'after' || vote !== 'none');
    // Whose yes waits for somebody asked after himself has not agreed: his seat goes to the others too.
    for (const seat of seats.filter(unsaid)) unhear(place, what.node, seat);
    place.open[what.node] = seats.filter((seat) => !unsaid(seat));
    seatAll(model, place, what.node, what.people, 1000);
    place.status = Object.values(place.open).some((all) => !all.some(unsaid) && all.length === 0)
      ? 'suspended'
      : 'running';
    return flow(model, place);
  }
  const { node: key, person } = at ?? { node: '', person: '' };
  const seats = place.open[key] ?? [];
  const mine = (one: Voice) => one.person === person && one.vote === 'none';
  const seat = seats.find((one) => mine(one) || one.asked.some(mine));
  if (!seat) throw new Error(`nobody ${person} at ${key}`);
  const own: Voice | undefined = mine(seat) ? seat : seat.asked.find(mine);
  if (!own) throw new Error('no voice');
  switch (what.act) {
    case 'approve':
      agree(model, place, key, own, what.by);
      break;
    case 'reject':
      own.vote = 'no';
      break;
    case 'return':
      return returned(model, place, what);
    case 'transfer': {
      // Who gets it makes up his own mind: what others told the one before him does not bind him.
      if (own === seat) seat.asked = [];
      Object.assign(own, voted(model, place, key, what.to));
      break;
    }
    case 'sign':
      ask(model, place, key, seat, what);
      break;
    case 'unsign':
      if (seat.added && own === seat) place.open[key] = seats.filter((one) => one !== seat);
      else seat.asked = seat.asked.filter((one) => one !== own);
      break;
  }
  return flow(model, place);
}

/** What people see of a place, in a form that the interpreter's state is brought into as well. */
export function seen(model: Model, { status, round, done, open, back }: Place): string {
  const alive = status === 'running' || status === 'suspended';
  const steps = Object.entries(open).map(([key, seats]) => {
    const sequence = workAt(model, key).mode === 'sequence';
    const voices = seats.flatMap((seat) => {
      const behind = sequence && seats.some((one) => one.turn < seat.turn && (unsaid(one) || voice(one) === 'no'));
      const tell = (one: Voice, waiting: boolean) =>
        `${one.person}/${one.insteadOf ?? ''}:${one.vote === 'none' ? (waiting ? 'waits' : 'asked') : one.vote}`;
      return [tell(seat, behind || waits(seat)), ...seat.asked.map((one) => tell(one, false))];
    });
    return `${key}(${voices.sort().join()})`;
  });
  return [status, round, steps.sort().join(), alive || back.length > 0 ? [...done].sort().join() : '', back].join('|');
}
