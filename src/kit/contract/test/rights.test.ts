import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Page, PageQuery } from '../page.ts';
import { forbiddenInput, protects, withheldFrom } from '../rights.ts';

const COST = 'fin:cost:field:price';
const Line = z.object({ sku: z.string(), cost: z.string().nullable().meta({ title: '成本', permission: COST }) });
const Order = z.object({
  id: z.string(),
  lines: z.array(Line).optional(),
  byDay: z.record(z.string(), Line),
  main: z.union([Line, z.object({ none: z.boolean() })]).nullable(),
  total: z.string().optional().meta({ permission: COST }),
});

const nobody = () => false;
const everybody = () => true;
const order = {
  id: '1',
  lines: [{ sku: 'a', cost: '3.10' }],
  byDay: { '2026-01-01': { sku: 'b', cost: null } },
  main: { sku: 'c', cost: '1' },
  total: '9',
};

describe('fields that need a permission', () => {
  test('are gone wherever they stand, keys included', () => {
    expect(withheldFrom(Order, order, nobody)).toEqual({
      id: '1',
      lines: [{ sku: 'a' }],
      byDay: { '2026-01-01': { sku: 'b' } },
      main: { sku: 'c' },
    });
    expect(JSON.stringify(withheldFrom(Order, order, nobody))).not.toContain('cost');
  });

  test('stay for those who hold it, and the original is not touched', () => {
    expect(withheldFrom(Order, order, everybody)).toEqual(order);
    withheldFrom(Order, order, nobody);
    expect(order.lines[0]?.cost).toBe('3.10');
  });

  test('take the totals of a page along', () => {
    const page = { records: order.lines, total: 1, totals: { cost: '3.10', units: 4 } };
    expect(withheldFrom(Page(Line), page, nobody)).toEqual({ records: [{ sku: 'a' }], total: 1, totals: { units: 4 } });
  });

  test('may not be sent either: a filter tells what it compares with', () => {
    const query = PageQuery(z.object({ cost: z.string().optional().meta({ permission: COST }), sku: z.string() }));
    const asked = (filter: object) => forbiddenInput(query, query.parse({ filter }), nobody);
    expect(asked({ cost: '5' })).toBe(COST);
    expect(asked({ sku: 'a' })).toBeUndefined();
    expect(forbiddenInput(z.array(Line), [{ sku: 'a' }, { sku: 'b', cost: '2' }], nobody)).toBe(COST);
  });

  test('a schema that refers to itself is looked through once', () => {
    interface Tree {
      cost: string;
      children: Tree[];
    }
    const Tree: z.ZodType<Tree> = z.object({
      get children() {
        return z.array(Tree);
      },
      cost: z.string().meta({ permission: COST }),
    });
    const tree = { cost: '1', children: [{ cost: '2', children: [] }] };
    expect(withheldFrom(Tree, tree, nobody)).toEqual({ children: [{ children: [] }] });
    expect(protects(Line.omit({ cost: true }))).toBe(false);
  });
});
