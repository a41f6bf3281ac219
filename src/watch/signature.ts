// How a receiver verifies the sender and the age of a notification.
import { createHmac } from 'node:crypto';

/** The header with the time of the message, in seconds since 1970. */
export const TIMESTAMP_HEADER = 'meshform-timestamp';

/** The header with the signature: the version of the scheme, and HMAC-SHA256 in hexadecimal digits. */
export const SIGNATURE_HEADER = 'meshform-signature';

/** The headers that sign a body: the signature covers `<timestamp>.<body>`, so neither can be replaced. */
export function signed(
  body: string,
  secret: string,
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: `v1=${digest}` };
}
