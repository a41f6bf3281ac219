// Files that a secret names but that are never read: they are outside the folder, or not regular files.
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Reference } from './reference.ts';
import { sopsReference } from './sops.ts';

/** The part of the inputs that reports unusable files. */
export interface UnusableFiles {
  /** Why an existing file is never read, in words; undefined for every other path. */
  readonly unusable?: (path: string) => string | undefined;
}

/** The error for a reference to a file that is never read: an apply will not read it either. */
export function unusableFile(
  { source, name }: Reference,
  { unusable }: UnusableFiles,
  at: Span,
): Diagnostic | null {
  if (source !== 'file' && source !== 'sops') return null;
  const file = source === 'sops' ? sopsReference(name).file : name;
  const why = file === '' ? undefined : unusable?.(file);
  if (why === undefined) return null;
  return {
    code: 'INPUT_FORBIDDEN',
    severity: 'error',
    message: `${quoted(file)} cannot be read: ${why}`,
    at,
    hint: 'the file must be a regular file in the folder of desired state',
  };
}
