/** The face of the module: what other modules and the composition root may use. */

export { normalised } from './account.ts';
export { stopCaptcha } from './captcha-service.ts';
export { createCompany, createMember, type NewCompany } from './companies.ts';
export { logIn } from './login.ts';
export { type Authenticator, createAuthenticator } from './sessions.ts';
