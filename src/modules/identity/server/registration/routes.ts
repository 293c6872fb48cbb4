import { type AnyRoute, servePublic } from '#kit/server/http/serve.ts';
import { register, updatePassword, updatePasswordForget } from '../../contract/registration.ts';
import { registerCompany } from './register.ts';
import { resetPassword, resetVerified } from './reset.ts';

export const registrationRoutes: AnyRoute[] = [
  servePublic(register, async (ctx, { body }) => {
    await registerCompany(ctx, body);
    return 'success' as const;
  }),
  servePublic(updatePasswordForget, async (ctx, { body }) => {
    await resetPassword(ctx, body);
    return 'success' as const;
  }),
  servePublic(updatePassword, async (ctx, { body }) => {
    await resetVerified(ctx, { ...body, repassword: body.password });
    return 'success' as const;
  }),
];
