import { noteRoutes } from '#kit/server/document-notes.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { blocRequest } from '../../contract/bloc.ts';
import * as calls from '../../contract/bloc-calls.ts';
import { debtsOf } from '../payables/list.ts';
import { act } from './act.ts';
import { carry } from './carry.ts';
import { detailOf } from './detail.ts';
import { blocCounts, blocPage, exportBlocFile } from './list.ts';
import { loaded } from './load.ts';
import { save } from './save.ts';

const steps = Object.entries(calls.blocSteps).map(([name, call]) =>
  serve(call, (ctx, { body }) => act(ctx, name as calls.BlocStep, body)),
);

/** Requests between companies of the group. */
export const blocRoutes: AnyRoute[] = [
  serve(calls.listBloc, (ctx, { body }) => blocPage(ctx, body)),
  serve(calls.countBloc, (ctx, { body }) => blocCounts(ctx, body.filter)),
  serveOpen(calls.exportBloc, (open, { body }) => exportBlocFile(open, body)),
  serve(calls.blocData, (ctx, { params }) => detailOf(ctx, params.id)),
  ...noteRoutes(calls.blocNotes, { def: blocRequest, find: loaded }),
  serve(calls.saveBloc, (ctx, { body }) => save(ctx, body)),
  serve(calls.carryBloc, (ctx, { body }) => carry(ctx, body)),
  serve(calls.payableChoices, (ctx, { body }) => debtsOf(ctx, body.partyId, body.currency)),
  ...steps,
];
