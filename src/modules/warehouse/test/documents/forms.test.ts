import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { formFields } from '#kit/web/form/fields.ts';
import { AssemblyInput } from '../../contract/documents/assembly.ts';
import { ExchangeInput } from '../../contract/documents/exchange.ts';
import { InboundInput } from '../../contract/documents/inbound.ts';
import { OutboundInput } from '../../contract/documents/outbound.ts';
import { OverseasInput } from '../../contract/documents/overseas.ts';
import { StocktakeInput } from '../../contract/documents/stocktake.ts';
import { TransferInput } from '../../contract/documents/transfer.ts';

const FORMS: Record<string, z.ZodObject> = {
  入库单: InboundInput,
  出库单: OutboundInput,
  调库单: TransferInput,
  换货单: ExchangeInput,
  盘点单: StocktakeInput,
  组装单: AssemblyInput,
  海外备货单: OverseasInput,
};

describe('forms of documents', () => {
  it.each(Object.keys(FORMS))('%s: whatever can be chosen has a Chinese name', (name) => {
    const choices = formFields(FORMS[name] as z.ZodObject).flatMap((field) => field.options);
    expect(choices.filter(({ label }) => !/\p{Script=Han}/u.test(label))).toEqual([]);
  });
});
