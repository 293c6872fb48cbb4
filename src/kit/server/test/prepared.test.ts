import { expect, it } from 'vitest';
import { statementNames } from '../db/prepared.ts';

it('a statement that is sent again in the same words has one name; lists of values in its text have none', () => {
  const statementName = statementNames(10);
  const name = statementName('select "id" from "t" where "id" = $1');
  expect(name).toMatch(/^erp\d+$/);
  expect(statementName('select "id" from "t" where "id" = $1')).toBe(name);
  expect(statementName('select "name" from "t" where "id" = $1')).not.toBe(name);
  expect(statementName('select "id" from "t" where "id" in ($1, $2)')).toBeUndefined();
  expect(statementName('insert into "t" ("id") values ($1), ($2)')).toBeUndefined();
  expect(statementName('select * from "t" where "id" = $1')).toBeUndefined();
  expect(statementName(`select 1 ${'-- '.repeat(2000)}`)).toBeUndefined();
});
it('there is an end to how many a connection keeps', () => {
  const statementName = statementNames(3);
  for (let n = 1; n <= 4; n += 1) statementName(`select ${n} where $1`);
  expect(statementName('select 4 where $1')).toBeUndefined();
  expect(statementName('select 3 where $1')).toBe('erp3');
});
