import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as calls from '../../contract/box/calls.ts';
import * as labels from '../../contract/box/labels.ts';
import { boxSheet, importBoxes } from '../../contract/box/sheet.ts';
import * as template from '../../contract/box/template.ts';
import { cartonLabels } from './carton-labels.ts';
import { close, measure, newBox, remove, reopen } from './change.ts';
import { replaceBox } from './put.ts';
import { scanBox } from './scan.ts';
import { boxFile, importBoxFile } from './sheet-files.ts';
import { suggest } from './suggest.ts';
import { taskOf } from './task.ts';
import { boxRulesOf, deleteTemplateOf, putRules, saveTemplateOf, templatesOf } from './templates.ts';
import { unitLabels } from './unit-labels.ts';

export const boxRoutes: AnyRoute[] = [
  serve(calls.packTask, (ctx, { params }) => taskOf(ctx, params.id)),
  serve(calls.addBox, (ctx, { body }) => newBox(ctx, body)),
  serve(calls.scanIntoBox, (ctx, { body }) => scanBox(ctx, body)),
  serve(calls.measureBox, (ctx, { body }) => measure(ctx, body)),
  serve(calls.putBox, (ctx, { body }) => replaceBox(ctx, body)),
  serve(calls.closeBox, (ctx, { body }) => close(ctx, body)),
  serve(calls.openBox, (ctx, { body }) => reopen(ctx, body)),
  serve(calls.deleteBox, (ctx, { body }) => remove(ctx, body)),
  serve(calls.suggestBoxes, (ctx, { body }) => suggest(ctx, body.id, body.templateId)),
  serveOpen(labels.printCartonLabels, (open, { body }) => cartonLabels(open, body)),
  serve(labels.printUnitLabels, (ctx, { body }) => unitLabels(ctx, body)),
  serve(boxSheet, (ctx, { params }) => boxFile(ctx, params.id)),
  serveOpen(importBoxes, (open, { body }) => importBoxFile(open, body)),
  serve(template.boxTemplates, async (ctx) => ({ templates: await templatesOf(ctx), rules: await boxRulesOf(ctx) })),
  serve(template.saveTemplate, (ctx, { body }) => saveTemplateOf(ctx, body)),
  serve(template.deleteTemplate, (ctx, { body }) => deleteTemplateOf(ctx, body.id)),
  serve(template.putBoxRules, (ctx, { body }) => putRules(ctx, body.rules)),
];
