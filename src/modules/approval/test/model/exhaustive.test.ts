import { expect, test } from 'vitest';
import { depth, proof } from '#test/support/depth.ts';
import { nothing, walk } from './search.ts';
import { definitionsOf, LEAVES, WAYS } from './space.ts';

/** Every definition of so many nodes made of these leaves (numbers in LEAVES), walked by so many acts. */
interface Bound {
  nodes: number;
  leaves: readonly number[];
  acts: number;
}
const all = LEAVES.map((_, index) => index);
/** 会签, 或签, 依次, 办理, 抄送, 自动拒绝, 挂起: one of everything that a pair can be made of. */
const few = [0, 1, 2, 4, 5, 6, 14];

/** Within a bound nothing is left out; what lies beyond is the states that were found but not gone on from, and counted. */
const BOUNDS: readonly Bound[] = proof
  ? [
      { nodes: 1, leaves: all, acts: 3 },
      { nodes: 2, leaves: all, acts: 2 },
      { nodes: 3, leaves: few, acts: 1 },
      { nodes: 3, leaves: [0], acts: 3 },
    ]
  : [
      { nodes: 1, leaves: all, acts: 2 },
      { nodes: 2, leaves: [2, 5, 6, 14], acts: 2 },
      { nodes: 3, leaves: [0], acts: 1 },
    ];

test('within its bounds every state of every flow is as the rules say, told twice, and nothing is left out', () => {
  const found = nothing();
  const lines: string[] = [];
  for (const { nodes, leaves, acts } of BOUNDS) {
    const before = { ...found };
    const definitions = definitionsOf(
      nodes,
      LEAVES.filter((_, index) => leaves.includes(index)),
    );
    for (const definition of definitions) for (const ways of WAYS) walk(definition, ways, acts, found);
    lines.push(
      `${nodes} nodes of ${leaves.length} kinds of steps, ${acts} acts: ${definitions.length} flows in ${WAYS.length} companies, ` +
        `${found.states - before.states} states, ${found.transitions - before.transitions} transitions, ` +
        `${found.refused - before.refused} refusals, not gone on from ${found.cut - before.cut}`,
    );
  }
  process.stdout.write(`${lines.join('\n')}\n${JSON.stringify({ acts: found.acts, ends: found.ends })}\n`);

  expect(Object.keys(found.kinds).sort()).toEqual(['approve', 'auto', 'branch', 'cc', 'handle', 'parallel']);
  expect(Object.keys(found.acts).sort()).toEqual(
    [
      [
        'approve',
        'reject',
        'return',
        'transfer',
        'withdraw',
        'terminate',
        'reassign',
        'takeBack',
        'resubmit',
        'unsign',
      ],
      ['sign before', 'sign after', 'sign parallel'],
    ]
      .flat()
      .sort(),
  );
  expect(Object.keys(found.ends).sort()).toEqual(['approved', 'rejected', 'returned', 'terminated', 'withdrawn']);
  // Documents that come back with another amount and go another way.
  expect(found.otherWays).toBeGreaterThan(depth(30, 1000));
  expect(found.states).toBeGreaterThan(depth(25_000, 300_000));
  expect(found.transitions).toBeGreaterThan(found.states);
  expect(found.refused).toBeGreaterThan(found.states);
  // Only states at the bound of acts were not gone on from, and each of them is one that was looked at.
  expect(found.cut).toBeLessThan(found.states);
}, 1_800_000);
