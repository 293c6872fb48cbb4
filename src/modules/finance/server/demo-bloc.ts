import type { Ctx } from '#kit/server/context.ts';
import { BlocInput, OWN } from '../contract/bloc.ts';
import { carryBloc } from '../contract/bloc-calls.ts';
import { PartnerForm } from '../contract/payables.ts';
import { act } from './bloc/act.ts';
import { carry } from './bloc/carry.ts';
import { save } from './bloc/save.ts';
import type { Cashier } from './demo-requests.ts';
import { savePartnerOf } from './payables/parties.ts';

const LENDER = '香港优选国际';

/** A loan from the group that somebody asks for by the flow of the company. */
export async function demoBlocWaiting(ctx: Ctx): Promise<void> {
  const giver = await ctx.db
    .selectFrom('finance.partner')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('name', '=', LENDER)
    .executeTakeFirst();
  if (!giver) return;
  const { clock } = ctx;
  const loan = {
    kind: 'LOAN',
    giverId: giver.id,
    takerId: OWN,
    amount: '120000.00',
    wishedOn: clock.dayAhead(5),
    dueOn: clock.dayAhead(185),
    reason: '黑五备货借款',
  };
  const { id } = await save(ctx, BlocInput.parse(loan));
  await act(ctx, 'submit', { id });
}

/**
 * Two companies of the group, and requests between them and the demo company: a cost that has moved, a loan that waits to be
 * carried out, a draft. No account is touched. The caller may do everything;
 * `cashier` carries out, where the company has one.
 */
export async function demoBloc(ctx: Ctx, cashier?: Cashier): Promise<void> {
  const group = (name: string) => savePartnerOf(ctx, PartnerForm.parse({ name, kind: 'GROUP' }));
  const hongkong = await group(LENDER);
  const hangzhou = await group('杭州星河科技');
  const asked = async (input: object): Promise<string> => (await save(ctx, BlocInput.parse(input))).id;
  const approved = async (input: object): Promise<string> => {
    const id = await asked(input);
    await act(ctx, 'submit', { id });
    await act(ctx, 'approve', { id });
    return id;
  };
  const { clock } = ctx;
  const moved = await approved({
    kind: 'COST',
    giverId: OWN,
    takerId: hangzhou.id,
    amount: '18600.00',
    reason: '分摊本月设计与摄影费用',
  });
  const by = cashier ? { ...ctx, userId: cashier.id, userName: cashier.name } : ctx;
  await carry(by, carryBloc.body.parse({ id: moved }));
  await approved({
    kind: 'LOAN',
    giverId: OWN,
    takerId: hangzhou.id,
    amount: '50000.00',
    wishedOn: clock.dayAhead(3),
    dueOn: clock.dayAhead(93),
    reason: '旺季备货周转',
  });
  await asked({
    kind: 'ON_BEHALF',
    giverId: hongkong.id,
    takerId: OWN,
    amount: '9800.00',
    payee: '深圳远航货运代理',
    reason: '代付美西海运运费',
  });
}
