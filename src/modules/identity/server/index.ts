/** The face of the module: what other modules and the composition root may use. */

export { normalised } from '../contract/account.ts';
export { type Addresses, addressesOf, operatorsOf } from './addresses.ts';
export { stopCaptcha } from './captcha-service.ts';
export { createCompany, createMember, type NewCompany } from './companies.ts';
export { reachOfMembers } from './data-scope.ts';
export { loginFailures } from './failures.ts';
export { logIn } from './login.ts';
export { memberPrincipal } from './member-principal.ts';
export { type RowMove, rowMoves } from './merge/moves.ts';
export { companiesTakenIn } from './merge/taken-in.ts';
export { companyMerged } from './merge/task.ts';
export { mountProvider } from './oauth/mount.ts';
export { putOperator } from './operator/account.ts';
export { type UsageKind, usageKinds } from './operator/customers.ts';
export { type Chart, chartOf } from './organisation/chart.ts';
export { insertDepartment } from './organisation/departments.ts';
export { type Handover, handovers } from './organisation/people/handover.ts';
export { oneTimePassword } from './organisation/people/one-time.ts';
export { openDocuments } from './organisation/people/open-documents.ts';
export { insertPeople, type NewPerson } from './organisation/people/save.ts';
export { memberLeft } from './organisation/people/state.ts';
export { requireRoom, roomFor } from './organisation/plan.ts';
export { insertRole } from './organisation/role-add.ts';
export { updateRole } from './organisation/roles.ts';
export { hashPassword } from './password.ts';
export { changePassword } from './passwords/change.ts';
export {
  departmentsOf,
  liveSessions,
  membersAmong,
  membersWith,
  ownersOf,
  type Position,
  positionOf,
  rolesOf,
} from './people.ts';
export { companyCreated } from './registration/register.ts';
export { newDevice } from './security/new-device.ts';
export { ipAllowed, type SecurityPolicy, securityPolicyOf } from './security/policy.ts';
export { companyErased } from './self/closure.ts';
export { type KeptRows, keptRows } from './self/erasure.ts';
export { channelsOf, type MessageEvent, messageEvents } from './self/subscriptions.ts';
export { type Authenticator, createAuthenticator } from './sessions.ts';
