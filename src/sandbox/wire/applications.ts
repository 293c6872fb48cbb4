import type { Answer, Call, Operation } from './operation.ts';

function rotate({ world, clientId, now }: Call): Answer {
  world.command({ type: 'secretRotated', clientId, at: now });
  return { status: 204, body: undefined };
}

/** Application Management API 2023-11-30: a new secret for the application that calls. */
export const applicationOperations: Operation[] = [
  {
    name: 'rotateApplicationClientSecret',
    method: 'POST',
    path: '/applications/2023-11-30/clientSecret',
    plan: { rate: 0.0167, burst: 1 },
    grantless: 'client_credential:rotation',
    handle: rotate,
  },
];
