/** What the frame may use of the module's screens. */
export { BindDialog } from './bind/BindDialog.tsx';
export { useSwitch } from './bind/useSwitch.tsx';
export { knownAuthServer } from './login/sso.ts';
export { Portrait } from './self/Portrait.tsx';
