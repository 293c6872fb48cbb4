import { type Approvable, approvables } from '#kit/server/approval.ts';
import { refused } from '#kit/server/errors.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import type { Runtime } from '#kit/server/runtime.ts';

/** Every kind of document that flows can approve. */
export function kindsOf(runtime: Runtime): Approvable[] {
  return extensionsOf(runtime.modules, approvables);
}

/** @throws refused for a kind that nobody registered */
export function kindOf(runtime: Runtime, docType: string): Approvable {
  const kind = kindsOf(runtime).find(({ def }) => def.name === docType);
  if (!kind) throw refused('该单据类型不支持审批流程', 'B0850');
  return kind;
}

/** The steps that are the flow's; a kind without them is a mistake of the module that registered it. */
export function stepsOf({ def }: Approvable) {
  if (!def.approval) throw new Error(`${def.name} names no steps for a flow`);
  return def.approval;
}

export function titleOf(runtime: Runtime, docType: string): string {
  return kindsOf(runtime).find(({ def }) => def.name === docType)?.def.title ?? docType;
}
