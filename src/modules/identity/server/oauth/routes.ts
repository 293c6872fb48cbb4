import { type AnyRoute, serveOpen } from '#kit/server/http/serve.ts';
import { oauthAnswer, oauthAsked } from '../../contract/oauth.ts';
import { answered, asked } from './interaction.ts';

/** The page between a client and the provider: these know the browser by its cookie and the person by his session. */
export const oauthRoutes: AnyRoute[] = [
  serveOpen(oauthAsked, (open, { params }) => asked(open, params.uid)),
  serveOpen(oauthAnswer, (open, { params, body }) => answered(open, params.uid, body.agree)),
];
