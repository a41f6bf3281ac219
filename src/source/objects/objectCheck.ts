// Checks one object against the schema of its kind, and against the rules between its fields.
import type { ErrorObject, ValidateFunction } from 'ajv';
import { namingFields } from '../../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { objectSchemaCheck } from '../../kinds/shippedChecks.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KindName } from '../../model/names.ts';
import { pointer } from '../../model/text/pointer.ts';
import { type Fields, isObject, type JsonObject, type Path } from '../../model/value.ts';
import { schemaFindings } from '../findings/findings.ts';
import type { FilledObject } from './externalValues.ts';
import type { Located } from './locate.ts';
import { ADD_ONE, ruleFindings } from './ruleFindings.ts';

/** Returns the faults inside an object, after its external values were filled in as far as possible. */
export type ObjectCheck = (
  object: Located,
  filled: Pick<FilledObject, 'checked' | 'unfilled'>,
) => Diagnostic[];

/** Returns the check for objects of these kinds. The schema of a kind is compiled for the first object of the kind. */
export function objectCheck(kinds: KindTable, lifecycle: JsonObject): ObjectCheck {
  const compiled = new Map<KindName, ValidateFunction>();
  const checkOf = (kind: Kind): ValidateFunction => {
    const check = compiled.get(kind.name) ?? objectSchemaCheck(kind, kinds, lifecycle);
    compiled.set(kind.name, check);
    return check;
  };
  return ({ kind, node }, { checked, unfilled }) => {
    const check = checkOf(kind);
    const found = check(checked) ? [] : (check.errors ?? []);
    const errors = found
      .filter(error => !(isBound(checked) && asksForName(kind, error)))
      .filter(error => !(isToGo(checked) && asksForMore(kind, error)));
    const isUnfilled = (path: Path): boolean => unfilled.size > 0 && unfilled.has(pointer(path));
    const isBroken = (path: Path): boolean => isUnfilled(path) || node.isBroken(path);
    return [
      ...schemaFindings(errors, { ...node, isBroken }, kind.shape),
      ...ruleFindings(kind.shape, checked, node).filter(
        ({ code, hint }) => !(isToGo(checked) && code === 'SCHEMA_EXCLUSIVE' && hint === ADD_ONE),
      ),
    ];
  };
}

// A bound object keeps the name of the live object, even an empty name.
const isBound = ({ lifecycle }: Fields): boolean =>
  isObject(lifecycle) && typeof lifecycle.id === 'string';

// An object that is marked for deletion needs only its name.
const isToGo = ({ lifecycle }: Fields): boolean => isObject(lifecycle) && lifecycle.delete === true;

function asksForMore({ identity }: Kind, { keyword, instancePath, params }: ErrorObject): boolean {
  const named = new Set(identity.flat().map(part => part.split('.')[0]));
  return keyword === 'required' && instancePath === '' && !named.has(params.missingProperty);
}

function asksForName(kind: Kind, { keyword, instancePath, params }: ErrorObject): boolean {
  return (
    keyword === 'required' &&
    instancePath === '' &&
    namingFields(kind).includes(params.missingProperty)
  );
}
