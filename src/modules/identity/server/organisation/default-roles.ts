import type { Ctx } from '#kit/server/context.ts';
import { insertRole } from './role-add.ts';
import { templates } from './templates.ts';

/** Gives the caller's new company a role of each template, named like it: the owner only has to hand them out. */
export async function insertDefaultRoles(ctx: Ctx): Promise<void> {
  for (const { key, title, description } of templates(ctx.runtime.codes)) {
    await insertRole(ctx, { name: title, description, template: key });
  }
}
