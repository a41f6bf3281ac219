// `--secrets-to`: where secrets go that the server shows once, as a person writes it.
import type { PlaceChoice } from '../../apply/secrets/place.ts';

/** What the flag can say. */
export const SINKS = 'file:PATH, exec:COMMAND, github, github:env, gitlab or gitlab:PATH';

/** Reads the flag; null where it says nothing that there is. */
export function sinkFlag(text: string): PlaceChoice | null {
  const [, kind, rest = ''] = text.match(/^(file|exec|github|gitlab)(?::(.*))?$/s) ?? [];
  if (kind === 'file' && rest !== '') return { to: 'file', path: rest };
  if (kind === 'exec' && rest.trim() !== '') return { to: 'exec', command: rest };
  if (text === 'github') return { to: 'github', as: 'output' };
  if (text === 'github:env') return { to: 'github', as: 'env' };
  if (text === 'gitlab') return { to: 'gitlab', path: 'meshform.env' };
  return kind === 'gitlab' && rest !== '' ? { to: 'gitlab', path: rest } : null;
}
