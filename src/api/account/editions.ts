// The edition of the server that offers an operation, according to the contract.
import type { Edition } from '../../contract/index.ts';
import type { RequestLine } from '../../model/errors.ts';
import { operationTable } from '../operations/operationsById.ts';

/**
 * A clause that names the edition, if only one edition offers the operation of a request. Undefined
 * if both offer it, or if the contract does not contain it.
 */
export function offeredBy({ method, path }: RequestLine): string | undefined {
  const asked = path.replace(/\?.*$/s, '').split('/');
  for (const operation of operationTable().operations.values()) {
    const paths = [operation.path, operation.netbirdPath].filter(one => one !== undefined);
    if (operation.method !== method || !paths.some(one => isAt(one.split('/'), asked))) continue;
    const [only, ...others] = operation.editions;
    if (only !== undefined && others.length === 0)
      return `only the ${only} edition offers it, and the server runs the ${otherEdition(only)} edition`;
  }
  return undefined;
}

const otherEdition = (edition: Edition): Edition => (edition === 'cloud' ? 'self-hosted' : 'cloud');

const isAt = (template: readonly string[], asked: readonly string[]): boolean =>
  template.length === asked.length &&
  template.every((part, i) => part.startsWith('{') || part === asked[i]);
