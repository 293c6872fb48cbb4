/** The face of the module: what other modules and the composition root may use. */

export { stopCaptcha } from './captcha-service.ts';
export { createCompany, createMember, type NewCompany } from './companies.ts';
export { logIn, normalised } from './login.ts';
export { type Authenticator, createAuthenticator } from './sessions.ts';
