// Whether the value of a secret is in the files that a change may change, so that the same reference may stand for another value.
import { closedPart, REFERENCE } from '../text/literalText.ts';
import type { Secret } from './secret.ts';

const IN_FILES: ReadonlySet<string | undefined> = new Set(['file', 'sops']);

/** Whether a part of the value of a secret is read from a file of the desired state, encrypted or not. */
export function isInFiles({ $secret: template }: Secret): boolean {
  const [closed] = closedPart(template);
  return [...closed.matchAll(REFERENCE)].some(
    ([text, source]) => !text.startsWith('$$') && IN_FILES.has(source),
  );
}
