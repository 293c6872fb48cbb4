import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { partsFor, stockChoices } from '#modules/warehouse/server/index.ts';
import {
  countProcesses,
  exportProcesses,
  listProcesses,
  outputProcess,
  type ProcessStep,
  printProcess,
  processChoices,
  processDetail,
  processGoods,
  processParts,
  processSteps,
  requestProcessFee,
  reverseOutput,
  saveProcess,
} from '../../contract/process.ts';
import { purchaseChoices } from '../order/choices.ts';
import { actProcess } from './act.ts';
import { processDetail as detail } from './detail.ts';
import { exportProcesses as exportFile, processCounts, processPage } from './list.ts';
import { output } from './output.ts';
import { printProcess as print } from './print.ts';
import { requestFee } from './request.ts';
import { reverseOutput as reverse } from './reverse.ts';
import { saveProcess as save } from './save.ts';

const steps = (Object.keys(processSteps) as ProcessStep[]).map((name) =>
  serve(processSteps[name], (ctx, { body }) => actProcess(ctx, name, body)),
);

export const processRoutes: AnyRoute[] = [
  serve(listProcesses, (ctx, { body }) => processPage(ctx, body)),
  serve(countProcesses, (ctx, { body }) => processCounts(ctx, body.filter)),
  serveOpen(exportProcesses, (open, { body }) => exportFile(open, body)),
  serve(processDetail, (ctx, { params }) => detail(ctx, params.id)),
  serve(processParts, (ctx, { params, query }) => partsFor(ctx, params.id, query.qty, query.warehouseId)),
  serve(processGoods, async (ctx, { body }) => {
    const found = await stockChoices(ctx, body.text, body.warehouseId);
    return found.map(({ id, product, available }) => ({ id, product, available }));
  }),
  serve(processChoices, async (ctx) => {
    const { warehouses, suppliers } = await purchaseChoices(ctx);
    return {
      warehouses: warehouses.filter((one) => one.quality === 'GOOD').map(({ id, name }) => ({ id, name })),
      suppliers: suppliers.map(({ id, name, orderable }) => ({ id, name, orderable })),
    };
  }),
  serve(saveProcess, (ctx, { body }) => save(ctx, body)),
  serve(outputProcess, (ctx, { body }) => output(ctx, body)),
  serve(reverseOutput, (ctx, { body }) => reverse(ctx, body)),
  serve(requestProcessFee, (ctx, { body }) => requestFee(ctx, body)),
  serve(printProcess, (ctx, { params }) => print(ctx, params.id)),
  ...steps,
];
