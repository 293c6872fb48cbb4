export { normalised } from '../contract/account.ts';
