import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { runAll } from './job.ts';

/** Has everything that the demo company sells forecast soon, not only when its first night comes. */
export async function demoForecasts(runtime: Runtime, companyId: string): Promise<void> {
  await inTenant(runtime, systemPrincipal(companyId), runAll);
}
