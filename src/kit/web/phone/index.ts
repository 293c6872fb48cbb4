export { PhonePage } from './PhonePage.tsx';
export { usePhone } from './use-phone.ts';
