// Whether an object can get another one-time secret.
import type { Kind } from './kind.ts';

/** Whether objects of the kind can get another one-time secret: by a request for it, or with a new object. */
export const isSecretRenewable = ({ oneTimeSecret, renewedBy, replace }: Kind): boolean =>
  oneTimeSecret !== undefined && (renewedBy !== undefined || replace !== 'refuse');
