import type { Ctx } from '#kit/server/context.ts';
import { AppError } from '#kit/server/errors.ts';
import { cancelWrite } from '#modules/marketplace/server/index.ts';

/** Calls a write back where it has not left. Returns whether it could be. */
export async function callBack(ctx: Ctx, writeId: string): Promise<boolean> {
  try {
    await cancelWrite(ctx, writeId);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 409) return false;
    throw error;
  }
}
