// Whether the value of a secret is in a file of the desired state, so that a change of the file can give the same reference
// another value.
import { closedPart, REFERENCE } from '../text/literalText.ts';
import type { Secret } from './secret.ts';

const IN_FILES: ReadonlySet<string | undefined> = new Set(['file', 'sops']);

/** Whether a part of a secret's value is read from a file of the desired state, encrypted or not. */
export function isInFiles({ $secret: template }: Secret): boolean {
  const [closed] = closedPart(template);
  return [...closed.matchAll(REFERENCE)].some(
    ([text, source]) => !text.startsWith('$$') && IN_FILES.has(source),
  );
}
