// Which sources of secrets are files.
import { positionIn } from '../../model/secrets/yamlPosition.ts';
import { referencesIn } from './reference.ts';

/** Whether the source of a secret is a file, or a place in one. */
export function isReadFromFile(source: string): boolean {
  return (
    positionIn(source) !== null ||
    referencesIn(source).some(({ source: from }) => from === 'file' || from === 'sops')
  );
}
