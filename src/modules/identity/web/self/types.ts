import type { Reply } from '#kit/contract/endpoint.ts';
import type { userDetail } from '../../contract/self.ts';

/** What the user centre knows of its owner. */
export type Detail = Reply<typeof userDetail>;
