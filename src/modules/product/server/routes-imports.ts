import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import {
  checkTable,
  commitTable,
  exportPictures,
  exportTable,
  importResult,
  listTableImports,
  tableTemplate,
} from '../contract/imports.ts';
import { checkFile, commitFile, importPage, resultOf } from './imports/engine.ts';
import { picturedFile } from './imports/pictures/export.ts';
import { currentFile, templateFile } from './imports/sheets.ts';

export const importRoutes: AnyRoute[] = [
  serveOpen(checkTable, (open, { params, body }) => checkFile(open, params.kind, body.corrections)),
  serve(commitTable, (ctx, { params }) => commitFile(ctx, params.id)),
  serve(listTableImports, (ctx, { body }) => importPage(ctx, body)),
  serve(importResult, (ctx, { params }) => resultOf(ctx, params.id)),
  serve(tableTemplate, async (_ctx, { params }) => templateFile(params.kind)),
  serve(exportPictures, (ctx, { body }) => picturedFile(ctx, body.ids)),
  serveOpen(exportTable, (open, { params }) => currentFile(open, params.kind)),
];
