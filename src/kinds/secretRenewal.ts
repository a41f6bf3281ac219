// Whether an object can get another one-time secret.
import type { Kind } from './kind.ts';

/** Whether objects of the kind can get a new one-time secret, by a request or by a replacement of the object. */
export const isSecretRenewable = ({ oneTimeSecret, renewedBy, replace }: Kind): boolean =>
  oneTimeSecret !== undefined && (renewedBy !== undefined || replace !== 'refuse');
