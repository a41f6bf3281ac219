// Certificates of a private server, as PEM text.
import { X509Certificate } from 'node:crypto';

const BLOCK =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]*-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/**
 * Why a text contains no usable certificates, as a clause that completes "FILE …"; null if all of
 * them can be read.
 */
export function certificateFault(text: string): string | null {
  const blocks = text.match(BLOCK) ?? [];
  if (blocks.length === 0) return 'contains no PEM certificate';
  const bad = blocks.findIndex(block => !isReadable(block));
  if (bad < 0) return null;
  return blocks.length === 1
    ? 'contains a certificate that cannot be read'
    : `contains ${blocks.length} certificates, and certificate ${bad + 1} cannot be read`;
}

function isReadable(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0;
  } catch {
    return false;
  }
}
