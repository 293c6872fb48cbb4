import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { mergeAccount, mergeState } from '../../contract/merge.ts';
import {
  closeAccount,
  closeDevice,
  findOwnerAll,
  limitData,
  listDevices,
  saveImage,
  saveSubscription,
  sendSelfCode,
  subscriptions,
  updateAccountSelf,
  updateEmailSelf,
  updatePasswordSelf,
  updateSelf,
  userDetail,
  userImage,
  verifyPassword,
} from '../../contract/self.ts';
import { requestMerge, stateOfMerge } from '../merge/request.ts';
import { provePassword } from '../mfa/routes.ts';
import { isLimited } from '../organisation/limited.ts';
import { changeAccount, changeEmail, changeOwnPassword, sendOwnCode } from './account.ts';
import { readAvatar, saveAvatar } from './avatar.ts';
import { requestClosure } from './closure.ts';
import { closeOwnSession, devicesOf } from './devices.ts';
import { colleaguesOf, detailOf, updateSelfInfo } from './info.ts';
import { subscribe, subscriptionsOf } from './subscriptions.ts';

const done = 'success' as const;

export const selfRoutes: AnyRoute[] = [
  serve(userDetail, async (ctx) => detailOf(ctx)),
  serve(limitData, async (ctx, { query }) => ((await isLimited(ctx, query.type)) ? 'true' : 'false')),
  serve(findOwnerAll, async (ctx) => colleaguesOf(ctx)),
  serveOpen(saveImage, async (ctx) => saveAvatar(ctx)),
  serveOpen(userImage, async (ctx, { params }) => readAvatar(ctx, params.id)),
  serve(updateSelf, async (ctx, { body }) => {
    await updateSelfInfo(ctx, body);
    return done;
  }),
  serveOpen(verifyPassword, async (ctx, { body }) => {
    await provePassword(ctx, body.password);
    return done;
  }),
  serveOpen(sendSelfCode, async (ctx, { body }) => sendOwnCode(ctx, body.purpose, body.target)),
  serveOpen(updateAccountSelf, async (ctx, { body }) => {
    await changeAccount(ctx, body);
    return done;
  }),
  serveOpen(updateEmailSelf, async (ctx, { body }) => {
    await changeEmail(ctx, body);
    return done;
  }),
  serveOpen(updatePasswordSelf, async (ctx, { body }) => {
    await changeOwnPassword(ctx, body);
    return done;
  }),
  serve(listDevices, async (ctx) => devicesOf(ctx)),
  serve(closeDevice, async (ctx, { body }) => {
    await closeOwnSession(ctx, body.id);
    return done;
  }),
  serveOpen(closeAccount, async (ctx, { body }) => requestClosure(ctx, body)),
  serveOpen(mergeAccount, async (ctx, { body }) => requestMerge(ctx, body)),
  serve(mergeState, async (ctx) => stateOfMerge(ctx)),
  serve(subscriptions, async (ctx) => subscriptionsOf(ctx)),
  serve(saveSubscription, async (ctx, { body }) => {
    await subscribe(ctx, body);
    return done;
  }),
];
