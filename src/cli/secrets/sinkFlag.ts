// `--secrets-to`: where to store secrets that the server shows once.
import type { PlaceChoice } from '../../apply/secrets/place.ts';

/** The values of the flag, by form. */
export const SINKS = 'file:PATH, exec:COMMAND, github, github:env, gitlab or gitlab:PATH';

/** Parses the flag; null if it is not valid. */
export function sinkFlag(text: string): PlaceChoice | null {
  const [, kind, rest = ''] = text.match(/^(file|exec|github|gitlab)(?::(.*))?$/s) ?? [];
  if (kind === 'file' && rest !== '') return { to: 'file', path: rest };
  if (kind === 'exec' && rest.trim() !== '') return { to: 'exec', command: rest };
  if (text === 'github') return { to: 'github', as: 'output' };
  if (text === 'github:env') return { to: 'github', as: 'env' };
  if (text === 'gitlab') return { to: 'gitlab', path: 'meshform.env' };
  return kind === 'gitlab' && rest !== '' ? { to: 'gitlab', path: rest } : null;
}
