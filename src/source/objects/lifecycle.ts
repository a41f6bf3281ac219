// What is wrong with an object's `lifecycle`, beyond its schema: entries that name no field, and entries without effect.

import { formerKeys } from '../../kinds/identity/formerKeys.ts';
import { namingFields } from '../../kinds/identity/identity.ts';
import type { Field, Kind } from '../../kinds/kind.ts';
import { type DiagnosticCode, isLintCode, LINT_CODES } from '../../model/codes.ts';
import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { isList, isObject, type Json, type Path } from '../../model/value.ts';
import { named, quotedBriefly } from '../findings/words.ts';
import type { Declared } from './declared.ts';

/** The findings for the lifecycle of one object. */
export function lifecycleFindings(object: Declared): Diagnostic[] {
  const { desired, placed } = object;
  const found = [
    ...entriesOf(desired.lifecycle.ignore, 'ignore').map(entry => fieldFinding(object.kind, entry)),
    ...entriesOf(desired.lifecycle.exact, 'exact').map(
      entry => fieldFinding(object.kind, entry) ?? notExact(object, entry),
    ),
    formerName(object),
    deletion(object),
    ...unknownLints(desired.lifecycle.lint_ignore),
  ];
  return Object.keys(desired.lifecycle).length === 0
    ? []
    : found.flatMap(finding => {
        if (!finding) return [];
        const { path, code, severity, message, hint } = finding;
        return [{ code, severity, message, at: placed.at(['lifecycle', ...path]), hint }];
      });
}

interface Finding {
  readonly code: Extract<
    DiagnosticCode,
    'LIFECYCLE_IGNORED' | 'LIFECYCLE_UNKNOWN_FIELD' | 'LINT_IGNORE_UNKNOWN' | 'SCHEMA_COMBINATION'
  >;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string;
  /** Within the lifecycle. */
  readonly path: Path;
}

const ignored = (path: Path, message: string, hint: string): Finding => ({
  code: 'LIFECYCLE_IGNORED',
  severity: 'warning',
  message,
  hint,
  path,
});

interface Entry {
  readonly name: string;
  readonly path: Path;
}

// Each name once; what is no list of names has been reported for that.
function entriesOf(entries: Json | undefined, list: 'ignore' | 'exact'): Entry[] {
  return (isList(entries) ? entries : []).flatMap((name, i, all) =>
    typeof name === 'string' && all.indexOf(name) === i ? [{ name, path: [list, String(i)] }] : [],
  );
}

function fieldFinding(kind: Kind, { name, path }: Entry): Finding | null {
  const field = kind.shape.fields.get(name);
  if (!field) {
    const known = [...kind.shape.fields.values()].filter(isWritable).map(known => known.name);
    const message = `${named(path)} is not a field of the kind ${kind.noun}`;
    const hint = didYouMean(name, known) ?? `its fields: ${known.sort().join(', ')}`;
    return { code: 'LIFECYCLE_UNKNOWN_FIELD', severity: 'error', message, hint, path };
  }
  if (isWritable(field)) return null;
  return ignored(
    path,
    `${quotedBriefly(name)} is set by the server and never compared`,
    'leave it out',
  );
}

const isWritable = (field: Field): boolean => !field.readOnly && !field.sentBack;

function notExact({ kind, desired }: Declared, { name, path }: Entry): Finding | null {
  if (kind.shape.fields.get(name)?.shared !== true) {
    const shared = [...kind.shape.fields.values()].filter(field => field.shared);
    const names = shared.map(field => field.name).join(', ');
    const hint = names ? `only sets that others add members to need it: ${names}` : 'leave it out';
    return ignored(path, `${quotedBriefly(name)} is compared whole anyway`, hint);
  }
  if (entriesOf(desired.lifecycle.ignore, 'ignore').some(entry => entry.name === name)) {
    return ignored(
      path,
      `${quotedBriefly(name)} is ignored, so it cannot be exact`,
      'keep one of the two',
    );
  }
  if (desired.fields[name] !== undefined) return null;
  const message = `${quotedBriefly(name)} is not declared, so there is nothing it should exactly be`;
  return ignored(path, message, `declare it; ${quotedBriefly(`${name}: []`)} removes every member`);
}

function formerName({ desired, kind }: Declared): Finding | null {
  const { was, id } = desired.lifecycle;
  if (was === undefined) return null;
  const fixed = namingFields(kind).find(name => kind.shape.fields.get(name ?? '')?.immutable);
  if (fixed !== undefined) {
    const message = `the kind ${kind.noun} has no renaming: ${quotedBriefly(fixed)} never changes`;
    const hint = 'take `was` away; under another name it is another object';
    return { ...ignored(['was'], message, hint), severity: 'error' };
  }
  if (formerKeys(kind, desired.parent, was).includes(desired.key)) {
    const message = `${quotedBriefly(was)} is the name it has`;
    return ignored(['was'], message, 'write the name it had before');
  }
  if (id === undefined) return null;
  return ignored(['was'], 'the id already says which object this is', 'keep one of `id` and `was`');
}

function deletion({ desired, kind }: Declared): Finding | null {
  const { delete: isDoomed, protect } = desired.lifecycle;
  if (isDoomed !== true) return null;
  if (!kind.verbs.has('delete')) {
    const message = `the API deletes nothing of the kind ${kind.noun}`;
    return ignored(['delete'], message, 'leave it out');
  }
  if (protect !== true) return null;
  const message = '`protect` and `delete` exclude each other';
  const hint = 'take `protect` away in a change of its own, if you mean to delete it';
  return { code: 'SCHEMA_COMBINATION', severity: 'error', message, hint, path: ['delete'] };
}

function unknownLints(ignored: Json | undefined): Finding[] {
  const codes = Object.keys(isObject(ignored) ? ignored : {}).filter(code => !isLintCode(code));
  return codes.map(code => ({
    ...{ code: 'LINT_IGNORE_UNKNOWN', severity: 'error', path: ['lint_ignore', code] },
    message: `${quotedBriefly(code)} is not the code of a lint`,
    hint: didYouMean(code, Object.keys(LINT_CODES)) ?? 'docs/codes.md lists the codes',
  }));
}
